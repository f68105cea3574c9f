extern int n;
typedef int a_t[n];
