typedef struct { int x; long double y; _Complex double z; __int128 w; } Wide;
typedef struct { enum { SMALL } e; enum { LARGE = 0x1ffffffff } f; enum { NEGATIVE = -1, BIG = 0x80000000 } g; } Enums;
typedef struct { char a; struct { short s; } in[3]; void (*f)(void); } Nested;
typedef struct { } Nothing;
