int f(missing_t);
