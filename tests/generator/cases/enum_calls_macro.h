#define SHIFT(n) (1 << (n))
#define GLUE(a, b) a##b
#define NEXT(x) ((x) + 1)
enum { A = SHIFT(4), GLUE(B, 1) = GLUE(0x, 1F), C = NEXT(NEXT(GLUE(B, 1))) };
