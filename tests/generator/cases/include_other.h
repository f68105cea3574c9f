#include "include/other.h"
#include "include/other.h"
other_t f(void);
