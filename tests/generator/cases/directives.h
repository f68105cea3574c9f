# 7 "elsewhere.h" 1
#line 9
#ident "x"
#
#if 0
#nonsense
#endif
int f(void);
