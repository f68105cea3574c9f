typedef struct { int a __attribute__((aligned(3))); } S;
