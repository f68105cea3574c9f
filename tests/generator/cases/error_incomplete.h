struct S { struct S inner; };
