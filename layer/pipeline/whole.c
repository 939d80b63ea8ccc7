/* SPDX-License-Identifier: MIT */
#include "pipeline/whole.h"

#include "base/log.h"
#include "pipeline/compile.h"
#include "pipeline/create_info.h"
#include "pipeline/create_state.h"
#include "pipeline/depth_clip.h"
#include "pipeline/device.h"
#include "pipeline/device_views.h"
#include "pipeline/distances.h"
#include "pipeline/gaps.h"
#include "pipeline/instanced.h"
#include "pipeline/line_modes.h"
#include "pipeline/make_variants.h"
#include "pipeline/patched.h"
#include "pipeline/points.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"
#include "pipeline/targets.h"
#include "pipeline/vertex_needs.h"
#include "vulkan/chain.h"

#define GEOMETRY VK_SHADER_STAGE_GEOMETRY_BIT
#define TESSELLATION                                                                               \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

static bool has_adjacency(const VkGraphicsPipelineCreateInfo *info)
{
    if (!info->pInputAssemblyState)
        return false;
    switch ((int)info->pInputAssemblyState->topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return true;
    default:
        return false;
    }
}

/* The driver does not know patches either. */
static bool has_patches(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_has_stage(info, TESSELLATION) ||
           (info->pInputAssemblyState &&
            info->pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
}

static bool selects_stream(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT))
        return true;
    return info->pRasterizationState &&
           pgs_chain_find(info->pRasterizationState->pNext,
                          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
}

/* True if the driver can run its geometry shader, but not for views. */
static bool lacks_views(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->physical->emulates_views && pgs_has_stage(info, GEOMETRY) &&
           pgs_info_view_mask(dev, info);
}

/* True if only the layer can assemble the primitives, or draw their edges. */
static bool needs_primitives(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return (dev->physical->emulates_geometry &&
            (pgs_has_stage(info, GEOMETRY) || has_adjacency(info))) ||
           (dev->physical->emulates_tessellation && has_patches(info)) || lacks_views(dev, info) ||
           pgs_info_gaps(dev, info) || pgs_polygons_of(dev, info) != PGS_SPV_POLYGONS_FILLED ||
           pgs_points_may_be_large(dev, info) ||
           (pgs_has_stage(info, GEOMETRY | TESSELLATION) &&
            (pgs_info_has_distances(dev, info) || pgs_depth_clip_of(dev, info).planes)) ||
           pgs_info_needs_own_vertices(dev, info);
}

/* True if it has dynamic state that the driver does not know. */
static bool has_foreign_state(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
        if (dev->physical->emulates_tessellation &&
            pgs_is_tessellation_state(dynamic->pDynamicStates[i]))
            return true;
    return false;
}

/* True if it has viewports that the driver lacks. */
static bool has_viewports(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->physical->one_viewport && pgs_has_viewport_state(info) &&
           (info->pViewportState->viewportCount > 1 || info->pViewportState->scissorCount > 1);
}

/* Two tessellators need not agree, so where the layer runs evaluation shaders behind which there is
 * a geometry shader, it runs those with invariant outputs everywhere. */
static bool has_invariant_patches(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info)
{
    if (!dev->geometry || !dev->physical->native_tessellation)
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT &&
            pgs_stage_is_invariant(dev, &info->pStages[i]))
            return true;
    return false;
}

/* The driver may support its geometry shader or tessellation and the layer may still emulate them;
 * see pgs_runs_twice_with_effects. */
bool pgs_whole_is_native(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    if (needs_primitives(dev, info) || selects_stream(info) || has_foreign_state(dev, info) ||
        has_viewports(dev, info) || pgs_info_has_divisors(dev, info) ||
        pgs_depth_clip_of(dev, info).stated || !pgs_polygons_are_native(dev, info) ||
        has_invariant_patches(dev, info) || pgs_info_may_restart_patches(dev, info) ||
        pgs_info_reads_instances(dev, info) ||
        (dev->xfb && pgs_has_stage(info, GEOMETRY | TESSELLATION)) ||
        (pgs_chooses_targets(dev) && pgs_has_stage(info, GEOMETRY)))
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (pgs_stage_has_placeholder(dev, &info->pStages[i]))
            return false;
    return true;
}

/* Finds out if the driver lacks the primitive data that this stage reads. */
static VkResult check_primitive_id(struct pgs_device *dev,
                                   const VkPipelineShaderStageCreateInfo *stage, bool *lacks)
{
    struct pgs_shader *shader;
    const struct pgs_spv_fragment_info *fs = NULL;
    if (stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT || !pgs_stage_has_placeholder(dev, stage))
        return VK_SUCCESS;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_shader_fragment_info(shader, &fs);
    *lacks |= fs && fs->reads_primitive_id;
    pgs_shader_release(shader);
    return result;
}

/* Finds out if the layer must make the primitives. With *spare the driver could draw them, too. */
static VkResult check_emulation(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                bool *emulated, bool *spare)
{
    VkResult result = VK_SUCCESS;
    const bool mesh = pgs_has_mesh_stages(info); /* which have primitive data themselves */
    *emulated = needs_primitives(dev, info);
    for (uint32_t i = 0; i < info->stageCount && !mesh && !*emulated && result == VK_SUCCESS; i++)
        result = check_primitive_id(dev, &info->pStages[i], emulated);
    if (result == VK_SUCCESS && !*emulated)
        result = pgs_needs_stores(dev, info, emulated);
    *spare = !*emulated;
    *emulated |= has_invariant_patches(dev, info);
    if (result == VK_SUCCESS && !*emulated)
        result = pgs_targets_check(dev, info, emulated, spare);
    if (result == VK_SUCCESS && !*emulated && dev->xfb)
        result = pgs_runs_twice_with_effects(dev, info, emulated);
    return result;
}

VkResult pgs_whole_note_native(const struct pgs_create_call *call,
                               const struct pgs_native_pipelines *natives, VkPipeline *pipeline)
{
    if (!call->dev->xfb || !natives->handle)
        return VK_SUCCESS;
    const VkResult result = pgs_native_pipeline_note(call, natives);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

/* With a dynamic stream: one pipeline for each stream that is emitted to, and one that draws
 * nothing for the others. */
static VkResult create_other_streams(const struct pgs_create_call *call, uint32_t mask,
                                     bool discards, struct pgs_native_pipelines *natives)
{
    const uint32_t own = natives->own_stream;
    VkResult result = VK_SUCCESS;
    bool hides = false;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && result == VK_SUCCESS; s++) {
        const bool emitted = mask >> s & 1;
        hides |= !emitted && s != own;
        if (emitted && s != own)
            result = pgs_patched_create(call, &(struct pgs_patched_choice){.stream = s},
                                        &natives->of_stream[s]);
    }
    if (result == VK_SUCCESS && hides && !discards)
        result = pgs_patched_create(
            call, &(struct pgs_patched_choice){.stream = own, .nothing = true}, &natives->nothing);
    return result;
}

static VkResult create_streams(const struct pgs_create_call *call,
                               struct pgs_native_pipelines *natives)
{
    const VkGraphicsPipelineCreateInfo *info = call->info;
    const uint32_t wanted = pgs_rasterization_stream(info);
    const bool selects = call->dev->xfb && selects_stream(info);
    const bool dynamic =
        selects && pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
    const bool discards = pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    uint32_t mask = 0;
    VkResult result = selects ? pgs_native_streams(call->dev, info, &mask) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        return result;
    const uint32_t own = pgs_handle_stream(mask, wanted);
    natives->own_stream = own;
    natives->hidden_streams = selects && discards ? ~mask : 0;
    result = pgs_patched_create(
        call,
        &(struct pgs_patched_choice){.stream = own,
                                     .nothing = own != wanted && !dynamic && !discards,
                                     .allocator = call->allocator},
        &natives->handle);
    return result == VK_SUCCESS && dynamic ? create_other_streams(call, mask, discards, natives)
                                           : result;
}

static VkResult create_native(const struct pgs_create_call *call, bool uncounted,
                              VkPipeline *pipeline)
{
    struct pgs_native_pipelines natives = {.uncounted = uncounted};
    const VkResult result = create_streams(call, &natives);
    *pipeline = natives.handle;
    if (result == VK_SUCCESS)
        return pgs_whole_note_native(call, &natives, pipeline);
    pgs_native_pipelines_destroy(call->dev, &natives);
    call->dev->vk.DestroyPipeline(call->dev->handle, natives.handle, call->allocator);
    *pipeline = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_whole_draws_natively(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                  bool *native)
{
    bool emulated, spare;
    *native = false;
    if (selects_stream(info) || has_foreign_state(dev, info) || pgs_info_has_distances(dev, info) ||
        pgs_info_has_divisors(dev, info) || pgs_depth_clip_of(dev, info).stated ||
        pgs_line_modes_stated(dev, info))
        return VK_SUCCESS;
    const VkResult result = check_emulation(dev, info, &emulated, &spare);
    *native = result == VK_SUCCESS && !emulated && !pgs_lines_may_be_wide(dev, info) &&
              !pgs_info_may_restart_patches(dev, info) && !pgs_info_reads_instances(dev, info);
    return result;
}

static VkResult create_emulated(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    struct pgs_device_views views;
    struct pgs_create_call changed = *call;
    if (!pgs_device_views_concern(call->info))
        return pgs_emulated_pipeline_create(call, pipeline);
    VkResult result = pgs_device_views_init(&views, call->dev, call->info);
    changed.info = &views.info;
    if (result == VK_SUCCESS)
        result = pgs_emulated_pipeline_create(&changed, pipeline);
    pgs_device_views_finish(&views, call->dev);
    return result;
}

/* True if the application may put it into an indirect execution set, from which only the driver
 * draws. */
static bool is_for_sets(const struct pgs_create_call *call)
{
#ifdef VK_EXT_device_generated_commands
    return !call->in_no_set &&
           (pgs_high_flags(call->info->pNext) & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT);
#else
    (void)call;
    return false;
#endif
}

/* Of one that would be emulated. The properties say that sets cannot have the stages of the layer;
 * of all others they cannot say it. */
static VkResult suit_sets(const struct pgs_create_call *call, bool spare, bool *emulated)
{
    const struct pgs_physical_device *physical = call->dev->physical;
    const VkShaderStageFlags ours = (physical->emulates_geometry ? GEOMETRY : 0) |
                                    (physical->emulates_tessellation ? TESSELLATION : 0);
    if (!is_for_sets(call) || pgs_has_stage(call->info, ours))
        return VK_SUCCESS;
    if (spare) {
        pgs_log_once(PGS_LOG_WARN,
                     "the driver draws a pipeline that indirect execution sets may have, as the "
                     "layer cannot: queries do not count its draws, and its patches may have other "
                     "vertices than those of emulated ones");
        *emulated = false;
        return VK_SUCCESS;
    }
    pgs_log(PGS_LOG_ERROR,
            "cannot create a pipeline for indirect execution sets that the layer emulates: one "
            "with adjacent vertices, with a fragment shader that reads gl_PrimitiveID, or with "
            "something else that the driver lacks");
    return VK_ERROR_UNKNOWN;
}

static VkResult create_thin(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    bool emulated, spare;
    VkResult result = check_emulation(call->dev, call->info, &emulated, &spare);
    const bool uncounted = emulated;
    if (result == VK_SUCCESS && emulated)
        result = suit_sets(call, spare, &emulated);
    if (result == VK_SUCCESS && emulated) {
        struct pgs_create_call emulating = *call;
        emulating.falls_back = spare;
        result = create_emulated(&emulating, pipeline);
        if (result == VK_SUCCESS || !spare || !pgs_runs_anyway(call->dev, call->info, result))
            return result;
        result = VK_SUCCESS;
    }
    return result == VK_SUCCESS ? create_native(call, uncounted, pipeline) : result;
}

static void forget(struct pgs_device *dev, VkPipeline pipeline,
                   const VkAllocationCallbacks *allocator)
{
    if (!pipeline)
        return;
    pgs_emulated_pipeline_forget(dev, pipeline);
    dev->vk.DestroyPipeline(dev->handle, pipeline, allocator);
}

/* Finds `other`, if there is one, by the handle of a pipeline, which are all there. */
static VkResult pair(const struct pgs_create_call *call, VkPipeline pipeline, VkPipeline other,
                     struct pgs_map *others)
{
    struct pgs_device *dev = call->dev;
    if (!other || pgs_map_insert(others, (uint64_t)pipeline,
                                 pgs_map_find(&dev->pipelines->pipelines, (uint64_t)other)))
        return VK_SUCCESS;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Makes the pipeline that draws patches while primitive restart is enabled, unless one does all. If
 * its shaders cannot run as compute, the driver has to draw without. */
static VkResult create_restarting(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    *pipeline = VK_NULL_HANDLE;
    if (!pgs_info_may_restart_patches(call->dev, call->info) ||
        needs_primitives(call->dev, call->info))
        return VK_SUCCESS;
    struct pgs_create_call emulating = *call;
    emulating.falls_back = true;
    const VkResult result = create_emulated(&emulating, pipeline);
    if (!pgs_refuses_shaders(result))
        return result;
    pgs_log_once(PGS_LOG_WARN, "patches of a pipeline that cannot be emulated do not restart");
    return VK_SUCCESS;
}

/* Of a dynamic width, dynamic restart, or the first instance of indirect draws, only draws know
 * whether it is the driver's, so there are several pipelines. */
static VkResult create_all(const struct pgs_create_call *call, VkPipeline wide,
                           VkPipeline *restarting, VkPipeline *pipeline)
{
    struct pgs_pipeline_device *objects = call->dev->pipelines;
    VkResult result = create_restarting(call, restarting);
    if (result == VK_SUCCESS)
        result = create_thin(call, pipeline);
    if (result == VK_SUCCESS)
        result = pair(call, *pipeline, wide, &objects->wide);
    if (result == VK_SUCCESS)
        result = pair(call, *pipeline, *restarting, &objects->restarting);
    if (result == VK_SUCCESS)
        result = pgs_instanced_note(call, *pipeline);
    return result;
}

/* With dynamicPrimitiveTopologyUnrestricted the input assembly may be missing, or its topology may
 * be any. False: the info need not change. */
static bool fit_assembly(const VkGraphicsPipelineCreateInfo *from,
                         VkPipelineInputAssemblyStateCreateInfo *assembly)
{
    const VkPipelineInputAssemblyStateCreateInfo *has = from->pInputAssemblyState;
    const bool patches = pgs_has_stage(from, TESSELLATION);
    if (!pgs_has_stage(from, VK_SHADER_STAGE_VERTEX_BIT) ||
        !pgs_has_dynamic_state(from, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY) ||
        (has && patches == (has->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)))
        return false;
    *assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology =
            patches ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .primitiveRestartEnable = has && has->primitiveRestartEnable,
    };
    return true;
}

static VkResult create(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    VkPipeline wide, restarting = VK_NULL_HANDLE;
    VkResult result = pgs_wide_pipeline_create(call, &wide);
    *pipeline = VK_NULL_HANDLE;
    if (result == VK_SUCCESS && wide &&
        (!pgs_has_dynamic_state(call->info, VK_DYNAMIC_STATE_LINE_WIDTH) ||
         pgs_lines_are_ours(call->dev, call->info))) {
        *pipeline = wide;
        return VK_SUCCESS;
    }
    if (result == VK_SUCCESS)
        result = create_all(call, wide, &restarting, pipeline);
    if (result != VK_SUCCESS) {
        if (*pipeline) {
            pgs_map_remove(&call->dev->pipelines->wide, (uint64_t)*pipeline);
            pgs_map_remove(&call->dev->pipelines->restarting, (uint64_t)*pipeline);
        }
        forget(call->dev, *pipeline, call->allocator);
        forget(call->dev, restarting, call->allocator);
        forget(call->dev, wide, call->allocator);
        *pipeline = VK_NULL_HANDLE;
    }
    return result;
}

VkResult pgs_whole_create(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkGraphicsPipelineCreateInfo info = *call->info;
    struct pgs_create_call changed = *call;
    if (!fit_assembly(call->info, &assembly))
        return create(call, pipeline);
    info.pInputAssemblyState = &assembly;
    changed.info = &info;
    return create(&changed, pipeline);
}

static void forget_other(struct pgs_device *dev, struct pgs_map *others, VkPipeline pipeline,
                         const VkAllocationCallbacks *allocator)
{
    const struct pgs_emulated_pipeline *other = pgs_map_remove(others, (uint64_t)pipeline);
    if (other)
        forget(dev, other->handle, allocator);
}

void pgs_whole_forget(struct pgs_device *dev, VkPipeline pipeline,
                      const VkAllocationCallbacks *allocator)
{
    if (dev->lines || dev->line_modes)
        forget_other(dev, &dev->pipelines->wide, pipeline, allocator);
    if (dev->gaps & PGS_FEATURE_BIT(PATCH_RESTART))
        forget_other(dev, &dev->pipelines->restarting, pipeline, allocator);
    pgs_instanced_forget(dev, pipeline);
    pgs_emulated_pipeline_forget(dev, pipeline);
}
