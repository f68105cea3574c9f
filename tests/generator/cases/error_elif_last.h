#if 1
#else
#if 1
#elif 2
#endif
#elif 1
#endif
