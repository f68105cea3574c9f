typedef __typeof__(1 + 1) t;
