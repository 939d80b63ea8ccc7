/* SPDX-License-Identifier: MIT
 *
 * One application pipeline with a geometry shader becomes two compute pipelines and a raster
 * pipeline. One without, whose primitives the driver cannot make (adjacency) or number
 * (gl_PrimitiveID in the fragment shader), gets a geometry shader that hands them through.
 */
#include "pipeline/room.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/format.h"
#include "poly_gs/abi.h"
#include "vulkan/chain.h"

#include <stdatomic.h>
#include <string.h>

/* What creation carries from step to step; all of it is gone afterwards but `pipeline`. */
struct build {
    struct pgs_device *dev;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *info;
    const VkAllocationCallbacks *allocator;
    uint32_t dump_serial;
    const VkPipelineShaderStageCreateInfo *fragment_stage; /* NULL: none */
    struct pgs_stage_code vs, gs, fs;
    struct pgs_spv_blob pass_through; /* the SPIR-V of gs where it is ours */
    struct pgs_spv_vertex_info vertex_info;
    uint32_t primitive_id_location;
    VkShaderModule modules[4]; /* vertex, geometry, raster, fragment (may be VK_NULL_HANDLE) */
    struct pgs_emulated_pipeline *pipeline;
};
enum { VERTEX, GEOMETRY, RASTER, FRAGMENT };
static const char *const module_names[] = {"vertex", "geometry", "raster", "fragment"};

static VkResult unsupported(const char *what)
{
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: emulation %s is not supported yet", what);
    return VK_ERROR_UNKNOWN;
}

/* Vertices of a primitive without its neighbours. */
static uint32_t corners_of(const VkGraphicsPipelineCreateInfo *info)
{
    switch (info->pInputAssemblyState ? (int)info->pInputAssemblyState->topology : 0) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return 2;
    default:
        return 3;
    }
}

static VkResult make_pass_through(struct build *b)
{
    struct pgs_spv_fragment_info fs = {0};
    VkResult result = VK_SUCCESS;
    if (b->fragment_stage)
        result = pgs_result_from_spv(pgs_spv_fragment_info(&b->fs.shader, &fs), "fragment");
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(
            pgs_spv_pass_through_geometry(&b->vs.shader, corners_of(b->info), fs.reads_primitive_id,
                                          &b->pass_through),
            "vertex");
    b->pipeline->pass_through = true;
    b->gs.shader = (struct pgs_spv_shader){.words = b->pass_through.words,
                                           .word_count = b->pass_through.word_count,
                                           .entry_point = "main",
                                           .stage = PGS_SPV_GEOMETRY};
    return result;
}

static VkResult find_stages(struct build *b)
{
    const VkPipelineShaderStageCreateInfo *vs = NULL, *gs = NULL;
    for (uint32_t i = 0; i < b->info->stageCount; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &b->info->pStages[i];
        switch ((int)stage->stage) {
        case VK_SHADER_STAGE_VERTEX_BIT:
            vs = stage;
            break;
        case VK_SHADER_STAGE_GEOMETRY_BIT:
            gs = stage;
            break;
        case VK_SHADER_STAGE_FRAGMENT_BIT:
            b->fragment_stage = stage;
            break;
        default:
            return unsupported("behind tessellation");
        }
    }
    if (!vs)
        return unsupported("without a vertex shader in the same pipeline");
    VkResult result = pgs_stage_code_init(&b->vs, b->dev, vs);
    if (result == VK_SUCCESS && gs)
        result = pgs_stage_code_init(&b->gs, b->dev, gs);
    if (result == VK_SUCCESS && b->fragment_stage)
        result = pgs_stage_code_init(&b->fs, b->dev, b->fragment_stage);
    if (result == VK_SUCCESS && !gs)
        result = make_pass_through(b);
    return result;
}

static VkResult reflect(struct build *b)
{
    struct pgs_spv_geometry_info *gs = &b->pipeline->gs;
    VkResult result = pgs_result_from_spv(pgs_spv_geometry_info(&b->gs.shader, gs), "geometry");
    if (result != VK_SUCCESS)
        return result;
    if (gs->uses_streams)
        return unsupported("with vertex streams");
    if (gs->max_vertices == 0 || gs->max_vertices > PGS_MAX_GEOMETRY_VERTICES ||
        gs->invocations == 0 || gs->invocations > PGS_MAX_GEOMETRY_INVOCATIONS) {
        pgs_log(PGS_LOG_ERROR,
                "geometry shader: %u vertices or %u invocations are beyond the limits",
                gs->max_vertices, gs->invocations);
        return VK_ERROR_INVALID_SHADER_NV;
    }
    const struct pgs_physical_device *physical = b->dev->physical;
    if (gs->writes_layer && !physical->has_shader_output_layer)
        pgs_log_once(PGS_LOG_ERROR,
                     "a geometry shader writes gl_Layer, but this driver cannot take it from a "
                     "vertex shader: all goes to layer 0");
    if (gs->writes_viewport_index && !physical->has_shader_output_viewport_index)
        pgs_log_once(PGS_LOG_ERROR,
                     "a geometry shader writes gl_ViewportIndex, but this driver cannot take it "
                     "from a vertex shader: all goes to viewport 0");
    result = pgs_result_from_spv(pgs_spv_vertex_info(&b->vs.shader, &b->vertex_info), "vertex");
    b->pipeline->uses_push_constants =
        gs->reads_push_constants || b->vertex_info.reads_push_constants;
    return result;
}

/* The fragment shader's gl_PrimitiveID needs a location that neither side uses. */
static uint32_t free_location(const struct build *b, uint64_t fragment_mask)
{
    const uint32_t limit = b->dev->physical->properties.limits.maxFragmentInputComponents / 4;
    for (uint32_t location = 0; location < limit && location < PGS_MAX_LOCATIONS; location++) {
        const uint16_t *words = b->pipeline->gs.out[0].location_w[location];
        bool used = fragment_mask >> location & 1;
        for (int c = 0; c < 4; c++)
            used |= words[c] != PGS_NO_WORD;
        if (!used)
            return location;
    }
    return UINT32_MAX;
}

static VkResult add_module(struct build *b, int which, enum pgs_spv_result built,
                           struct pgs_spv_blob *blob)
{
    VkResult result = pgs_result_from_spv(built, module_names[which]);
    if (result != VK_SUCCESS)
        return result;
    pgs_dump_module(b->dev, b->dump_serial, module_names[which], blob);
    result = pgs_module_create_driver(b->dev, blob->words, blob->word_count, b->allocator,
                                      &b->modules[which]);
    pgs_spv_blob_free(blob);
    return result;
}

/* Leaves the application's fragment shader alone where the driver can take it as it is. */
static VkResult build_fragment(struct build *b)
{
    b->primitive_id_location = UINT32_MAX;
    if (!b->fragment_stage)
        return VK_SUCCESS;
    struct pgs_spv_fragment_info fs;
    VkResult result = pgs_result_from_spv(pgs_spv_fragment_info(&b->fs.shader, &fs), "fragment");
    if (result != VK_SUCCESS)
        return result;
    if (fs.reads_primitive_id) {
        b->primitive_id_location = free_location(b, fs.location_mask);
        if (b->primitive_id_location == UINT32_MAX)
            return unsupported("whose fragment shader reads gl_PrimitiveID and leaves no "
                               "input location free");
    }
    if (!fs.reads_primitive_id && !b->fs.placeholder)
        return VK_SUCCESS;
    const struct pgs_spv_fragment_options options = {
        .primitive_id_location = b->primitive_id_location,
        .has_layer = b->dev->physical->has_shader_output_layer,
        .has_viewport_index = b->dev->physical->has_shader_output_viewport_index,
    };
    struct pgs_spv_blob blob = {0};
    return add_module(b, FRAGMENT, pgs_spv_fragment_fix_up(&b->fs.shader, &options, &blob), &blob);
}

static VkResult build_modules(struct build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    struct pgs_spv_vertex_options vertex = {.out = p->gs.in};
    for (uint32_t i = 0; i < p->attribute_count; i++)
        vertex.format[p->attributes[i].location] = p->attributes[i].format;
    struct pgs_spv_blob blob = {0};
    VkResult result =
        add_module(b, VERTEX, pgs_spv_vertex_to_compute(&b->vs.shader, &vertex, &blob), &blob);
    if (result != VK_SUCCESS)
        return result;
    blob = (struct pgs_spv_blob){0};
    result =
        add_module(b, GEOMETRY, pgs_spv_geometry_to_compute(&b->gs.shader, &p->gs, &blob), &blob);
    if (result != VK_SUCCESS)
        return result;
    result = build_fragment(b);
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_spv_raster_options raster = {
        .write_point_size = p->gs.output_kind == 1,
        .primitive_id_location = b->primitive_id_location,
        .write_layer = p->gs.writes_layer && b->dev->physical->has_shader_output_layer,
        .write_viewport_index =
            p->gs.writes_viewport_index && b->dev->physical->has_shader_output_viewport_index,
    };
    blob = (struct pgs_spv_blob){0};
    return add_module(b, RASTER, pgs_spv_raster_vertex(&b->gs.shader, &p->gs, &raster, &blob),
                      &blob);
}

static VkResult record_vertex_input(struct build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    const VkPipelineVertexInputStateCreateInfo *input = b->info->pVertexInputState;
    if (!input)
        return VK_SUCCESS;
    for (uint32_t i = 0; i < input->vertexBindingDescriptionCount; i++) {
        const VkVertexInputBindingDescription *from = &input->pVertexBindingDescriptions[i];
        if (from->binding >= PGS_MAX_VERTEX_BINDINGS)
            return unsupported("with more than 32 vertex bindings");
        p->bindings[from->binding] = (struct pgs_vertex_binding_state){
            .stride_B = from->stride,
            .divisor = 1,
            .instance_rate = from->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
        };
    }
    const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors = pgs_chain_find(
        input->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
    for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++) {
        const VkVertexInputBindingDivisorDescriptionEXT *from =
            &divisors->pVertexBindingDivisors[i];
        if (from->binding < PGS_MAX_VERTEX_BINDINGS)
            p->bindings[from->binding].divisor = from->divisor;
    }
    for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
        const VkVertexInputAttributeDescription *from = &input->pVertexAttributeDescriptions[i];
        if (from->location >= PGS_MAX_ATTRIBUTES || from->binding >= PGS_MAX_VERTEX_BINDINGS)
            return unsupported("with more than 32 vertex attributes");
        if (!(b->vertex_info.attribute_mask >> from->location & 1))
            continue;
        struct pgs_vertex_attribute *to = &p->attributes[p->attribute_count];
        *to = (struct pgs_vertex_attribute){
            .location = from->location,
            .binding = from->binding,
            .offset_B = from->offset,
        };
        to->format = pgs_format_from_vk(from->format, &to->size_B);
        if (!to->format) {
            pgs_log(PGS_LOG_ERROR, "vertex format %d cannot be fetched", (int)from->format);
            return VK_ERROR_UNKNOWN;
        }
        if (++p->attribute_count == PGS_MAX_ATTRIBUTES)
            break;
    }
    return VK_SUCCESS;
}

static VkResult record_state(struct build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    const VkGraphicsPipelineCreateInfo *info = b->info;
    if (info->pInputAssemblyState) {
        p->topology = info->pInputAssemblyState->topology;
        p->primitive_restart = info->pInputAssemblyState->primitiveRestartEnable;
    }
    if (info->pRasterizationState) {
        const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking = pgs_chain_find(
            info->pRasterizationState->pNext,
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
        p->rasterizer_discard = info->pRasterizationState->rasterizerDiscardEnable;
        p->provoking_last =
            provoking && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    }
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
        switch ((int)dynamic->pDynamicStates[i]) {
        case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
            p->dynamic_topology = true;
            break;
        case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
            p->dynamic_restart = true;
            break;
        case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
            p->dynamic_discard = true;
            break;
        case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
            p->dynamic_stride = true;
            break;
        case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
            return unsupported("with dynamic vertex input");
        default:
            break;
        }
    }
    return record_vertex_input(b);
}

static VkResult create_compute(const struct build *b, int which, VkPipeline *pipeline)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = b->info->flags & (VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT |
                                   VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = b->modules[which],
                  .pName = "main"},
        .layout = b->pipeline->layout->compute,
        .basePipelineIndex = -1,
    };
    const VkResult result = b->dev->vk.CreateComputePipelines(b->dev->handle, b->cache, 1, &info,
                                                              b->allocator, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

/* Feedback by stage has no meaning for stages that are not the application's: we ask for none, and
 * say that none is valid. */
static VkResult create_raster(struct build *b, VkGraphicsPipelineCreateInfo *info)
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
    VkPipeline *raster = &b->pipeline->raster;
    const VkResult result =
        b->dev->vk.CreateGraphicsPipelines(b->dev->handle, b->cache, 1, info, b->allocator, raster);
    if (result != VK_SUCCESS)
        *raster = VK_NULL_HANDLE;
    pgs_free(block);
    return result;
}

static VkResult create_pipelines(struct build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    p->layout = pgs_layout_acquire(b->dev, b->info->layout);
    if (!p->layout)
        return unsupported("with a pipeline layout that the layer has not seen");
    VkResult result = create_compute(b, VERTEX, &p->vertex);
    if (result != VK_SUCCESS)
        return result;
    result = create_compute(b, GEOMETRY, &p->geometry);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_raster_info raster;
    result = pgs_raster_info_init(&raster, b->info, p->gs.output_kind, b->modules[RASTER],
                                  b->modules[FRAGMENT]);
    return result == VK_SUCCESS ? create_raster(b, &raster.info) : result;
}

void pgs_emulated_pipeline_destroy(struct pgs_device *dev, struct pgs_emulated_pipeline *p,
                                   const VkAllocationCallbacks *allocator)
{
    dev->vk.DestroyPipeline(dev->handle, p->vertex, allocator);
    dev->vk.DestroyPipeline(dev->handle, p->geometry, allocator);
    pgs_layout_release(dev, p->layout);
    pgs_free(p);
}

VkResult pgs_emulated_pipeline_create(struct pgs_device *dev, VkPipelineCache cache,
                                      const VkGraphicsPipelineCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkPipeline *handle)
{
    *handle = VK_NULL_HANDLE;
    struct build b = {.dev = dev, .cache = cache, .info = info, .allocator = allocator};
    b.pipeline = pgs_calloc(1, sizeof(*b.pipeline));
    if (!b.pipeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    b.dump_serial = pgs_dump_next_serial(dev);

    VkResult result = find_stages(&b);
    if (result == VK_SUCCESS)
        result = reflect(&b);
    if (result == VK_SUCCESS)
        result = record_state(&b);
    if (result == VK_SUCCESS)
        result = build_modules(&b);
    if (result == VK_SUCCESS)
        result = create_pipelines(&b);
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->pipelines, (uint64_t)b.pipeline->raster, b.pipeline))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;

    if (result == VK_SUCCESS) {
        *handle = b.pipeline->raster;
        atomic_store(&dev->pipelines->possible, true);
    } else {
        dev->vk.DestroyPipeline(dev->handle, b.pipeline->raster, allocator);
        pgs_emulated_pipeline_destroy(dev, b.pipeline, allocator);
    }
    for (int i = 0; i < 4; i++)
        dev->vk.DestroyShaderModule(dev->handle, b.modules[i], allocator);
    pgs_stage_code_finish(&b.vs);
    pgs_stage_code_finish(&b.gs);
    pgs_stage_code_finish(&b.fs);
    pgs_spv_blob_free(&b.pass_through);
    return result;
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
