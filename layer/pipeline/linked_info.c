/* SPDX-License-Identifier: MIT */
#include "pipeline/linked_info.h"
#include "pipeline/create_state.h"

#include "base/alloc.h"
#include "base/log.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

/* Numbers of the bits. */
enum { VERTEX_INPUT, BEFORE_RASTER, FRAGMENT, OUTPUT };

/* Flags that are the link's own; all others say what the shaders or the state of a part may do. */
#define FLAGS_OF_CALL                                                                              \
    ((VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT |                         \
                             VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT |                            \
                             VK_PIPELINE_CREATE_DERIVATIVE_BIT |                                   \
                             VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |            \
                             VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |                      \
                             VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |                       \
                             VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR))
#define FLAGS_OF_LIBRARIES                                                                         \
    ((VkPipelineCreateFlags)(VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |                                  \
                             VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT |                   \
                             VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT))

static const VkGraphicsPipelineCreateInfo *info_of(const struct pgs_linked_parts *parts, int part)
{
    return parts->of[part] ? parts->of[part]->info : NULL;
}

static void take_state(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    VkGraphicsPipelineCreateInfo *to = &linked->info;
    const VkGraphicsPipelineCreateInfo *input = info_of(parts, VERTEX_INPUT);
    const VkGraphicsPipelineCreateInfo *before = info_of(parts, BEFORE_RASTER);
    const VkGraphicsPipelineCreateInfo *fragment = info_of(parts, FRAGMENT);
    const VkGraphicsPipelineCreateInfo *output = info_of(parts, OUTPUT);
    to->pVertexInputState = input ? input->pVertexInputState : NULL;
    to->pInputAssemblyState = input ? input->pInputAssemblyState : NULL;
    to->pTessellationState = before ? before->pTessellationState : NULL;
    to->pViewportState = before ? before->pViewportState : NULL;
    to->pRasterizationState = before ? before->pRasterizationState : NULL;
    to->pDepthStencilState = fragment ? fragment->pDepthStencilState : NULL;
    to->pColorBlendState = output ? output->pColorBlendState : NULL;
    /* Where both have it, it is the same. */
    to->pMultisampleState = output ? output->pMultisampleState : NULL;
    if (!to->pMultisampleState && fragment)
        to->pMultisampleState = fragment->pMultisampleState;
    for (int i = 0; i < PGS_PART_COUNT; i++)
        if (parts->of[i])
            to->flags |= parts->of[i]->info->flags & ~(FLAGS_OF_CALL | FLAGS_OF_LIBRARIES);
}

static void take_stages(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    VkGraphicsPipelineCreateInfo *to = &linked->info;
    to->stageCount = 0;
    to->pStages = linked->stages;
    for (int p = BEFORE_RASTER; p <= FRAGMENT; p++) {
        const VkGraphicsPipelineCreateInfo *from = info_of(parts, p);
        for (uint32_t i = 0; from && i < from->stageCount; i++)
            if ((from->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT) == (p == FRAGMENT))
                linked->stages[to->stageCount++] = from->pStages[i];
    }
}

/* Several parts may have the same state. */
static VkResult add_state(struct pgs_dynamic_states *dynamic, VkDynamicState state)
{
    for (uint32_t i = 0; i < dynamic->info.dynamicStateCount; i++)
        if (dynamic->states[i] == state)
            return VK_SUCCESS;
    return pgs_dynamic_states_add(dynamic, state, "a pipeline");
}

static VkResult take_dynamic(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    linked->dynamic.info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .pDynamicStates = linked->dynamic.states,
    };
    linked->info.pDynamicState = &linked->dynamic.info;
    for (int p = 0; p < PGS_PART_COUNT; p++) {
        const VkGraphicsPipelineCreateInfo *part = info_of(parts, p);
        const VkPipelineDynamicStateCreateInfo *from = part ? part->pDynamicState : NULL;
        for (uint32_t i = 0; from && i < from->dynamicStateCount; i++) {
            const VkResult result = add_state(&linked->dynamic, from->pDynamicStates[i]);
            if (result != VK_SUCCESS)
                return result;
        }
    }
    return VK_SUCCESS;
}

/* -- chains -- */

/* Of the call's chain everything stays that is not a part's. */
static VkResult take_call_chain(struct pgs_linked_info *linked,
                                const VkGraphicsPipelineCreateInfo *call)
{
    static const VkStructureType types[] = {
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV,
        VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD,
        VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV,
        VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
#ifdef VK_KHR_dynamic_rendering_local_read
        VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
#endif
        PGS_FLAGS_TYPE,
    };
    const size_t count = sizeof(types) / sizeof(*types);
    const VkResult result =
        pgs_chain_copy_prefix(call->pNext, types, count, &linked->info.pNext, &linked->chain);
    if (result == VK_SUCCESS)
        pgs_chain_remove(&linked->info.pNext, types, count);
    return result;
}

static const void *find_in_part(const struct pgs_linked_parts *parts, int part,
                                VkStructureType type)
{
    const VkGraphicsPipelineCreateInfo *info = info_of(parts, part);
    return info ? pgs_chain_find(info->pNext, type) : NULL;
}

/* node: one of *linked. */
static void put_in_front(struct pgs_linked_info *linked, void *node)
{
    ((VkBaseInStructure *)node)->pNext = linked->info.pNext;
    linked->info.pNext = node;
}

/* The output knows the formats, and every part the views. */
static void take_rendering(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    static const int order[] = {OUTPUT, FRAGMENT, BEFORE_RASTER};
    for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
        const VkPipelineRenderingCreateInfo *from =
            find_in_part(parts, order[i], VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
        if (!from)
            continue;
        linked->rendering = *from;
        put_in_front(linked, &linked->rendering);
        return;
    }
}

static void take_discard_rectangles(struct pgs_linked_info *linked,
                                    const struct pgs_linked_parts *parts)
{
    const VkPipelineDiscardRectangleStateCreateInfoEXT *from = find_in_part(
        parts, BEFORE_RASTER, VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
    if (!from)
        return;
    linked->discard_rectangles = *from;
    put_in_front(linked, &linked->discard_rectangles);
}

/* The output knows the samples of attachments. */
static void take_sample_counts(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD;
    const VkAttachmentSampleCountInfoAMD *from = find_in_part(parts, OUTPUT, type);
    if (!from)
        return;
    linked->sample_counts = *from;
    put_in_front(linked, &linked->sample_counts);
}

/* The rate in the form of VK_NV_fragment_shading_rate_enums, in both parts with shaders. */
static void take_rate_enum(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    const VkStructureType type =
        VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV;
    const VkPipelineFragmentShadingRateEnumStateCreateInfoNV *from =
        find_in_part(parts, BEFORE_RASTER, type);
    if (!from)
        from = find_in_part(parts, FRAGMENT, type);
    if (!from)
        return;
    linked->shading_rate_enum = *from;
    put_in_front(linked, &linked->shading_rate_enum);
}

/* Both parts with shaders have the rate, and it is the same. */
static void take_fragment_state(struct pgs_linked_info *linked,
                                const struct pgs_linked_parts *parts)
{
    const VkStructureType type =
        VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR;
    const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate =
        find_in_part(parts, BEFORE_RASTER, type);
    const VkPipelineRepresentativeFragmentTestStateCreateInfoNV *test =
        find_in_part(parts, FRAGMENT,
                     VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV);
    if (!rate)
        rate = find_in_part(parts, FRAGMENT, type);
    if (rate) {
        linked->shading_rate = *rate;
        put_in_front(linked, &linked->shading_rate);
    }
    if (test) {
        linked->representative_test = *test;
        put_in_front(linked, &linked->representative_test);
    }
}

#ifdef VK_KHR_dynamic_rendering_local_read
/* The output maps what is written, and the fragment shader what it reads. */
static void take_local_read(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    const VkRenderingAttachmentLocationInfoKHR *locations =
        find_in_part(parts, OUTPUT, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    const VkRenderingInputAttachmentIndexInfoKHR *indices =
        find_in_part(parts, FRAGMENT, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
    if (locations) {
        linked->locations = *locations;
        put_in_front(linked, &linked->locations);
    }
    if (indices) {
        linked->indices = *indices;
        put_in_front(linked, &linked->indices);
    }
}
#else
static void take_local_read(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    (void)linked;
    (void)parts;
}
#endif

/* Flags that fit nowhere else. The base may be another after this. */
static void take_high_flags(struct pgs_linked_info *linked, const void *chain_of_call,
                            const struct pgs_linked_parts *parts)
{
    uint64_t high = pgs_high_flags(chain_of_call);
    for (int p = 0; p < PGS_PART_COUNT; p++)
        high |= parts->of[p] ? parts->of[p]->high_flags : 0;
    if (!high)
        return;
    linked->flags = (pgs_flags_info){
        .sType = PGS_FLAGS_TYPE,
        .flags =
            high | (linked->info.flags & ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_DERIVATIVE_BIT),
    };
    put_in_front(linked, &linked->flags);
}

/* Parts may say different things, so each stage gets what its own part says. The call says it for
 * its own parts only. */
static void take_robustness(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    const VkPipelineRobustnessCreateInfoEXT *inputs = find_in_part(parts, VERTEX_INPUT, type);
    for (uint32_t i = 0; i < linked->info.stageCount; i++) {
        VkPipelineShaderStageCreateInfo *stage = &linked->stages[i];
        const bool is_fragment = stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
        const bool has_inputs = stage->stage == VK_SHADER_STAGE_VERTEX_BIT && inputs;
        const VkPipelineRobustnessCreateInfoEXT *said =
            find_in_part(parts, is_fragment ? FRAGMENT : BEFORE_RASTER, type);
        if (pgs_chain_find(stage->pNext, type) || (!said && !has_inputs))
            continue;
        linked->robustness[i] = said ? *said : (VkPipelineRobustnessCreateInfoEXT){.sType = type};
        if (has_inputs)
            linked->robustness[i].vertexInputs = inputs->vertexInputs;
        linked->robustness[i].pNext = stage->pNext;
        stage->pNext = &linked->robustness[i];
    }
}

/* -- objects -- */

static void take_pass(struct pgs_linked_info *linked, const struct pgs_linked_parts *parts)
{
    linked->info.renderPass = VK_NULL_HANDLE;
    linked->info.subpass = 0;
    for (int p = OUTPUT; p >= BEFORE_RASTER; p--) {
        if (!parts->of[p] || !parts->of[p]->pass)
            continue;
        linked->info.renderPass = parts->of[p]->pass->handle;
        linked->info.subpass = parts->of[p]->info->subpass;
        return;
    }
}

/* The layout of the call is taken if it has all that those of the parts have. With independent sets
 * it may be the layout of one part, whose other sets are VK_NULL_HANDLE, or none. */
static VkResult take_layout(struct pgs_linked_info *linked, struct pgs_device *dev,
                            VkPipelineLayout of_call, const struct pgs_linked_parts *parts)
{
    struct pgs_layout *layouts[3] = {of_call ? pgs_layout_acquire(dev, of_call) : NULL};
    bool has_all = layouts[0] != NULL;
    VkResult result = VK_SUCCESS;
    for (int p = BEFORE_RASTER; p <= FRAGMENT; p++) {
        struct pgs_layout *layout = parts->of[p] ? parts->of[p]->layout : NULL;
        layouts[p] = layout;
        has_all = has_all && (!layout || pgs_layout_includes(layouts[0], layout));
    }
    linked->info.layout = of_call;
    if (!has_all) {
        result = pgs_layout_merge(dev, layouts, 3, &linked->merged);
        linked->info.layout = linked->merged;
    }
    pgs_layout_release(dev, layouts[0]);
    return result;
}

VkResult pgs_linked_info_init(struct pgs_linked_info *linked, struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *call,
                              const struct pgs_linked_parts *parts)
{
    linked->info = (VkGraphicsPipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .flags = call->flags & ~FLAGS_OF_LIBRARIES,
        .basePipelineHandle = call->basePipelineHandle,
        .basePipelineIndex = call->basePipelineIndex,
    };
    linked->chain = NULL;
    linked->merged = VK_NULL_HANDLE;
    VkResult result = take_call_chain(linked, call);
    if (result != VK_SUCCESS)
        return result;
    take_rendering(linked, parts);
    take_discard_rectangles(linked, parts);
    take_fragment_state(linked, parts);
    take_rate_enum(linked, parts);
    take_sample_counts(linked, parts);
    take_local_read(linked, parts);
    take_state(linked, parts);
    take_high_flags(linked, call->pNext, parts);
    take_stages(linked, parts);
    if (pgs_has_mesh_stages(&linked->info)) { /* ignored: a library may have it nevertheless */
        linked->info.pVertexInputState = NULL;
        linked->info.pInputAssemblyState = NULL;
    }
    take_robustness(linked, parts);
    take_pass(linked, parts);
    result = take_dynamic(linked, parts);
    return result == VK_SUCCESS ? take_layout(linked, dev, call->layout, parts) : result;
}

void pgs_linked_info_finish(struct pgs_linked_info *linked, struct pgs_device *dev)
{
    if (linked->merged)
        pgs_DestroyPipelineLayout(dev->handle, linked->merged, NULL);
    pgs_free(linked->chain);
}
