typedef int wide_t __attribute__((mode(DI)));
