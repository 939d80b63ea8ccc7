/* SPDX-License-Identifier: MIT
 *
 * Which paths of a function are to be fast.
 */
#ifndef PGS_BASE_BRANCH_H
#define PGS_BASE_BRANCH_H

/* What a fast path calls last, or seldom: inlined, it would have the fast path save registers, or
 * check a stack, that only it needs. */
#define PGS_SLOW __attribute__((noinline))
/* For such a path with a struct of its own, of which a callee gets the address, and without arrays:
 * a guard behind them would cost it as much as its conditions. */
#ifndef __has_attribute
#define PGS_UNGUARDED
#elif __has_attribute(no_stack_protector)
#define PGS_UNGUARDED __attribute__((no_stack_protector))
#else
#define PGS_UNGUARDED
#endif
#define PGS_HOT __attribute__((hot, aligned(64))) /* a hook that programs call for every draw */
/* A part of such a path that compilers would call, since it is large or others have it, too. */
#define PGS_INLINE static inline __attribute__((always_inline))
/* Inlines all that the function calls, where it can: in other files, too, if they are optimized
 * together (PGS_LTO). Its arguments then stay in registers. */
#define PGS_FLATTEN __attribute__((flatten))
/* For every condition on the fast path of such a hook: one taken jump costs as much as all its
 * comparisons. */
#define PGS_LIKELY(condition) __builtin_expect(!!(condition), 1)

#endif
