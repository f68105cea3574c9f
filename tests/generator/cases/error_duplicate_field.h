struct S { int a; int a; };
