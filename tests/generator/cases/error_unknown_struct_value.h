typedef struct { struct missing a; } S;
