typedef enum { A = 1 << 40 } E;
