#pragma pack(push, 1)
typedef struct { char a; double b; } Pack1;
#pragma pack(2)
typedef struct { char a; double b; } Pack2;
#pragma pack(pop)
typedef struct { char a; double b; } Unpacked;
#pragma pack(1)
typedef struct { int a : 3; int b : 31; char c; } PackBits;
#pragma pack()
_Pragma("pack(1)") typedef struct { char a; int b; } Operator; _Pragma("pack()")
