#define DEPRECATED_ENUM __attribute__((deprecated))
#define NOTHING
#define FIVE 5
typedef enum {
    A DEPRECATED_ENUM = 1,
    B NOTHING = 2,
    C NOTHING,
    D DEPRECATED_ENUM,
    E NOTHING DEPRECATED_ENUM = FIVE,
} letters;
