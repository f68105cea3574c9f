class Thing { int a; };
