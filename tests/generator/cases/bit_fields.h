typedef struct { unsigned a : 3; unsigned b : 5; unsigned c : 26; unsigned char d : 4; int : 0; int e : 1; } Bits;
typedef struct { char a; int : 12; short b : 9; long c : 40; int d : 20; _Bool e : 1; } Mixed;
typedef struct { char a; unsigned long b : 60; char c; unsigned d : 31; unsigned e : 2; } Wide;
typedef struct __attribute__((packed)) { char a : 3; int b : 30; short c : 7; } Packed;
typedef union { char a[5]; short b; int c : 20; } Union;
