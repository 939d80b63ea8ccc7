/* SPDX-License-Identifier: MIT
 *
 * Option --link: all pipelines of a program are linked from libraries, each in another way, by
 * replacing the function that volk has loaded.
 */
#include "common/vkt_link.h"

#include "common/vkt_device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define PARTS 4u
#define MAX_STAGES 5u

static PFN_vkCreateGraphicsPipelines create_whole;
static atomic_uint next_way;
static struct vkt *owner; /* of the libraries */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* To which library each part goes: vertex input, before the rasterizer, fragment shader, output. */
static const uint8_t partitions[15][PARTS] = {
    {0, 1, 2, 3}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 0, 0}, {0, 0, 1, 0},
    {0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 0, 1, 2},
    {0, 1, 0, 2}, {0, 1, 2, 0}, {0, 1, 1, 2}, {0, 1, 2, 1}, {0, 1, 2, 2},
};

struct linking {
    VkDevice device;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *whole;
    VkPipelineCreateFlags library_flags, link_flags;
    VkPipeline libraries[PARTS]; /* to be linked */
    uint32_t count;
    struct vkt_libraries *all;
};

static VkResult create(VkDevice device, VkPipelineCache cache,
                       const VkGraphicsPipelineCreateInfo *info, VkPipeline *pipeline)
{
    const PFN_vkCreateGraphicsPipelines call =
        create_whole ? create_whole : vkCreateGraphicsPipelines;
    return call(device, cache, 1, info, NULL, pipeline);
}

void vkt_libraries_destroy(VkDevice device, struct vkt_libraries *libraries)
{
    while (libraries->count)
        vkDestroyPipeline(device, libraries->handles[--libraries->count], NULL);
}

static void add_library(struct linking *l, VkPipeline library)
{
    l->libraries[l->count++] = library;
    l->all->handles[l->all->count++] = library;
}

static void take_stages(const VkGraphicsPipelineCreateInfo *whole,
                        VkGraphicsPipelineLibraryFlagsEXT parts,
                        VkPipelineShaderStageCreateInfo *stages, VkGraphicsPipelineCreateInfo *info)
{
    info->stageCount = 0;
    info->pStages = stages;
    for (uint32_t i = 0; i < whole->stageCount && info->stageCount < MAX_STAGES; i++)
        if (parts & (whole->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT
                         ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
                         : VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT))
            stages[info->stageCount++] = whole->pStages[i];
}

/* State that belongs to other parts is ignored, so it stays. */
VkResult vkt_library(VkDevice device, VkPipelineCache cache,
                     const VkGraphicsPipelineCreateInfo *whole,
                     VkGraphicsPipelineLibraryFlagsEXT parts, VkPipelineCreateFlags flags,
                     VkPipeline *library)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)whole->pNext,
        .flags = parts,
    };
    VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
    VkGraphicsPipelineCreateInfo info = *whole;
    take_stages(whole, parts, stages, &info);
    info.pNext = &part;
    info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | flags;
    return create(device, cache, &info, library);
}

static VkResult make_library(struct linking *l, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    VkPipeline library;
    const VkResult result =
        vkt_library(l->device, l->cache, l->whole, parts, l->library_flags, &library);
    if (result == VK_SUCCESS)
        add_library(l, library);
    return result;
}

/* One library in place of the first two. */
static VkResult nest(struct linking *l)
{
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 2,
        .pLibraries = l->libraries,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .flags = l->whole->flags | l->library_flags,
        .layout = l->whole->layout,
        .basePipelineIndex = -1,
    };
    VkPipeline nested;
    const VkResult result = create(l->device, l->cache, &info, &nested);
    if (result != VK_SUCCESS)
        return result;
    memmove(&l->libraries[0], &l->libraries[2], (l->count - 2) * sizeof(*l->libraries));
    l->count -= 2;
    add_library(l, nested);
    return VK_SUCCESS;
}

/* `own`: parts of the whole info that no library has. */
static VkResult link_all(const struct linking *l, VkGraphicsPipelineLibraryFlagsEXT own,
                         VkPipeline *pipeline)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)l->whole->pNext,
        .flags = own,
    };
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .pNext = own ? &part : NULL,
        .libraryCount = l->count,
        .pLibraries = l->libraries,
    };
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .layout = l->whole->layout,
        .basePipelineIndex = -1,
    };
    VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
    if (own) {
        info = *l->whole;
        take_stages(l->whole, own, stages, &info);
    }
    info.pNext = &linked;
    info.flags = l->whole->flags | l->link_flags;
    return create(l->device, l->cache, &info, pipeline);
}

/* A pipeline that never rasterizes needs only two parts. */
static VkGraphicsPipelineLibraryFlagsEXT needed_parts(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    bool discards = info->pRasterizationState->rasterizerDiscardEnable;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
        discards &= dynamic->pDynamicStates[i] != VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    return discards ? 3 : 15;
}

VkResult vkt_link(VkDevice device, VkPipelineCache cache, const VkGraphicsPipelineCreateInfo *info,
                  uint32_t way, struct vkt_libraries *kept, VkPipeline *pipeline)
{
    const uint8_t *partition = partitions[way % 15];
    const uint32_t bits = way / 15;
    const bool optimizes = bits & 1, reverses = bits & 2, nests = bits & 4, keeps_last = bits & 8;
    VkGraphicsPipelineLibraryFlagsEXT parts[PARTS] = {0}, own = 0;
    struct vkt_libraries all = {.count = 0};
    struct linking l = {.device = device, .cache = cache, .whole = info, .all = &all};
    VkResult result = VK_SUCCESS;
    l.library_flags =
        VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
        (optimizes ? VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0);
    l.link_flags = optimizes ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0;
    for (uint32_t i = 0; i < PARTS; i++)
        parts[reverses ? PARTS - 1 - partition[i] : partition[i]] |= 1u << i & needed_parts(info);
    *pipeline = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < PARTS && result == VK_SUCCESS; i++) {
        /* A library must not have all parts. */
        if (parts[i] && !own && (keeps_last || parts[i] == 15))
            own = parts[i];
        else if (parts[i])
            result = make_library(&l, parts[i]);
    }
    if (result == VK_SUCCESS && nests && (l.count > 2 || (l.count == 2 && own)))
        result = nest(&l);
    if (result == VK_SUCCESS)
        result = link_all(&l, own, pipeline);
    if (kept)
        *kept = all;
    else
        vkt_libraries_destroy(device, &all);
    return result;
}

static void destroy_library(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

/* Usual calls only: one pipeline, no allocator. */
static VKAPI_ATTR VkResult VKAPI_CALL create_linked(VkDevice device, VkPipelineCache cache,
                                                    uint32_t count,
                                                    const VkGraphicsPipelineCreateInfo *infos,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkPipeline *pipelines)
{
    if (allocator || count != 1)
        return create_whole(device, cache, count, infos, allocator, pipelines);
    struct vkt_libraries libraries;
    const uint32_t way = atomic_fetch_add(&next_way, 7) % VKT_LINK_WAYS;
    const VkResult result = vkt_link(device, cache, infos, way, &libraries, pipelines);
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < libraries.count; i++)
        vkt_defer(owner, destroy_library, (uint64_t)libraries.handles[i]);
    pthread_mutex_unlock(&lock);
    return result;
}

void vkt_link_init(struct vkt *t)
{
    owner = t;
    if (create_whole)
        return;
    create_whole = vkCreateGraphicsPipelines;
    vkCreateGraphicsPipelines = create_linked;
}
