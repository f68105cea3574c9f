#define 3 4
