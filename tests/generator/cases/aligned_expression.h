#define CACHE_LINE 64
enum { WIDE = 32 };
typedef struct { char a __attribute__((aligned(CACHE_LINE / 2))); int b __attribute__((aligned(sizeof(double)))); } S;
typedef struct __attribute__((aligned(WIDE), aligned(8))) { int a; } T;
#pragma pack(push, 2)
typedef struct { char a; int b; } P;
#pragma pack(pop)
