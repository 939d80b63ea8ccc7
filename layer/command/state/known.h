/* SPDX-License-Identifier: MIT
 *
 * What a command buffer has found of handles: vulkan/destroyed.h says for how long.
 */
#ifndef PGS_COMMAND_STATE_KNOWN_H
#define PGS_COMMAND_STATE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

struct pgs_emulated_pipeline;
struct pgs_render_pass;
struct pgs_topologies;

/* What stands behind a pipeline, and who draws in its place. */
struct pgs_known_pipeline {
    VkPipeline handle; /* VK_NULL_HANDLE: the others are NULL, too */
    const struct pgs_emulated_pipeline *found;
    struct pgs_topologies *topologies;
    VkPipeline wide, restarting;
    bool is_plain; /* the driver draws it as it is, and nothing stands beside it */
};
#define PGS_KNOWN_PIPELINES 32 /* a power of two, and no more than known_mask has bits */

static inline uint32_t pgs_known_slot(VkPipeline pipeline)
{
    const uint64_t mixed = (uint64_t)pipeline * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32) % PGS_KNOWN_PIPELINES;
}

/* What is kept of a render pass. */
struct pgs_known_pass {
    VkRenderPass handle;
    const struct pgs_render_pass *kept; /* NULL: nothing */
    uint32_t since;                     /* destroyed.render_passes of the device */
};

#endif
