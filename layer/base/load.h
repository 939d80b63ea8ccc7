/* SPDX-License-Identifier: MIT
 *
 * Loads of what was just stored.
 */
#ifndef PGS_BASE_LOAD_H
#define PGS_BASE_LOAD_H

#include <stdint.h>
#include <string.h>

/* Loads a member as it was stored. A processor hands a store to a load that lies within it. Any
 * other load waits until the store is done, and with it those before it, some of which may go to
 * device memory over a bus. Compilers copy neighbours with one load, which spans the stores of
 * several; not these. */
static inline uint64_t pgs_load_alone(const void *member)
{
    uint64_t value;
    memcpy(&value, member, sizeof(value));
    __asm__("" : "+r"(value));
    return value;
}

#endif
