// not C
__declspec(dllimport) int imported(int a);
__declspec(deprecated("use imported")) int old(void);
typedef enum { A, B __declspec(deprecated) } letters;
