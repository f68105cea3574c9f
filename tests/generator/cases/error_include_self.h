#include "error_include_self.h"
int f(void);
