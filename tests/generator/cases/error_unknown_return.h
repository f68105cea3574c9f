int before(int a);
missing_t *f(int a);
