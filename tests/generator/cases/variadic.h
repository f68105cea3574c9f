int variadic(const char *format, ...);
int none(void);
int old_style();
int unnamed(int, float *, char arg1);
