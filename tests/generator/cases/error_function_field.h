typedef struct { int f(void); } S;
