typedef struct { char a; int b; char c; } Natural;
typedef struct __attribute__((packed)) { char a; int b; char c; } Packed;
typedef struct { char a; int b; } __attribute__((__packed__)) PackedAfter;
typedef struct { char a; int b __attribute__((packed)); short c; } PackedField;
typedef union __attribute__((packed)) { char a[5]; int b; } PackedUnion;
typedef struct __attribute__((packed, aligned(4))) { char a; int b; char c; } Both;
typedef struct { char a; int b; } NotPacked __attribute__((packed));
