typedef struct {
    int a;
int f(void);
