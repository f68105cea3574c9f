typedef int thing;
int thing(void);
