/* SPDX-License-Identifier: MIT
 *
 * The state of draws with shader objects, all of which commands set.
 */
#ifndef PGS_TESTS_GPU_SHADER_OBJECT_STATE_H
#define PGS_TESTS_GPU_SHADER_OBJECT_STATE_H

#include "common/vkt.h"

/* One binding and one attribute, of two floats. */
void shader_object_set_input(VkCommandBuffer cmd, uint32_t stride_B);

/* All other state of the device; or no more than draws of filled triangles demand. */
void shader_object_set_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);
void shader_object_set_least_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);

#endif
