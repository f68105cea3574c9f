struct S { int a : 3; int b; };
enum { A = sizeof(((struct S *)0)->a) };
