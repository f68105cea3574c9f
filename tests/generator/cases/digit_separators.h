enum { THOUSAND = 1'000, MASK = 0xFF'FF, BITS = 0b1'0'1 };
#define MILLION 1'000'000u
