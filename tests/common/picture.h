/* SPDX-License-Identifier: MIT
 *
 * 8-bit RGBA pictures, as PNG files.
 */
#ifndef PGS_TESTS_COMMON_PICTURE_H
#define PGS_TESTS_COMMON_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

struct picture {
    uint32_t width_px, height_px;
    uint8_t *rgba; /* heap */
};

/* False when there is no memory or no file. */
bool picture_init(struct picture *p, uint32_t width_px, uint32_t height_px);
bool picture_read(struct picture *p, const char *path);
bool picture_write(const struct picture *p, const char *path);
void picture_finish(struct picture *p);

#endif
