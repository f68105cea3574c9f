__extension__ typedef struct {
    long long a;
    __extension__ union {
        int b;
        float c;
    };
} S;
