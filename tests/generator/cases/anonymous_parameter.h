// not C
void f(struct { int a; } *inside, enum { IN } which);
