int f(void);
#endif
