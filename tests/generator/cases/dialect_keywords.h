__const char *__volatile__ *qualified(__signed__ char c, __signed int d);
_Noreturn void stop(void);
_Static_assert(sizeof(int) == 4, "int");
