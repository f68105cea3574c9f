// not C
int f();
int f(int a, ...);
int f();
int g(double a);
int g();
