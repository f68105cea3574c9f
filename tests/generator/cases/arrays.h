#define DIM_MAX 8
enum { FOUR = 4 };
int f(int a[], int b[static 4], int c[DIM_MAX], const float d[2][3], int e[const], char *g[], double h[FOUR + 1]);
typedef int Vector[4];
typedef struct { Vector v[2]; int n; double items[]; } S;
