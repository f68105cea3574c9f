struct S { int b; };
enum { A = __builtin_offsetof(struct S, c) };
