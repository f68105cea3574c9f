// not C
int __stdcall f(int a);
typedef void (__stdcall *callback_t)(int code);
