typedef struct { int a; } S;
typedef struct { long a; } S;
