typedef struct {
    enum { INNER_A, INNER_B = 7 } mode;
    enum Named { NAMED_A = INNER_B + 1 } named;
} S;
