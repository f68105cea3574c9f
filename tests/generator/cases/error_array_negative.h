typedef struct { int a[-1]; } S;
