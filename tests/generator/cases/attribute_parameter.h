int f(int a __attribute__((deprecated)), [[maybe_unused]] int b);
