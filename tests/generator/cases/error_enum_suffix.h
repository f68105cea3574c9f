typedef enum { A = 10lul } E;
