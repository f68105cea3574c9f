typedef struct { char a; int b __attribute__((aligned(16))); } AlignedField;
typedef struct __attribute__((aligned(32))) { char a; } Aligned;
typedef struct { char a; } AlignedTypedef __attribute__((aligned(8)));
typedef struct { char a; AlignedTypedef b; } UsesAligned;
typedef int aligned_int __attribute__((aligned(16)));
typedef struct { char a; aligned_int b; } UsesAlignedInt;
typedef struct { _Alignas(16) char a; _Alignas(double) char b; } Alignas;
typedef struct { char a; } __attribute__((aligned)) Most;
