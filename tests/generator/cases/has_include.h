#define FILE_NAME <stddef.h>
#if __has_include(<stdint.h>) && !__has_include("nowhere.h") && __has_include(FILE_NAME)
#include <stdint.h>
int f(uint8_t a);
#endif
#ifdef __has_include
#if defined(__has_include) && __has_include ( "empty.h" )
int g(void);
#endif
#endif
