#define ADD(a, b) ((a) + (b))
enum { A = ADD(1) };
