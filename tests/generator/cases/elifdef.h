#define B
#ifdef A
int a(void);
#elifdef B
int b(void);
#else
int c(void);
#endif
#ifdef A
#elifndef C
int d(void);
#endif
