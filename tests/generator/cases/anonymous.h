typedef struct {
    struct { int x, y; } point, *points;
    union { int i; double d; };
    struct { char c; };
    enum { RED = 1 } color;
} Holder;
enum { LOOSE_A = 1, LOOSE_B };
typedef struct { int a; } *Pointer_only;
typedef union { int i; float f; } First, Second, *Third;
