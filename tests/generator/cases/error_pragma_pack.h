#pragma pack(push, missing)
typedef struct { int a; } S;
#pragma pack(pop)
