#if 1
#error Version mismatch in this header
#endif
