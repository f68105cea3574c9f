int conti\
nued(int first, // a comment goes on \
   int not_there,
  int second);
#def\
ine TWELVE 1\
2
#define TEXT "ab\
cd"
int on_line_ten(void);
