int f(void);
typedef enum { A = f() } E;
