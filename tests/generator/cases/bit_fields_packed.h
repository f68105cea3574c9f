#pragma pack(8)
typedef struct { char a; short b : 9; } PackedWider;
typedef struct { long a : 23 __attribute__((packed)); } PragmaWins;
typedef struct __attribute__((packed)) { short a[3]; unsigned b : 18; } PragmaWinsWhole;
typedef union { char a; long b : 46 __attribute__((aligned(1))); } PackedUnion;
#pragma pack(2)
typedef struct { char a; int b : 30; long c : 4 __attribute__((aligned(8))); } PackedAligned;
#pragma pack()
typedef struct { long a : 21; unsigned long long b : 22 __attribute__((aligned(4))); } AlignedLess;
typedef struct __attribute__((packed)) { char a : 3; int b : 7 __attribute__((aligned(2))); int c : 5; } AlignedInPacked;
typedef int low __attribute__((aligned(2)));
typedef struct { short a; low b : 30; low c : 9; } LowAlignment;
