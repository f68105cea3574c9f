missing_t f(int a);
