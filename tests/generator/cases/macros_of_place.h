// not C
#define HERE __LINE__
#define FILE_HERE __FILE__ "x"
#define NEXT (__COUNTER__ + 1)
#define BUILT __DATE__ " " __TIME__
#define THERE HERE
enum { LINE = __LINE__ };
