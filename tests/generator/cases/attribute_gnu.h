#define DEPRECATED __attribute__((deprecated))
#define OLD_ENUM __attribute__((deprecated("use B")))
DEPRECATED int before(int a);
int after(int a) __attribute__((deprecated("call before(), not after()")));
extern __attribute__((visibility("default"))) int __attribute__((nonnull(1, 2), warn_unused_result)) many(int *a, int *b);
int printf_like(const char *format, ...) __attribute__((format(printf, 1, 2)));
typedef struct Opaque *old_handle_t DEPRECATED;
typedef enum { A OLD_ENUM = 1, B = A, C DEPRECATED, D } E;
typedef enum __attribute__((deprecated)) { OE = 3 } OldEnum;
typedef struct { int keep; int drop DEPRECATED; } S;
struct __attribute__((deprecated)) OldStruct { int x; };
int parameter(int a __attribute__((unused)), int b);
int one(void), two(void) DEPRECATED, three(void);
void __attribute__((__deprecated__)) __attribute__((cold)) underscores(void);
