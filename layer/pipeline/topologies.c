/* SPDX-License-Identifier: MIT */
#include "pipeline/topologies.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/compile.h"
#include "pipeline/create_state.h"
#include "pipeline/device.h"
#include "pipeline/find.h"
#include "pipeline/linked_info.h"
#include "pipeline/points.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"
#include "pipeline/whole.h"
#include "vulkan/hooks.h"

#include <pthread.h>

/* Topologies that one pipeline draws. */
enum kind { POINTS, LINES, TRIANGLES, LINES_ADJACENT, TRIANGLES_ADJACENT, KINDS };

static const VkPrimitiveTopology stands_for[KINDS] = {
    [POINTS] = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    [LINES] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    [TRIANGLES] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    [LINES_ADJACENT] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
    [TRIANGLES_ADJACENT] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
};

/* KINDS: only tessellation draws it. */
static enum kind kind_of(VkPrimitiveTopology topology)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return POINTS;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return LINES;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return TRIANGLES;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return LINES_ADJACENT;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return TRIANGLES_ADJACENT;
    default:
        return KINDS;
    }
}

/* Likewise without adjacent vertices. */
static enum kind main_of(enum kind kind)
{
    switch (kind) {
    case LINES_ADJACENT:
        return LINES;
    case TRIANGLES_ADJACENT:
        return TRIANGLES;
    default:
        return kind;
    }
}

struct pgs_topologies {
    uint32_t others;               /* bits of kinds that other pipelines draw */
    struct pgs_linked_parts parts; /* references; NULL: they could not be kept */
    VkPipelineCreateFlags flags;   /* of the call alone */
    pthread_mutex_t lock;          /* makes each pipeline once */
    uint32_t made;                 /* bits of kinds, also of those that cannot be made */
    VkPipeline pipelines[KINDS];
};

/* -- what is needed -- */

static bool may_differ(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return (dev->geometry || dev->physical->any_topology) &&
           pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY) &&
           pgs_has_stage(info, VK_SHADER_STAGE_VERTEX_BIT) &&
           !pgs_has_stage(info, VK_SHADER_STAGE_GEOMETRY_BIT |
                                    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
}

/* As pgs_whole_create takes it. */
static enum kind kind_of_info(const VkGraphicsPipelineCreateInfo *info)
{
    const enum kind kind =
        info->pInputAssemblyState ? kind_of(info->pInputAssemblyState->topology) : KINDS;
    return kind == KINDS ? TRIANGLES : kind;
}

/* True if the driver does not draw these primitives as it draws others. */
static bool draws_otherwise(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            enum kind kind)
{
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = stands_for[kind],
    };
    VkGraphicsPipelineCreateInfo changed = *info;
    changed.pInputAssemblyState = &assembly;
    return pgs_polygons_of(dev, &changed) != PGS_SPV_POLYGONS_FILLED ||
           pgs_lines_may_be_wide(dev, &changed) || pgs_points_may_be_large(dev, &changed);
}

/* base: what the pipeline was made for, and `native` if the driver draws it. */
static bool needs_other(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                        enum kind base, bool native, enum kind kind)
{
    const bool same = main_of(kind) == main_of(base);
    if (!same && !dev->physical->any_topology) /* the application may not draw it */
        return false;
    if (!native)
        return !same;
    return (kind != main_of(kind) && dev->geometry) ||
           (!same && (draws_otherwise(dev, info, main_of(base)) ||
                      draws_otherwise(dev, info, main_of(kind))));
}

static uint32_t find_others(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            bool native)
{
    const enum kind base = kind_of_info(info);
    uint32_t others = 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (needs_other(dev, info, base, native, (enum kind)kind))
            others |= 1u << kind;
    return others;
}

/* -- life -- */

static void destroy(struct pgs_device *dev, struct pgs_topologies *all)
{
    for (int kind = 0; kind < KINDS; kind++) {
        if (!all->pipelines[kind])
            continue;
        pgs_whole_forget(dev, all->pipelines[kind], NULL);
        dev->vk.DestroyPipeline(dev->handle, all->pipelines[kind], NULL);
    }
    for (int p = 0; p < PGS_PART_COUNT; p++)
        pgs_library_part_release(dev, all->parts.of[p]);
    pthread_mutex_destroy(&all->lock);
    pgs_free(all);
}

/* Leaves out all parts if something cannot be kept. */
static VkResult keep_parts(const struct pgs_create_call *call, const struct pgs_linked_parts *from,
                           struct pgs_linked_parts *to)
{
    struct pgs_library_part *whole = NULL;
    bool keeps = true;
    if (!from) {
        const VkResult result = pgs_library_part_keep(call->dev, call->info, &whole);
        if (result != VK_SUCCESS)
            return result;
    }
    for (int p = 0; p < PGS_PART_COUNT; p++) {
        struct pgs_library_part *part = from ? from->of[p] : whole;
        keeps &= !part || part->info;
        to->of[p] = part ? pgs_library_part_refer(part) : NULL;
    }
    pgs_library_part_release(call->dev, whole);
    for (int p = 0; p < PGS_PART_COUNT && !keeps; p++) {
        pgs_library_part_release(call->dev, to->of[p]);
        to->of[p] = NULL;
    }
    return VK_SUCCESS;
}

VkResult pgs_topologies_note(const struct pgs_create_call *call,
                             const struct pgs_linked_parts *parts, VkPipeline pipeline)
{
    struct pgs_device *dev = call->dev;
    if (!pipeline || !may_differ(dev, call->info))
        return VK_SUCCESS;
    const struct pgs_emulated_pipeline *base = pgs_emulated_pipeline_find(dev, pipeline);
    const uint32_t others = find_others(dev, call->info, !base || base->native_raster);
    if (!others)
        return VK_SUCCESS;
    struct pgs_topologies *all = pgs_calloc(1, sizeof(*all));
    if (!all || pthread_mutex_init(&all->lock, NULL)) {
        pgs_free(all);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    all->others = others;
    all->flags = call->info->flags & VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
    VkResult result = keep_parts(call, parts, &all->parts);
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->topologies, (uint64_t)pipeline, all))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        destroy(dev, all);
    else if (others & ~(1u << LINES_ADJACENT | 1u << TRIANGLES_ADJACENT)) /* draws need not set */
        atomic_store(&dev->pipelines->possible, true); /* adjacency to need another pipeline */
    return result;
}

struct pgs_topologies *pgs_topologies_find(const struct pgs_device *dev, VkPipeline pipeline)
{
    return pipeline ? pgs_map_find(&dev->pipelines->topologies, (uint64_t)pipeline) : NULL;
}

void pgs_topologies_forget(struct pgs_device *dev, VkPipeline pipeline)
{
    if (!dev->geometry && !dev->physical->any_topology)
        return;
    struct pgs_topologies *all = pgs_map_remove(&dev->pipelines->topologies, (uint64_t)pipeline);
    if (all)
        destroy(dev, all);
}

void pgs_topologies_free(uint64_t key, void *value, void *context)
{
    (void)key;
    destroy(context, value);
}

/* -- the others -- */

bool pgs_topologies_differ(const struct pgs_topologies *all, VkPrimitiveTopology topology)
{
    const enum kind kind = kind_of(topology);
    return all && kind < KINDS && (all->others >> kind & 1);
}

static void warn(void)
{
    pgs_log_once(PGS_LOG_WARN, "a pipeline without a geometry shader cannot be emulated, and draws "
                               "a topology, set by vkCmdSetPrimitiveTopology, that the driver "
                               "cannot draw: adjacent vertices are drawn, too, polygons filled, "
                               "lines thin, and points small");
}

/* Makes modules of the stages that have none; those are closed also after an error. */
static VkResult open_stages(struct pgs_device *dev, const struct pgs_topologies *all,
                            struct pgs_linked_info *linked, VkShaderModule *modules)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < linked->info.stageCount && result == VK_SUCCESS; i++)
        if (!linked->stages[i].module) /* then one part is all of them */
            result = pgs_library_part_open(dev, all->parts.of[0], &linked->stages[i], &modules[i]);
    return result;
}

/* Under the lock. */
static VkResult make(struct pgs_device *dev, const struct pgs_topologies *all, enum kind kind,
                     VkPipeline *pipeline)
{
    const VkGraphicsPipelineCreateInfo call_info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .flags = all->flags,
        .basePipelineIndex = -1,
    };
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    VkShaderModule modules[2 * PGS_MAX_STAGES] = {VK_NULL_HANDLE};
    struct pgs_linked_info linked;
    VkResult result = pgs_linked_info_init(&linked, dev, &call_info, &all->parts);
    if (linked.info.pInputAssemblyState && result == VK_SUCCESS)
        assembly = *linked.info.pInputAssemblyState;
    assembly.topology = stands_for[kind];
    linked.info.pInputAssemblyState = &assembly;
    if (result == VK_SUCCESS)
        result = open_stages(dev, all, &linked, modules);
    if (result == VK_SUCCESS) {
        const struct pgs_create_call call = {.dev = dev, .info = &linked.info, .in_no_set = true};
        result = pgs_whole_create(&call, pipeline);
    }
    for (uint32_t i = 0; i < 2 * PGS_MAX_STAGES; i++)
        if (modules[i])
            pgs_DestroyShaderModule(dev->handle, modules[i], NULL);
    pgs_linked_info_finish(&linked, dev);
    return result;
}

VkResult pgs_topologies_get(struct pgs_device *dev, struct pgs_topologies *all,
                            VkPrimitiveTopology topology, VkPipeline *pipeline)
{
    const enum kind kind = kind_of(topology);
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&all->lock);
    if (!(all->made >> kind & 1) && all->parts.of[0])
        result = make(dev, all, kind, &all->pipelines[kind]);
    if (result != VK_SUCCESS)
        all->pipelines[kind] = VK_NULL_HANDLE;
    if (pgs_refuses_shaders(result))
        result = VK_SUCCESS;
    if (result == VK_SUCCESS)
        all->made |= 1u << kind;
    *pipeline = all->pipelines[kind];
    pthread_mutex_unlock(&all->lock);
    if (result == VK_SUCCESS && !*pipeline)
        warn();
    return result;
}
