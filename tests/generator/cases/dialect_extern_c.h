// not C
#ifdef __cplusplus
#error this is read as C
#endif
extern "C" {
int inside(int a);
typedef struct { int a; } S;
}
extern "C" int single(void);
int after(void);
