// A vector of VECTOR bytes, of elements of SIZE bytes each, and the words it is made of.

#define SLOTS (VECTOR > 4 ? VECTOR / 4 : 1)  // words of a vector
#define PER_WORD (SIZE == 2 ? 2 : 1)         // elements of a word
#define COUNT (SLOTS * PER_WORD)             // elements; the upper half of a lone 16-bit one goes unused

#if VECTOR == 16
typedef uint4 vector;
#elif VECTOR == 8
typedef uint2 vector;
#elif VECTOR == 4
typedef unsigned int vector;
#else
typedef unsigned short vector;
#endif

union slots {
    word words[SLOTS];
    vector whole;
};
