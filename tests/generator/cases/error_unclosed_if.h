#if 1
int f(void);
