typedef struct { int a; } } S;
