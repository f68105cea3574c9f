%:define JOIN(a, b) a%:%:b
int JOIN(f, g)(int a<:3:>);
typedef struct <% int b<:2:>; %> S;
