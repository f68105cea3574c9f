typedef __SIZE_TYPE__ own_size_t;
typedef __UINT32_TYPE__ own_uint32;
#if defined(__x86_64__) && defined(__unix__) && __SIZEOF_POINTER__ == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
own_size_t f(own_uint32 a);
#endif
#if __INT_MAX__ == 2147483647 && __LONG_MAX__ > __INT_MAX__ && __SIZEOF_WCHAR_T__ == 4
enum { WIDE = __SIZEOF_LONG__, LARGEST = __UINT8_MAX__ };
#endif
