typedef int known_t;
typedef struct {
    known_t a;
    missing_t *b;
} S;
