int f(int a);
int f(long a);
