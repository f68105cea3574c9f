_Static_assert(sizeof(int) == 8, "int has 8 bytes");
