int copy(void *__restrict to, const void *__restrict__ from, char *restrict other, unsigned long n);
