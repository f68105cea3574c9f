// not C
bool f(bool a);
