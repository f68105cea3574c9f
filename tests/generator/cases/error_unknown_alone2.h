int f(int a, missing_t);
