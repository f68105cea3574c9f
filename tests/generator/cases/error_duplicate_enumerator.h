typedef enum { A = 1 } E;
typedef enum { A = 2 } F;
