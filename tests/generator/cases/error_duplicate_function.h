int f(int a);
int f(double a);
