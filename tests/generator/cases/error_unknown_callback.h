typedef void (*callback_t)(int, missing_t *);
