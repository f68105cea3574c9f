struct T { int a; };
union T { int a; };
