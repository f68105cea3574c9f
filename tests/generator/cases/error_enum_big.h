typedef enum { A = 0x1FFFFFFFFFFFFFFFF } E;
