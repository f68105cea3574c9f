// not C
static int f(a, b) int a; double b; { return a > b; }
int g(void);
