typedef enum { A = , B } E;
