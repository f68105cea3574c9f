typedef int (*compare_t)(const void *left, const void *right);
typedef void log_t(int level, const char *, ...);
typedef int (*(*getter_t)(int))(double);
void take(int (*inlined)(int code, void *data), compare_t by_type, log_t *by_function, void (*)(int), int by_name(int));
typedef struct {
    void (*table[2])(int);
    compare_t compare;
} S;
extern log_t logger;
