#define LONG_ONE \
    1 + \
    2
#include <stdint.h>
/* three
   line
   comment */
int f(uint32_t a,
      unheard_of b);
