long unsigned int f(unsigned long int a, long long unsigned b, short int c, signed d, char signed e, long double g, unsigned h,
                    double _Complex i, unsigned short int j, long int long k, int unsigned l, char m, unsigned char n);
