typedef struct X X;
typedef struct X X;
typedef struct Y *Y_t;
typedef struct Y *Y_t;
typedef int number_t;
typedef int number_t;
X *f(Y_t a, number_t b);
X *f(Y_t renamed, number_t b);
