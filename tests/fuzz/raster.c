/* SPDX-License-Identifier: MIT */
#include "lives.h"

#include <string.h>

static float next_float(struct script *in)
{
    const uint32_t bits = fuzz_u32(in);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* "X Y WIDTH HEIGHT MIN MAX", floats as their bits. */
static VkViewport next_viewport(struct script *in)
{
    float f[6];
    for (uint32_t i = 0; i < 6; i++)
        f[i] = next_float(in);
    return (VkViewport){f[0], f[1], f[2], f[3], f[4], f[5]};
}

/* "X Y WIDTH HEIGHT" */
static VkRect2D next_scissor(struct script *in)
{
    uint32_t a[4];
    for (uint32_t i = 0; i < 4; i++)
        a[i] = fuzz_u32(in);
    return (VkRect2D){{(int32_t)a[0], (int32_t)a[1]}, {a[2], a[3]}};
}

/* VIEWPORT SCISSOR CLAMP DEPTH BIASED {3 floats} DYNAMIC: of the pipelines that follow. */
void fuzz_read_raster(struct script *in, struct fuzz_raster *raster)
{
    *raster = (struct fuzz_raster){.is_set = true};
    raster->viewport = next_viewport(in);
    raster->scissor = next_scissor(in);
    raster->clamps = fuzz_u32(in);
    raster->tests_depth = fuzz_u32(in);
    raster->is_biased = fuzz_u32(in);
    for (uint32_t i = 0; i < 3; i++)
        raster->bias[i] = next_float(in);
    raster->dynamic = fuzz_u32(in);
}

void fuzz_fill_raster(struct fuzz_raster *raster, struct vkt_pipeline_info *info,
                      VkDynamicState *dynamic)
{
    const bool has_counts = raster->dynamic >> 5 & 1;
    const VkDynamicState states[] = {
        has_counts ? VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT : VK_DYNAMIC_STATE_VIEWPORT,
        has_counts ? VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT : VK_DYNAMIC_STATE_SCISSOR,
        VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_BIAS};
    if (!raster->is_set)
        return;
    for (uint32_t i = 0; i < VKT_COUNT(states); i++)
        if (raster->dynamic >> i & 1)
            dynamic[info->dynamic_count++] = states[i];
    raster->state = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = has_counts ? 0 : 1,
        .pViewports = &raster->viewport,
        .scissorCount = has_counts ? 0 : 1,
        .pScissors = &raster->scissor,
    };
    info->viewports = &raster->state;
    info->depth_clamp = raster->clamps;
    info->depth_test = info->depth_write = raster->tests_depth;
    info->depth_bias = raster->is_biased ? raster->bias : NULL;
}

bool fuzz_read_raster_command(struct script *in, VkCommandBuffer cmd, const char *word)
{
    if (strncmp(word, "viewport", 8) == 0) { /* VIEWPORT; "viewports": with its count */
        const VkViewport viewport = next_viewport(in);
        if (word[8])
            vkCmdSetViewportWithCount(cmd, 1, &viewport);
        else
            vkCmdSetViewport(cmd, 0, 1, &viewport);
    } else if (strncmp(word, "scissor", 7) == 0) { /* SCISSOR, likewise */
        const VkRect2D scissor = next_scissor(in);
        if (word[7])
            vkCmdSetScissorWithCount(cmd, 1, &scissor);
        else
            vkCmdSetScissor(cmd, 0, 1, &scissor);
    } else if (strcmp(word, "cull") == 0) { /* MODE */
        vkCmdSetCullMode(cmd, fuzz_u32(in));
    } else if (strcmp(word, "front") == 0) { /* FACE */
        vkCmdSetFrontFace(cmd, (VkFrontFace)fuzz_u32(in));
    } else if (strcmp(word, "bias") == 0) { /* CONSTANT CLAMP SLOPE, as bits */
        const float constant = next_float(in), clamp = next_float(in);
        vkCmdSetDepthBias(cmd, constant, clamp, next_float(in));
    } else {
        return false;
    }
    return true;
}
