typedef missing_t mine_t;
