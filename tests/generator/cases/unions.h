typedef union { int i; float f; char bytes[6]; } Value;
typedef struct Algo { union Which { int forward; long backward; } algo; } Algo;
Value f(Value v, union Which w);
