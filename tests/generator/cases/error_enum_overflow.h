typedef enum { A = 0xFFFFFFFFFFFFFFFF, B } E;
