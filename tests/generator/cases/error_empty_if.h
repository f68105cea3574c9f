#if
int f(void);
#endif
