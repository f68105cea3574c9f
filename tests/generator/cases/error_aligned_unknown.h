typedef struct { int a __attribute__((aligned(missing))); } S;
