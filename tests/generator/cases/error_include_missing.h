int f(void);
#include "no_such_header.h"
