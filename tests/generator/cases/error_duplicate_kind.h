int thing(void);
typedef int thing;
