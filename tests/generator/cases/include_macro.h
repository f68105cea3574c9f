#define OTHER "include/other.h"
#include OTHER
other_t f(void);
