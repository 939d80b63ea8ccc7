/* SPDX-License-Identifier: MIT
 *
 * Pictures with four samples in each pixel, of which the averages are read.
 */
#ifndef PGS_TESTS_GPU_SAMPLES_H
#define PGS_TESTS_GPU_SAMPLES_H

#include "common/vkt.h"

/* Begins and ends a rendering to samples of its own, which is resolved to the image. Outside of a
 * pass; the image can be read afterwards. */
void samples_begin(struct vkt *t, VkCommandBuffer cmd, const struct vkt_image *image);
void samples_end(VkCommandBuffer cmd, const struct vkt_image *image);

#endif
