#include <stdbool.h>
bool f(bool a, _Bool *b);
#define YES true
