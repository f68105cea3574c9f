int x;
extern __typeof__(x) y;
