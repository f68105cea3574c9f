#define TWO \
    2
/* a comment
   of several
   lines */
int f(
    int a);

typedef enum {
    A,

    B = TWO
} E;
