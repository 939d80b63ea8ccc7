/* SPDX-License-Identifier: MIT */
#include "pipeline/object_pipelines.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "pipeline/device.h"
#include "pipeline/layout.h"
#include "pipeline/raster_info.h"
#include "vulkan/hooks.h"

#include <string.h>

struct pgs_object_pipeline {
    struct pgs_object_key key;
    uint64_t hash;
    VkPipeline handle;
    struct pgs_object_pipeline *next; /* with the same hash, or to be destroyed */
};

bool pgs_object_pipelines_init(struct pgs_object_pipelines *all)
{
    return pthread_mutex_init(&all->lock, NULL) == 0;
}

/* -- the create info -- */

/* Points to itself and to the key, which must outlive it. */
struct stand_in {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineShaderStageCreateInfo stages[PGS_OBJECT_STAGES];
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo sizes[PGS_OBJECT_STAGES];
    struct pgs_dynamic_states dynamic;
    VkPipelineRenderingCreateInfo rendering;
#ifdef VK_KHR_dynamic_rendering_local_read
    VkRenderingAttachmentLocationInfoKHR locations;
    VkRenderingInputAttachmentIndexInfoKHR indices;
#endif
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineTessellationStateCreateInfo tessellation;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateStreamCreateInfoEXT stream;
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
    VkPipelineColorBlendAttachmentState blends[PGS_OBJECT_MAX_COLORS];
    VkPipelineColorBlendStateCreateInfo blend;
};

static void add_stage(struct stand_in *to, const struct pgs_shader_object *object)
{
    const uint32_t i = to->info.stageCount++;
    to->sizes[i] = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = object->subgroup_size_el,
    };
    to->stages[i] = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = object->subgroup_size_el ? &to->sizes[i] : NULL,
        .flags = object->flags,
        .stage = object->stage,
        .module = object->module,
        .pName = object->name,
        .pSpecializationInfo = object->specialized ? &object->constants : NULL,
    };
    to->info.layout = object->layout; /* that of all is identically defined, unless independent */
    if (object->buffered)
        to->info.flags |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    if (object->shading_rate)
        to->info.flags |= VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
    if (object->density_map)
        to->info.flags |= VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
}

static bool has_stage(const struct pgs_object_key *key, VkShaderStageFlags stages)
{
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        if (key->stages[i] && (key->stages[i]->stage & stages))
            return true;
    return false;
}

/* Without the layer's own states of stages that are not there. What is not dynamic is forgotten, so
 * the driver's own states stay. */
static void take_dynamic(struct stand_in *to, const struct pgs_device *dev,
                         const struct pgs_object_key *key)
{
    const bool ours = dev->physical->emulates_tessellation &&
                      !has_stage(key, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
    uint32_t count = 0;
    for (uint32_t i = 0; i < dev->object_state_count; i++) {
        const VkDynamicState state = dev->object_states[i];
        if (!ours || !pgs_is_tessellation_state(state))
            to->dynamic.states[count++] = state;
    }
    to->dynamic.info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = count,
        .pDynamicStates = to->dynamic.states,
    };
    to->info.pDynamicState = &to->dynamic.info;
}

#ifdef VK_KHR_dynamic_rendering_local_read
static void take_local_read(struct stand_in *to, const struct pgs_object_target *target)
{
    const uint32_t maps = target->maps;
    to->indices = (VkRenderingInputAttachmentIndexInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
        .pNext = to->rendering.pNext,
        .colorAttachmentCount = target->color_count,
        .pColorAttachmentInputIndices = maps & PGS_MAP_INDICES ? target->indices : NULL,
        .pDepthInputAttachmentIndex = maps & PGS_MAP_DEPTH_INDEX ? &target->depth_index : NULL,
        .pStencilInputAttachmentIndex =
            maps & PGS_MAP_STENCIL_INDEX ? &target->stencil_index : NULL,
    };
    if (maps & (PGS_MAP_INDICES | PGS_MAP_DEPTH_INDEX | PGS_MAP_STENCIL_INDEX))
        to->rendering.pNext = &to->indices;
    to->locations = (VkRenderingAttachmentLocationInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .pNext = to->rendering.pNext,
        .colorAttachmentCount = target->color_count,
        .pColorAttachmentLocations = target->locations,
    };
    if (maps & PGS_MAP_LOCATIONS)
        to->rendering.pNext = &to->locations;
}
#else
static void take_local_read(struct stand_in *to, const struct pgs_object_target *target)
{
    (void)to;
    (void)target;
}
#endif

static void take_target(struct stand_in *to, const struct pgs_object_target *target)
{
    to->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .viewMask = target->view_mask,
        .colorAttachmentCount = target->color_count,
        .pColorAttachmentFormats = target->colors,
        .depthAttachmentFormat = target->depth,
        .stencilAttachmentFormat = target->stencil,
    };
    take_local_read(to, target);
    to->info.pNext = &to->rendering;
    for (uint32_t i = 0; i < target->color_count; i++)
        to->blends[i].colorWriteMask = 0xF;
    to->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = target->color_count,
        .pAttachments = to->blends,
    };
}

/* What is not dynamic here is what shader objects cannot say. */
static void take_state(struct stand_in *to, VkPrimitiveTopology topology, uint32_t stream)
{
    to->vertex_input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    to->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topology,
    };
    to->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 1,
    };
    to->viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    to->rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    to->stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = stream};
    if (stream) /* static, since a dynamic one would cost draws more than another pipeline */
        to->rasterization.pNext = &to->stream;
    to->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    to->depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    to->info.pVertexInputState = &to->vertex_input;
    to->info.pInputAssemblyState = &to->assembly;
    to->info.pTessellationState =
        topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? &to->tessellation : NULL;
    to->info.pViewportState = &to->viewports;
    to->info.pRasterizationState = &to->rasterization;
    to->info.pMultisampleState = &to->multisample;
    to->info.pDepthStencilState = &to->depth_stencil;
    to->info.pColorBlendState = &to->blend;
}

/* If the stages have sets of their own, makes a layout with those of all. *merged: to be destroyed,
 * or VK_NULL_HANDLE. */
static VkResult merge_layouts(struct stand_in *to, struct pgs_device *dev,
                              const struct pgs_object_key *key, VkPipelineLayout *merged)
{
    struct pgs_layout *layouts[PGS_OBJECT_STAGES] = {NULL};
    bool independent = false;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        independent |= key->stages[i] && key->stages[i]->independent;
    *merged = VK_NULL_HANDLE;
    if (!independent)
        return VK_SUCCESS;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        if (key->stages[i])
            layouts[i] = pgs_layout_acquire(dev, key->stages[i]->layout);
    const VkResult result = pgs_layout_merge(dev, layouts, PGS_OBJECT_STAGES, merged);
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        pgs_layout_release(dev, layouts[i]);
    to->info.layout = *merged;
    return result;
}

static VkResult create(struct pgs_device *dev, const struct pgs_object_key *key,
                       VkPipeline *pipeline)
{
    VkPipelineLayout merged;
    struct stand_in to = {
        .info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .basePipelineIndex = -1},
    };
    to.info.pStages = to.stages;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        if (key->stages[i])
            add_stage(&to, key->stages[i]);
    take_dynamic(&to, dev, key);
    take_target(&to, &key->target);
    take_state(&to, key->topology, key->stream);
    VkResult result = merge_layouts(&to, dev, key, &merged);
    if (result == VK_SUCCESS)
        result =
            pgs_CreateGraphicsPipelines(dev->handle, VK_NULL_HANDLE, 1, &to.info, NULL, pipeline);
    if (merged)
        pgs_DestroyPipelineLayout(dev->handle, merged, NULL);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

/* -- the table -- */

static struct pgs_object_pipeline *find_locked(const struct pgs_object_pipelines *all,
                                               const struct pgs_object_key *key, uint64_t hash)
{
    struct pgs_object_pipeline *one = pgs_table_find(&all->by_hash, hash);
    while (one && memcmp(&one->key, key, sizeof(*key)) != 0)
        one = one->next;
    return one;
}

static VkPipeline find(struct pgs_object_pipelines *all, const struct pgs_object_key *key,
                       uint64_t hash)
{
    pthread_mutex_lock(&all->lock);
    const struct pgs_object_pipeline *found = find_locked(all, key, hash);
    const VkPipeline handle = found ? found->handle : VK_NULL_HANDLE;
    pthread_mutex_unlock(&all->lock);
    return handle;
}

/* Returns the pipeline that is in the table afterwards: another one if a thread was faster.
 * VK_NULL_HANDLE: out of memory. */
static VkPipeline insert(struct pgs_object_pipelines *all, const struct pgs_object_key *key,
                         uint64_t hash, VkPipeline handle)
{
    struct pgs_object_pipeline *one = pgs_calloc(1, sizeof(*one));
    if (!one)
        return VK_NULL_HANDLE;
    memcpy(&one->key, key, sizeof(*key)); /* the padding, too */
    one->hash = hash;
    one->handle = handle;
    pthread_mutex_lock(&all->lock);
    const struct pgs_object_pipeline *found = find_locked(all, key, hash);
    one->next = pgs_table_find(&all->by_hash, hash);
    bool kept = false;
    if (found)
        handle = found->handle;
    else
        kept = pgs_table_insert(&all->by_hash, hash, one);
    pthread_mutex_unlock(&all->lock);
    if (!kept)
        pgs_free(one);
    return kept || found ? handle : VK_NULL_HANDLE;
}

VkResult pgs_object_pipeline_get(struct pgs_device *dev, const struct pgs_object_key *key,
                                 VkPipeline *pipeline)
{
    struct pgs_object_pipelines *all = &dev->pipelines->object_pipelines;
    const uint64_t hash = pgs_hash(key, sizeof(*key), 0);
    *pipeline = find(all, key, hash);
    if (*pipeline)
        return VK_SUCCESS;
    VkPipeline made;
    const VkResult result = create(dev, key, &made);
    if (result != VK_SUCCESS)
        return result;
    *pipeline = insert(all, key, hash, made);
    if (*pipeline != made)
        pgs_DestroyPipeline(dev->handle, made, NULL);
    return *pipeline ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* -- destruction -- */

/* NULL: any object. */
static bool has_object(const struct pgs_object_pipeline *one,
                       const struct pgs_shader_object *object)
{
    bool has = !object;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        has |= one->key.stages[i] == object;
    return has;
}

/* Moves the pipelines of the object from one list to the other; returns what is left of the
 * first. */
static struct pgs_object_pipeline *take_out(struct pgs_object_pipeline *list,
                                            const struct pgs_shader_object *object,
                                            struct pgs_object_pipeline **taken)
{
    struct pgs_object_pipeline *kept = NULL;
    while (list) {
        struct pgs_object_pipeline *one = list;
        list = one->next;
        struct pgs_object_pipeline **to = has_object(one, object) ? taken : &kept;
        one->next = *to;
        *to = one;
    }
    return kept;
}

struct visit {
    const struct pgs_shader_object *object;
    uint64_t hash; /* of a list with one of its pipelines */
    bool found;
};

static void look_for(uint64_t hash, void *value, void *context)
{
    struct visit *visit = context;
    for (const struct pgs_object_pipeline *one = value; one && !visit->found; one = one->next) {
        visit->found = has_object(one, visit->object);
        visit->hash = hash;
    }
}

static void destroy_all(struct pgs_device *dev, const struct pgs_shader_object *object)
{
    struct pgs_object_pipelines *all = &dev->pipelines->object_pipelines;
    struct pgs_object_pipeline *taken = NULL;
    pthread_mutex_lock(&all->lock);
    for (;;) {
        struct visit visit = {.object = object};
        pgs_table_each(&all->by_hash, look_for, &visit);
        if (!visit.found)
            break;
        struct pgs_object_pipeline *list = pgs_table_remove(&all->by_hash, visit.hash);
        list = take_out(list, object, &taken);
        if (list) /* there is room, since one was removed */
            pgs_table_insert(&all->by_hash, visit.hash, list);
    }
    pthread_mutex_unlock(&all->lock);
    while (taken) {
        struct pgs_object_pipeline *one = taken;
        taken = one->next;
        pgs_DestroyPipeline(dev->handle, one->handle, NULL);
        pgs_free(one);
    }
}

void pgs_object_pipelines_forget(struct pgs_device *dev, const struct pgs_shader_object *object)
{
    if (object)
        destroy_all(dev, object);
}

void pgs_object_pipelines_finish(struct pgs_device *dev)
{
    destroy_all(dev, NULL);
    pgs_table_finish(&dev->pipelines->object_pipelines.by_hash, NULL, NULL);
    pthread_mutex_destroy(&dev->pipelines->object_pipelines.lock);
}
