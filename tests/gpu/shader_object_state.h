/* SPDX-License-Identifier: MIT
 *
 * Shader objects, the state of draws with them, all of which commands set, and what they draw to
 * and count with.
 */
#ifndef PGS_TESTS_GPU_SHADER_OBJECT_STATE_H
#define PGS_TESTS_GPU_SHADER_OBJECT_STATE_H

#include "common/vkt.h"

#ifdef VK_EXT_shader_object
/* An object of SPIR-V with one set layout and one range of push constants, which the info points
 * to. */
VkShaderCreateInfoEXT shader_object_info(VkShaderStageFlagBits stage, VkShaderStageFlags next,
                                         struct vkt_code code, const VkDescriptorSetLayout *layout,
                                         const VkPushConstantRange *range);

/* Makes it one with independent sets (VK_KHR_maintenance11), without the set unless it has one. */
void shader_object_separate(VkShaderCreateInfoEXT *info, bool has_set);

/* The layout that the sets of such objects are bound with. */
VkPipelineLayout shader_object_layout(struct vkt *t, VkDescriptorSetLayout set,
                                      const VkPushConstantRange *range, bool independent);

/* Objects that live as long as the device. */
void shader_object_make(struct vkt *t, uint32_t count, const VkShaderCreateInfoEXT *infos,
                        VkShaderEXT *objects);
#endif

#if defined(VK_EXT_shader_object) && defined(VK_KHR_dynamic_rendering_local_read)
/* A device for shader_object.c, or skips the test. */
void shader_object_init(struct vkt *t, struct vkt_options *options, bool independent);
#endif

/* One binding and one attribute, of two floats. */
void shader_object_set_input(VkCommandBuffer cmd, uint32_t stride_B);

/* All other state of the device; or no more than draws of filled triangles demand. */
void shader_object_set_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);
void shader_object_set_least_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px);

/* Fails unless there are the commands for state of extensions that the device need not have:
 * VK_EXT_shader_object brings them all the same. */
void shader_object_check_commands(struct vkt *t);

/* Of attachments: 4 with --multisampled, else 1. The image with as many samples has no content. */
VkSampleCountFlagBits shader_object_samples(const struct vkt *t);
struct vkt_image shader_object_multisampled(struct vkt *t, VkFormat format, uint32_t side_px);

VkQueryPool shader_object_pool(struct vkt *t, VkQueryType type, uint32_t count,
                               VkQueryPipelineStatisticFlags what);

#endif
