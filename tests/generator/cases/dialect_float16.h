_Float16 half(_Float16 x, __int128 y, _Float128 z);
typedef struct {
    char a;
    _Float16 b;
} S;
