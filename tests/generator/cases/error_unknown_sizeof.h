enum { A = sizeof(missing_t) };
