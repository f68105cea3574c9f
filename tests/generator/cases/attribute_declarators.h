int one(void), two(void) __attribute__((deprecated)), three(void);
__attribute__((deprecated)) int four(void), five(void);
