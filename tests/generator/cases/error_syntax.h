typedef enum { A = 1, B = 2 } E;
int f(int a;
int g(void);
