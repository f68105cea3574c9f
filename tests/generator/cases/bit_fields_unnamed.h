typedef int low __attribute__((aligned(2)));
typedef struct { char a : 1; short : 13; } Unnamed;
typedef struct { _Bool a; _Bool : 0; unsigned b : 3; int : 4; unsigned c : 20; } UnnamedZero;
typedef struct { low a : 32; } WholeWidth;
typedef struct { low a : 31; } PartWidth;
typedef struct __attribute__((packed)) { low a : 32; } WholePacked;
typedef struct { char a; low b : 16; low c : 8; } WholeLater;
