typedef unsigned long my_t;
int g(void);
enum { Y_VALUE = 6 };
#define X (1<<2)
#define Y X
#define Z Y_VALUE
#define F() g()
#define BAD (type *)
#define S ((my_t)1000ULL)
#define EMPTY
