__asm__("nop");
int renamed(void) __asm__("other_name");
