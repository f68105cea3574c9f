int f(void);
/* never ends
int g(void);
