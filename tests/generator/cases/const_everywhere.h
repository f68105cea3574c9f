typedef struct H *handle_t;
int const *const *volatile f(const int *a, int *const b, const int *const c, int const d, volatile int *e, const handle_t g);
typedef struct { const char *const names[4]; const volatile int flag; } S;
typedef const int constant_t;
