extern int counter;
int f(void);
