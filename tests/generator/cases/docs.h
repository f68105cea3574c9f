// documentation
/**
 * @file docs.h
 * @deprecated the file, not what follows: bystander
 */
#ifndef DOCS_H
#define DOCS_H
struct first_after_file;
/** @brief Copies.
 *  @param[in]  from   where from
 *  @param[out] to     where to
 *  @param[in,out] state, more changed
 *  @param[inout] other
 *  @param plain no direction
 *  @deprecated Since 9.0 copy() is old. Use better() instead.
 *  @since 1.0 older
 */
/* Not a doc comment. */
__attribute__((deprecated)) int copy(const int *from, int *to, int *state, int *more, int *other, int plain);
int better(void);
/** @param[in] from this comment belongs to the macro */
#define SIZE 4
int undocumented(int from);
/// \param[out] value  a C++ style comment
/// \deprecated superseded
__attribute__((deprecated)) int slashes(int *value);
int older(void); /**< trailing, of older */ /** @param[in] x of next */
int next(int x);
typedef enum {
    A = 0, /**< @deprecated Use B. */
    B __attribute__((deprecated)) = 1, /**< @deprecated Use CC or nothing. @since 1 A */
    CC,
    /** @deprecated Use A. */
    D __attribute__((deprecated)) = 4, E __attribute__((deprecated)) /*!< \deprecated B */
} letters;
/** @deprecated Use letters. */
typedef struct X *old_t __attribute__((deprecated));
int bystander(void);
#endif
