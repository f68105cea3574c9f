enum { f = 1 };
int f(void);
