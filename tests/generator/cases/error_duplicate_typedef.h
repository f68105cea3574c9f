typedef int a_t;
typedef long a_t;
