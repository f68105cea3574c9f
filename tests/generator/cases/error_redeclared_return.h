int f();
long f(int a);
