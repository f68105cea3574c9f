#include_next <stddef.h>
size_t f(void);
