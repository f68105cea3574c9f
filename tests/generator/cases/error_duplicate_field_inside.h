struct S { int a; union { float b; struct { int a; }; }; };
