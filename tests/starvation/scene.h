/* SPDX-License-Identifier: MIT
 *
 * A life of an application: an instance, a device, and frames of tessellated draws that are
 * captured and counted, draws with a geometry shader in a secondary command buffer, direct and
 * indirect, one by the bytes that were captured, and some to two layers. Each function says at once
 * what went wrong, and leaves what it made for the one that undoes it.
 */
#ifndef SCENE_H
#define SCENE_H

#include "common/vkt.h"

enum { SCENE_SIZE_PX = 64, SCENE_LAYERS = 2, SCENE_BUFFER_B = 65536, SCENE_MODULES = 6 };
enum scene_buffer { SCENE_INPUT, SCENE_CAPTURED, SCENE_COUNTER, SCENE_READ, SCENE_BUFFERS };
enum scene_pipeline { SCENE_GEOMETRY, SCENE_TESSELLATION, SCENE_LAYERED, SCENE_PIPELINES };

/* What is not there is VK_NULL_HANDLE. */
struct scene {
    const struct vkt_options *options;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkShaderModule modules[SCENE_MODULES];
    VkBuffer buffers[SCENE_BUFFERS];
    VkDeviceMemory memories[SCENE_BUFFERS];
    uint8_t *maps[SCENE_BUFFERS];
    VkImage image;
    VkDeviceMemory image_memory;
    VkImageView view;
    VkRenderPass passes[2]; /* one that clears, one that loads */
    VkFramebuffer framebuffer;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool set_pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkQueryPool queries;
    VkPipeline pipelines[SCENE_PIPELINES];
    VkCommandPool pool;
    VkCommandBuffer primary, secondary;
    VkFence fence;
};

/* What a frame makes: the contents of SCENE_CAPTURED, SCENE_COUNTER and SCENE_READ. */
struct scene_results {
    uint8_t bytes[3][SCENE_BUFFER_B];
};
/* Where they are in SCENE_READ and SCENE_COUNTER. */
enum { SCENE_HEIGHT_PX = SCENE_LAYERS * SCENE_SIZE_PX, SCENE_QUERY_OFFSET_B = 64 };

VkResult scene_open(struct scene *s, const struct vkt_options *options); /* instance and device */
void scene_close(struct scene *s);

/* Makes all objects, records, submits, waits and hands out what came of it. */
VkResult scene_frame(struct scene *s, struct scene_results *results);
/* Destroys what scene_frame made, as far as it got. */
void scene_forget(struct scene *s);

/* Where the last one failed. */
struct scene_place {
    const char *function;
    int line;
};
struct scene_place scene_failed_at(void);

#endif
