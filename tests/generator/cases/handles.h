typedef struct Opaque *Opaque_t;
typedef const struct Opaque *ConstOpaque_t;
typedef struct Hidden Hidden;
typedef Hidden *Hidden_t;
typedef void *Void_t;
typedef Opaque_t Again_t;
struct Known { int a; };
typedef struct Known *NotOpaque_t;
