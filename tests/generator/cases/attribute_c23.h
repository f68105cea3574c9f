[[deprecated("use g() instead")]] int f(int a);
[[nodiscard]] [[deprecated]] int both(void);
[[gnu::deprecated("advice, with comma")]] int namespaced(void);
typedef enum { A [[deprecated("use B")]], B [[maybe_unused]] = 5 } E;
int array_not_attribute(int a[(1)]);
struct [[deprecated]] S { int a [[deprecated]]; };
