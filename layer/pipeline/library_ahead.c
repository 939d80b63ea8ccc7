/* SPDX-License-Identifier: MIT */
#include "pipeline/library_ahead.h"

#include "pipeline/device.h"
#include "pipeline/library_behind.h"
#include "pipeline/reflect.h"

#define INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT

/* -- what is guessed of other parts -- */

static struct pgs_shader *shader_of(const struct pgs_library_part *part,
                                    VkShaderStageFlagBits stage)
{
    for (uint32_t i = 0; i < part->stage_count; i++)
        if (part->info->pStages[i].stage == stage)
            return part->shaders[i];
    return NULL;
}

/* Primitives that the first stage behind the vertex shader takes. False: it is not known, or there
 * is none. */
static bool find_topology(const struct pgs_library_part *part, VkPrimitiveTopology *topology)
{
    static const VkPrimitiveTopology lists[7] = {
        [1] = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        [2] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
        [3] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        [4] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
        [6] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
    };
    const struct pgs_spv_geometry_info *info;
    *topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    if (shader_of(part, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
        return true;
    struct pgs_shader *gs = shader_of(part, VK_SHADER_STAGE_GEOMETRY_BIT);
    if (!gs || pgs_shader_geometry_info(gs, &info) != VK_SUCCESS)
        return false;
    *topology = info->input_vertices < 7 ? lists[info->input_vertices] : lists[3];
    return true;
}

/* The state of parts that the library does not have. */
struct guess {
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineMultisampleStateCreateInfo multisample;
};

/* Any vertex input: its formats are in the draws, so the vertex shader's locations count. */
static VkResult guess_input(struct pgs_linked_info *linked, VkPrimitiveTopology topology,
                            struct guess *guess)
{
    guess->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topology,
    };
    linked->info.pInputAssemblyState = &guess->assembly;
    return pgs_dynamic_states_add(&linked->dynamic, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, "a library");
}

static VkResult guess_rest(struct pgs_linked_info *linked, const struct pgs_library_part *own,
                           VkPrimitiveTopology topology, struct guess *guess)
{
    guess->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    if (!linked->info.pMultisampleState)
        linked->info.pMultisampleState = &guess->multisample;
    return own->parts & INPUT ? VK_SUCCESS : guess_input(linked, topology, guess);
}

/* -- the library in front of the rasterizer -- */

static void prepare_front(const struct pgs_create_call *call, struct pgs_library_part *own)
{
    struct pgs_raster_link link;
    struct pgs_linked_parts parts = {{NULL}};
    struct pgs_linked_info linked;
    struct guess guess;
    VkPrimitiveTopology topology;
    const VkGraphicsPipelineCreateInfo bare = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .layout = call->info->layout,
        .basePipelineIndex = -1,
    };
    if (!(own->parts & BEFORE) || own->native || !pgs_raster_link_init(&link, own) ||
        !find_topology(own, &topology))
        return;
    for (int p = 0; p < PGS_PART_COUNT; p++)
        parts.of[p] = own->parts >> p & 1 ? own : NULL;
    VkResult result = pgs_linked_info_init(&linked, call->dev, &bare, &parts);
    if (result == VK_SUCCESS)
        result = guess_rest(&linked, own, topology, &guess);
    if (result == VK_SUCCESS) {
        const struct pgs_create_call whole = {
            .dev = call->dev,
            .cache = call->cache,
            .info = &linked.info,
            .link = &link,
            .allocator = call->allocator,
        };
        pgs_emulated_pipeline_prepare_links(&whole);
    }
    pgs_linked_info_finish(&linked, call->dev);
}

void pgs_library_prepare_links(const struct pgs_create_call *call,
                               const struct pgs_linked_parts *parts, struct pgs_library_part *own)
{
    if (call->info->flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)
        return;
    for (int p = 0; p < PGS_PART_COUNT; p++) {
        struct pgs_raster_behind *behind = NULL;
        if (parts->of[p])
            pgs_library_behind_get(call, parts->of[p], true, &behind);
        pgs_raster_behind_release(call->dev, behind);
    }
    if (own)
        prepare_front(call, own);
}
