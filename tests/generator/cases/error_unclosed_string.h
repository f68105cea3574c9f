#define A "never ends
enum { B = A };
