static __inline int twice(int a) { return a * 2; }
static __inline__ __attribute__((always_inline)) int nested(int a) {
    if (a) {
        return "}"[0];
    }
    return '}';
}
inline int plain(void) { return 1; }
int declared(void);
