typedef enum { A = "text" } E;
