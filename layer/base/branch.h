/* SPDX-License-Identifier: MIT
 *
 * Which paths of a function are to be fast.
 */
#ifndef PGS_BASE_BRANCH_H
#define PGS_BASE_BRANCH_H

/* What a fast path calls last, or seldom: inlined, it would have the fast path save registers, or
 * check a stack, that only it needs. */
#define PGS_SLOW __attribute__((noinline))
#define PGS_HOT __attribute__((hot, aligned(64))) /* a hook that programs call for every draw */
/* For every condition on the fast path of such a hook: one taken jump costs as much as all its
 * comparisons. */
#define PGS_LIKELY(condition) __builtin_expect(!!(condition), 1)

#endif
