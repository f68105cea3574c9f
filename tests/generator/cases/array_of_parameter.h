int f(int n, double a[n], double b[*], double c[n + 1][3]);
