typedef struct { int a : 33; } S;
