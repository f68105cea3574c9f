typedef enum { A = missing + 1 } E;
