typedef int nested_t;
