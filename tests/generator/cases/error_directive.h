#foo bar
int f(void);
