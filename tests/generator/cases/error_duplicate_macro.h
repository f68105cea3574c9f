#define LIMIT 1
#define LIMIT 2
