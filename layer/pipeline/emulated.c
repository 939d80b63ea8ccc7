/* SPDX-License-Identifier: MIT
 *
 * One application pipeline with a geometry shader becomes two compute pipelines (with tessellation
 * four) and a raster pipeline, or two (placed.c). One without, whose primitives the driver
 * cannot make (adjacency, tessellation) or number (gl_PrimitiveID in the fragment shader), gets a
 * geometry shader that hands them through.
 */
#include "pipeline/build.h"

#include "base/alloc.h"
#include "base/log.h"
#include "poly_gs/tessellation.h"
#include "vulkan/chain.h"

static VkResult make_pass_through(struct pgs_build *b)
{
    struct pgs_spv_fragment_info fs = {0};
    VkResult result = VK_SUCCESS;
    if (b->fragment_stage)
        result = pgs_result_from_spv(pgs_spv_fragment_info(&b->fs.shader, &fs), "fragment");
    /* Points need no restart indices between them, and a number each primitive its own vertices. */
    b->pipeline->tes_stored =
        b->pipeline->tessellated && !fs.reads_primitive_id && pgs_build_tessellation_corners(b) > 1;
    return result == VK_SUCCESS ? pgs_build_pass_through(b, fs.reads_primitive_id) : result;
}

static VkResult open_stages(struct pgs_build *b)
{
    VkResult result = pgs_build_open_stages(b);
    if (result == VK_SUCCESS && b->fragment_stage)
        result = pgs_stage_code_init(&b->fs, b->dev, b->fragment_stage);
    if (result == VK_SUCCESS && (b->control_stage || b->evaluation_stage))
        result = pgs_build_reflect_tessellation(b);
    if (result == VK_SUCCESS && !b->geometry_stage)
        result = make_pass_through(b);
    return result;
}

static bool may_rasterize(const struct pgs_emulated_pipeline *p, uint32_t stream)
{
    return stream == pgs_handle_stream(p->gs.stream_mask, p->raster_stream) ||
           (p->dynamic_stream && (p->gs.stream_mask >> stream & 1));
}

static VkResult reflect(struct pgs_build *b)
{
    const struct pgs_spv_geometry_info *gs = &b->pipeline->gs;
    const VkResult result = pgs_build_reflect(b);
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_physical_device *physical = b->dev->physical;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        b->pipeline->by_layer |= physical->replays_layers && gs->writes_layer &&
                                 may_rasterize(b->pipeline, s) && gs->out[s].layer_w != PGS_NO_WORD;
    if (gs->writes_layer && !physical->has_shader_output_layer && !physical->replays_layers)
        pgs_log_once(PGS_LOG_ERROR, "a geometry shader that may not run twice writes gl_Layer, but "
                                    "this driver cannot take it from a vertex shader: all goes to "
                                    "layer 0");
    if (gs->writes_viewport_index && !physical->has_shader_output_viewport_index)
        pgs_log_once(PGS_LOG_ERROR,
                     "a geometry shader writes gl_ViewportIndex, but this driver cannot take it "
                     "from a vertex shader: all goes to viewport 0");
    return VK_SUCCESS;
}

/* What was a built-in input of the fragment shader needs a location that neither side uses. Adds it
 * to the mask. */
static VkResult find_location(const struct pgs_build *b, uint64_t *fragment_mask,
                              uint32_t *location_found)
{
    const uint32_t limit = b->dev->physical->properties.limits.maxFragmentInputComponents / 4;
    for (uint32_t location = 0; location < limit && location < PGS_MAX_LOCATIONS; location++) {
        bool used = *fragment_mask >> location & 1;
        for (uint32_t i = 0; i < 4 * PGS_SPV_STREAMS; i++)
            used |= may_rasterize(b->pipeline, i / 4) &&
                    b->pipeline->gs.out[i / 4].location_w[location][i % 4] != PGS_NO_WORD;
        if (used)
            continue;
        *fragment_mask |= (uint64_t)1 << location;
        *location_found = location;
        return VK_SUCCESS;
    }
    return pgs_build_unsupported("whose fragment shader reads gl_PrimitiveID or gl_Layer and "
                                 "leaves no input location free");
}

/* Leaves the application's fragment shader alone where the driver can take it as it is. */
static VkResult build_fragment(struct pgs_build *b)
{
    b->primitive_id_location = UINT32_MAX;
    if (!b->fragment_stage)
        return VK_SUCCESS;
    struct pgs_spv_fragment_info fs;
    VkResult result = pgs_result_from_spv(pgs_spv_fragment_info(&b->fs.shader, &fs), "fragment");
    if (result != VK_SUCCESS)
        return result;
    b->takes_layer = fs.reads_layer && b->pipeline->by_layer;
    if (fs.reads_input_attachments && b->pipeline->by_layer)
        pgs_log_once(PGS_LOG_ERROR,
                     "a fragment shader reads input attachments behind a geometry shader that "
                     "writes gl_Layer, on a driver that takes no layer from a vertex shader: it "
                     "reads the first layer of their views in all layers");
    if (fs.reads_primitive_id)
        result = find_location(b, &fs.location_mask, &b->primitive_id_location);
    if (result == VK_SUCCESS && b->takes_layer)
        result = find_location(b, &fs.location_mask, &b->layer_location);
    if (result != VK_SUCCESS)
        return result;
    if (!fs.reads_primitive_id && !b->takes_layer && !b->fs.placeholder)
        return VK_SUCCESS;
    const struct pgs_spv_fragment_options options = {
        .lacks = pgs_driver_lacks(b->dev),
        .primitive_id_location = b->primitive_id_location,
        .has_layer = b->dev->physical->has_shader_output_layer,
        .has_viewport_index = b->dev->physical->has_shader_output_viewport_index,
        .take_layer = b->takes_layer,
        .layer_location = b->layer_location,
    };
    struct pgs_spv_blob blob = {0};
    return pgs_build_add_module(b, PGS_BUILD_FRAGMENT,
                                pgs_spv_fragment_fix_up(&b->fs.shader, &options, &blob), &blob);
}

void pgs_build_raster_options(const struct pgs_build *b, uint32_t stream,
                              struct pgs_spv_raster_options *options)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    *options = (struct pgs_spv_raster_options){
        .stream = stream,
        .write_point_size = p->gs.output_kind == 1,
        .primitive_id_location = b->primitive_id_location,
        .write_layer =
            p->gs.writes_layer && b->dev->physical->has_shader_output_layer && !p->by_layer,
        .select_layer = p->by_layer,
        .pass_layer = b->takes_layer,
        .layer_location = b->layer_location,
        .write_viewport_index =
            p->gs.writes_viewport_index && b->dev->physical->has_shader_output_viewport_index,
    };
}

static VkResult build_raster_vertex(struct pgs_build *b, uint32_t stream)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    struct pgs_spv_raster_options options;
    pgs_build_raster_options(b, stream, &options);
    struct pgs_spv_geometry_info stored = p->gs;
    if (p->tes_stored) {
        stored.out[0] = p->gs.in;
        stored.out_stride_w = p->gs.in.stride_w;
    }
    struct pgs_spv_blob blob = {0};
    b->dev->vk.DestroyShaderModule(b->dev->handle, b->modules[PGS_BUILD_RASTER], b->allocator);
    b->modules[PGS_BUILD_RASTER] = VK_NULL_HANDLE;
    return pgs_build_add_module(
        b, PGS_BUILD_RASTER, pgs_spv_raster_vertex(&b->gs.shader, &stored, &options, &blob), &blob);
}

/* Feedback by stage has no meaning for stages that are not the application's: we ask for none, and
 * say that none is valid. */
VkResult pgs_build_create_raster(const struct pgs_build *b, VkGraphicsPipelineCreateInfo *info,
                                 VkPipeline *raster)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO;
    const VkPipelineCreationFeedbackCreateInfo *feedback = pgs_chain_find(info->pNext, type);
    void *block = NULL;
    if (feedback && feedback->pipelineStageCreationFeedbackCount) {
        const VkResult copied = pgs_chain_copy_prefix(info->pNext, &type, 1, &info->pNext, &block);
        if (copied != VK_SUCCESS)
            return copied == VK_ERROR_OUT_OF_HOST_MEMORY ? copied : VK_ERROR_UNKNOWN;
        VkPipelineCreationFeedbackCreateInfo *copy = pgs_chain_find(info->pNext, type);
        copy->pipelineStageCreationFeedbackCount = 0;
        copy->pPipelineStageCreationFeedbacks = NULL;
        for (uint32_t i = 0; i < feedback->pipelineStageCreationFeedbackCount; i++)
            feedback->pPipelineStageCreationFeedbacks[i] = (VkPipelineCreationFeedback){0};
    }
    const VkResult result =
        b->dev->vk.CreateGraphicsPipelines(b->dev->handle, b->cache, 1, info, b->allocator, raster);
    if (result != VK_SUCCESS)
        *raster = VK_NULL_HANDLE;
    pgs_free(block);
    return result;
}

static VkResult build_raster_of(struct pgs_build *b, uint32_t stream, VkPipeline *pipeline)
{
    VkResult result = build_raster_vertex(b, stream);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_raster_info raster;
    result = pgs_raster_info_init(&raster, b->info, b->pipeline, b->modules[PGS_BUILD_RASTER],
                                  b->modules[PGS_BUILD_FRAGMENT]);
    if (result == VK_SUCCESS)
        result = pgs_build_create_raster(b, &raster.info, pipeline);
    pgs_raster_info_finish(&raster);
    return result;
}

static VkResult build_raster(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    const uint32_t own = pgs_handle_stream(p->gs.stream_mask, p->raster_stream);
    VkResult result = build_fragment(b);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && result == VK_SUCCESS; s++)
        if (may_rasterize(p, s))
            result = build_raster_of(b, s, s == own ? &p->raster : &p->raster_of_stream[s]);
    return result == VK_SUCCESS ? pgs_build_placed(b) : result;
}

static VkResult build(struct pgs_build *b)
{
    VkResult result = pgs_build_record_state(b);
    if (result == VK_SUCCESS)
        result = open_stages(b);
    if (result == VK_SUCCESS)
        result = reflect(b);
    if (result == VK_SUCCESS)
        result = pgs_build_compute(b);
    return result == VK_SUCCESS ? build_raster(b) : result;
}

VkResult pgs_emulated_pipeline_create(struct pgs_device *dev, VkPipelineCache cache,
                                      const VkGraphicsPipelineCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkPipeline *handle)
{
    struct pgs_build b;
    VkResult result = pgs_build_init(&b, dev, cache, info, allocator);
    if (result == VK_SUCCESS)
        result = build(&b);
    const VkPipeline raster = b.pipeline ? b.pipeline->raster : VK_NULL_HANDLE;
    result = pgs_build_finish(&b, result, raster);
    *handle = result == VK_SUCCESS ? raster : VK_NULL_HANDLE;
    return result;
}

void pgs_emulated_pipeline_destroy(struct pgs_device *dev, struct pgs_emulated_pipeline *p,
                                   const VkAllocationCallbacks *allocator)
{
    dev->vk.DestroyPipeline(dev->handle, p->vertex, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->control, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->evaluation, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->inline_raster, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->geometry, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->capture, allocator);
    pgs_late_pipeline_destroy(dev, p->no_memory);
    pgs_pipelines_of_streams_destroy(dev, p->raster_of_stream, allocator);
    pgs_layout_release(dev, p->layout);
    pgs_free(p);
}

void pgs_emulated_pipeline_forget(struct pgs_device *dev, VkPipeline handle,
                                  const VkAllocationCallbacks *allocator)
{
    struct pgs_emulated_pipeline *p = pgs_map_remove(&dev->pipelines->pipelines, (uint64_t)handle);
    if (p)
        pgs_emulated_pipeline_destroy(dev, p, allocator);
}

const struct pgs_emulated_pipeline *pgs_emulated_pipeline_find(const struct pgs_device *dev,
                                                               VkPipeline handle)
{
    return handle ? pgs_map_find(&dev->pipelines->pipelines, (uint64_t)handle) : NULL;
}
