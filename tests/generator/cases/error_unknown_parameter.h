int before(int a);

int f(int a,
      missing_t b);
