typedef enum __attribute__((packed)) { BYTE = 200 } Byte;
typedef enum { SHORT = -300 } __attribute__((packed)) Short;
typedef enum { WORD = 70000 } Plain;
typedef struct { char a; Byte b; Short c; Plain d; } S;
