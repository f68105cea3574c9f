typedef enum { A = 1 } E;
typedef enum { B = 1 } E;
