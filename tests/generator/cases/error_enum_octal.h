typedef enum { A = 089 } E;
