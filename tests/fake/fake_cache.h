/* SPDX-License-Identifier: MIT
 *
 * Caches of the fake driver, which hold nothing. Their data are a header and 8 bytes.
 */
#ifndef FAKE_CACHE_H
#define FAKE_CACHE_H

#include "fake_commands.h"

/* Of the driver, in its properties and in the header. */
#define FAKE_CACHE_UUID                                                                            \
    {                                                                                              \
        0xca, 0xc4, 0xe0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15                              \
    }
#define FAKE_CACHE_DATA_B (sizeof(VkPipelineCacheHeaderVersionOne) + 8)

/* The initial data of the last cache that had some; not more than there is room for. */
struct fake_cache_given {
    unsigned char bytes[FAKE_CACHE_DATA_B];
    size_t size_B;
};
extern struct fake_cache_given fake_cache_given;

#endif
