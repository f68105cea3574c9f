typedef struct { char a; union { double b[3]; int c; }; struct { short d; } e[2]; int *f; } S;
enum {
  TEXT = sizeof("abc"),
  ESCAPES = sizeof "\x41\101\n\u00e9",
  WIDE = sizeof(L"ab"),
  MEMBER = sizeof(((S *)0)->b),
  ELEMENT = sizeof(((S *)0)->b[0]),
  COUNT = sizeof(((S *)0)->b) / sizeof(((S *)0)->b[0]),
  DEEP = sizeof(((S *)0)->e[1].d),
  POINTER = sizeof(((S *)0)->f),
  BEHIND = sizeof(*((S *)0)->f),
  ADDRESS = sizeof(&((S *)0)->b),
  WHOLE = sizeof(*(S *)0),
  CAST = sizeof((char)1),
  SUM = sizeof((char)1 + (char)1)
};
#define TEXT_SIZE (sizeof("hello") - 1)
#define AS_BOOL ((_Bool)5)
int f(char buffer[sizeof(((S *)0)->e)]);
#define MEMBER_SIZE sizeof(((S *)0)->e)
