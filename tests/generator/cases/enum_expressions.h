#include <stdint.h>
#define SHIFT(n) (1 << (n))
#define WORD
#define NINE 9
typedef unsigned char byte_t;
typedef struct { int a; double b; } pair_t;
enum E {
    ZERO, ONE, HEX = 0xFF, AFTER_HEX, OCTAL = 0755, BINARY = 0b101, NEGATIVE = -5, AFTER_NEGATIVE,
    ALIAS = HEX, MACRO WORD = NINE, CALL = SHIFT(4), SUM = HEX + ONE * 2 - -3, DIVIDED = -7 / 2, REST = -7 % 2,
    A1L2 = 12, A1L2_ALIAS = A1L2, U32UL = 3, SUFFIX = 10UL, SUFFIX2 = 0x10ull, CHARACTER = 'a', ESCAPE = '\n', HEX_ESCAPE = '\x41',
    OCTAL_ESCAPE = '\101', NEGATIVE_CHAR = '\xff', MULTI = 'ab', SIZE = sizeof(int), SIZE_STRUCT = sizeof(pair_t), SIZE_EXPR = sizeof(1 + 1L),
    SIZE_POINTER = sizeof(void *), SIZE_ARRAY = sizeof(int[5]), CAST = (byte_t)300, CAST_SIGNED = (signed char)200, CAST_BOOL = (_Bool)7, CAST_FLOAT = (int)3.9,
    CAST_SIZE = (int)sizeof(byte_t), TERNARY = 1 > 2 ? 10 : 20, LAZY = 1 ? 5 : 1 / 0, LAZY_AND = 0 && 1 / 0, OR = 0 || 3, NOT = !5,
    INVERT = ~5, UNSIGNED_WRAP = (int)(0u - 1u) , UNSIGNED_COMPARE = -1 > 0u, SIGNED_COMPARE = -1 > 0, SHIFT_RIGHT = -8 >> 1, UNSIGNED_SHIFT = 0x80000000 >> 31,
    XOR = 6 ^ 3, AND = 6 & 3, ORED = 4 | 1, PARENTHESES = ((2 + 3) * (4)), FROM_HEADER = INT32_MAX, MINIMUM = INT32_MIN, ALIGN = _Alignof(double),
    LAST,
};
enum Wide { BIG = 0x100000000, BIGGER, NEG = -1 };
enum Unsigned { HIGH = 0x80000000, TOP = 0xFFFFFFFF };
enum UnsignedWide { ALL = 0xFFFFFFFFFFFFFFFF };
