enum { A = (missing_t)3 };
