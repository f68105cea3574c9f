// not C
typedef enum { A = 1, B } E;
typedef enum { A = 1, B } E;
enum T { C };
enum T { C };
typedef struct { int a; struct { int b; } in; } S;
typedef struct { int a; struct { int b; } in; } S;
struct U { union { int a; float b; }; };
struct U { union { int a; float b; }; };
enum { LOOSE };
enum { LOOSE };
typedef struct V *V_t;
typedef struct V *V_t;
int f(int a);
extern int f(int b);
#define LIMIT  (1 + 2)
#define LIMIT (1 + 2) /* the same */
