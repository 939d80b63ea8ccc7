/* SPDX-License-Identifier: MIT
 *
 * What the process holds at the moment, for tests in which nothing may be left over.
 */
#ifndef PGS_TESTS_COMMON_HELD_H
#define PGS_TESTS_COMMON_HELD_H

struct held {
    long resident_KiB; /* without what malloc keeps of what was freed, where it gives that back */
    long used_KiB;     /* what malloc has given out; 0 where it does not say */
    long threads, files;
};

struct held held_now(void);

/* Of a clock that only goes on. */
double held_time_s(void);
/* CPU time of all threads, for machines with other work. Where a process goes on that was frozen,
 * its clock begins anew; that is made up for up to the last call before. From any thread. */
double held_cpu_s(void);

#endif
