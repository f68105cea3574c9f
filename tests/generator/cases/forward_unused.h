struct Unused;
struct Used;
void f(struct Used *used);
