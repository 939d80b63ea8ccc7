/* SPDX-License-Identifier: MIT */
#ifndef PGS_TESTS_COMMON_VKT_EXTENSION_H
#define PGS_TESTS_COMMON_VKT_EXTENSION_H

#include <stdint.h>

/* What a program needs of a device besides: an extension, features, or both. */
struct vkt_extension {
    const char *name;       /* NULL: a feature structure of a core version */
    void *features;         /* a feature structure, with what the program needs set; NULL: none */
    uint32_t feature_count; /* in the structure */
};

#endif
