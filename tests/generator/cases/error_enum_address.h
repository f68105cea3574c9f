int x;
enum { A = (long)&x };
