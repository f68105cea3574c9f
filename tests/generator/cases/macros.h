#ifndef MACROS_H
#define MACROS_H
typedef unsigned long my_t;
typedef enum { RED = 3 } color_t;
struct tagged { int a; };
int g(void);
#define X (1<<2)
#define Y X
#define F() g()
#define BAD (type *)
#define S ((my_t)1000ULL)
#define EMPTY
#define NAME "cudnn" "\x2dkit"
#define FLOATING 1.5e-3f
#define HALF .5
#define COLOR RED
#define COLORS (RED | 4u)
#define TYPE my_t
#define TYPE2 unsigned int
#define CAST ((color_t)RED)
#define POINTER ((void *)0)
#define STATEMENT do { } while (0)
#define UNKNOWN missing_name
#define CALLS g()
#define WITH(a, b) ((a) + (b))
#define NEGATIVE -1
#define CHARACTER 'x'
#define SIZED sizeof(struct tagged)
#define DIVIDES (1 / 0)
#define STRING_AND_NUMBER "a" 1
#define ATTRIBUTE __attribute__((cold))
#define KEYWORD static
#define SPACED   1   +   /* a comment */   2
#define CONTINUED 1 + \
    2
#define GONE 5
#undef GONE
#define TERNARY (X > 3 ? 10 : 20)
#define SELF SELF
#define BIG 0xFFFFFFFFFFFFFFFF
#define EXPONENT 0x1p4
#define LONG_DOUBLE 1.0L
#endif
