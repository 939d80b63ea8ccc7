/* SPDX-License-Identifier: MIT
 *
 * The state of draws with shader objects, all of which commands set, and what they draw to and
 * count with.
 */
#ifndef PGS_TESTS_GPU_SHADER_OBJECT_STATE_H
#define PGS_TESTS_GPU_SHADER_OBJECT_STATE_H

#include "common/vkt.h"

/* One binding and one attribute, of two floats. */
void shader_object_set_input(VkCommandBuffer cmd, uint32_t stride_B);

/* All other state of the device; or no more than draws of filled triangles demand. */
void shader_object_set_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);
void shader_object_set_least_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);

/* Of attachments: 4 with --multisampled, else 1. The image with as many samples has no content. */
VkSampleCountFlagBits shader_object_samples(const struct vkt *t);
struct vkt_image shader_object_multisampled(struct vkt *t, VkFormat format, uint32_t side_px);

VkQueryPool shader_object_pool(struct vkt *t, VkQueryType type, uint32_t count,
                               VkQueryPipelineStatisticFlags what);

#endif
