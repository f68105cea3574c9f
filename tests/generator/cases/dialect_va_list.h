#include <stdarg.h>
void log_with(const char *format, __builtin_va_list arguments);
void log_too(const char *format, va_list arguments);
