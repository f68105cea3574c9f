#ifndef LIMIT
#define LIMIT 4
#endif
int f(int a[LIMIT]);
