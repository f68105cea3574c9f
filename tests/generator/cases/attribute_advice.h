int f(void) __attribute__((deprecated("use " "g() " /* not h */ "instead")));
int g(void);
