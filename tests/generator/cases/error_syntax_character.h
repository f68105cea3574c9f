int f(int a) @;
