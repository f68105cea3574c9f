#define SIZE sizeof(int)
#define SIZE_T sizeof(struct { int a; })
#define OVER 1e999
#define OVER_INT ((int)1e999)
#define TYPE unsigned int *
#define ADVICE "one " "two"
