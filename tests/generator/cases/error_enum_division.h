typedef enum {
    A = 1,
    B = A / 0
} E;
