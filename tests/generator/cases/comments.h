/* int hidden(void); "quoted" */
// int hidden_too(void);
int f(int a /* inside */, // to the end of the line
      int b);
#define N 3 /* behind a macro */ // and again
int g(int a[N /* here */]);
/**/ int h(void); /***/
