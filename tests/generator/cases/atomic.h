// not C
typedef struct { _Atomic int a; _Atomic(long) b; } S;
int f(S *s);
