#if UNKNOWN(1)
#endif
