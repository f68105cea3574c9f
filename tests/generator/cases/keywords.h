int f(int from, int lambda, int in, int type, int mode, int None, int self, int list);
