#include <stddef.h>
typedef struct { char a; union { double b[3]; int c; }; struct { short x, d; } e[2]; int *f; } S;
enum {
  PLAIN = offsetof(S, f),
  INNER = offsetof(S, c),
  DEEP = offsetof(S, e[1].d),
  BUILTIN = __builtin_offsetof(S, b[2]),
  BY_HAND = (size_t)&((S *)0)->f,
  BY_HAND_DEEP = (size_t)&((S *)0)->e[1].d,
  BY_HAND_FROM = (size_t)&((S *)16)->b[1] - 16
};
#define OFFSET offsetof(S, e)
