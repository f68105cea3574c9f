int f(int class, int while);
