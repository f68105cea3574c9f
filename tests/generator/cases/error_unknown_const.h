int f(const missing_t *a);
