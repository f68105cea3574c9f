typedef enum { A = 1.5 } E;
