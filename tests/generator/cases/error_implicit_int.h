f(int a);
