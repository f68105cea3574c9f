int f(void)
