/* SPDX-License-Identifier: MIT
 *
 * What a program of the harness drew and wrote.
 */
#ifndef PGS_TESTS_COMMON_VKT_RESULTS_H
#define PGS_TESTS_COMMON_VKT_RESULTS_H

#include <stddef.h>
#include <stdint.h>

struct vkt;

/* Results, see compare.py. A name that begins with "opt/" need not be there on every driver. */
void vkt_dump_buffer(struct vkt *t, const char *name, const void *bytes, size_t size_B);
void vkt_dump_image(struct vkt *t, const char *name, const void *texels, uint32_t width_px,
                    uint32_t height_px, uint32_t texel_size_B);

/* How many of so many texels of 32 bits are not 0. */
uint32_t vkt_drawn(const void *texels, uint32_t count);

#endif
