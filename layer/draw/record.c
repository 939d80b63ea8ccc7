/* SPDX-License-Identifier: MIT */
#include "draw/record.h"

#include "base/log.h"
#include "draw/plan.h"
#include "draw/sizes.h"
#include "draw/vertex_fetch.h"
#include "memory/memory.h"
#include "poly_gs/format.h"

#include <stddef.h>
#include <string.h>

VkDeviceSize pgs_bound_size(VkDeviceSize buffer_B, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    if (offset_B >= buffer_B)
        return 0;
    const VkDeviceSize rest_B = buffer_B - offset_B;
    return size_B < rest_B ? size_B : rest_B; /* VK_WHOLE_SIZE is the largest value */
}

static uint32_t clamp_to_u32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Processors divide short numbers several times as fast. */
static uint64_t divide(uint64_t a, uint32_t b)
{
    return a <= UINT32_MAX ? (uint32_t)a / b : a / b;
}

void pgs_attribute_fill(struct pgs_attribute *out, const struct pgs_vertex_attribute *attribute,
                        const struct pgs_vertex_binding_state *binding, uint32_t stride_B,
                        const struct pgs_vertex_buffer *bound, const struct pgs_buffer_info *buffer)
{
    *out = (struct pgs_attribute){
        .stride_B = stride_B,
        .divisor = binding->divisor,
        .format = attribute->format,
        .flags = binding->instance_rate ? PGS_ATTRIBUTE_INSTANCE : 0,
    };
    if (!buffer || !buffer->address)
        return;
    const VkDeviceSize range_B = pgs_bound_size(buffer->size_B, bound->offset_B, bound->size_B);
    const VkDeviceSize first_end_B = (VkDeviceSize)attribute->offset_B + attribute->size_B;
    if (range_B < first_end_B)
        return;
    out->address = buffer->address + bound->offset_B + attribute->offset_B;
    /* Other formats are read by bytes anyway. */
    if (PGS_FORMAT_LAYOUT(attribute->format) == PGS_LAYOUT_32 && (out->address | stride_B) % 4)
        out->format |= PGS_FORMAT_UNALIGNED;
    out->element_count_el =
        stride_B ? clamp_to_u32(divide(range_B - first_end_B, stride_B) + 1) : UINT32_MAX;
}

static bool lookup(struct pgs_device *dev, VkBuffer handle, struct pgs_buffer_info *info)
{
    if (!pgs_buffer_lookup(dev, handle, info))
        return false;
    if (!info->address)
        pgs_log_once(PGS_LOG_ERROR, "the layer cannot access a buffer in external or protected "
                                    "memory: emulated draws read zeros from it and capture "
                                    "nothing to it");
    return true;
}

VkDeviceAddress pgs_word_address(struct pgs_device *dev, VkBuffer handle, VkDeviceSize offset_B)
{
    struct pgs_buffer_info buffer;
    if (!handle || offset_B % 4 || !lookup(dev, handle, &buffer) || !buffer.address ||
        pgs_bound_size(buffer.size_B, offset_B, 4) < 4)
        return 0;
    return buffer.address + offset_B;
}

/* Absent ones read zeros, whatever type their inputs have. */
static void clear_attributes(struct pgs_draw_record *record,
                             const struct pgs_emulated_pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        record->attributes[pipeline->attributes[i].location] =
            (struct pgs_attribute){.format = PGS_FORMAT_ZEROS};
}

static void fill_attributes(struct pgs_draw_record *record, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state)
{
    struct pgs_buffer_info buffer;
    VkBuffer last = VK_NULL_HANDLE;
    bool known = false;
    struct pgs_vertex_fetch fetch;
    pgs_vertex_fetch_find(&fetch, pipeline, state);
    if (fetch.attribute_count < pipeline->attribute_count) /* a former call may have had them */
        clear_attributes(record, pipeline);
    for (uint32_t i = 0; i < fetch.attribute_count; i++) {
        const struct pgs_vertex_attribute *attribute = &fetch.attributes[i];
        const struct pgs_vertex_binding_state *binding = &fetch.bindings[attribute->binding];
        const struct pgs_vertex_buffer *bound = &state->vertex[attribute->binding];
        const uint32_t stride_B = pgs_vertex_stride(&fetch, state, attribute->binding);
        if (i == 0 || bound->buffer != last) /* most attributes share a buffer */
            known = bound->buffer && lookup(dev, bound->buffer, &buffer);
        last = bound->buffer;
        pgs_attribute_fill(&record->attributes[attribute->location], attribute, binding, stride_B,
                           bound, known ? &buffer : NULL);
    }
}

static uint32_t index_size(VkIndexType type)
{
    switch ((int)type) {
    case VK_INDEX_TYPE_UINT8_EXT:
        return 1;
    case VK_INDEX_TYPE_UINT16:
        return 2;
    default:
        return 4;
    }
}

struct pgs_bound_indices pgs_bound_indices_find(struct pgs_device *dev,
                                                const struct pgs_graphics_state *state)
{
    struct pgs_bound_indices indices = {.size_B = index_size(state->index_type)};
    struct pgs_buffer_info buffer;
    if (!state->index_buffer || !lookup(dev, state->index_buffer, &buffer) || !buffer.address)
        return indices;
    indices.address = buffer.address + state->index_offset_B;
    indices.bound_el =
        pgs_bound_size(buffer.size_B, state->index_offset_B, state->index_size_B) / indices.size_B;
    return indices;
}

void pgs_record_fill_numbers(struct pgs_draw_record *record, const struct pgs_draw_call *call,
                             const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges)
{
    record->vertex_count = call->count;
    record->instance_count = call->instance_count;
    record->primitive_count = plan->primitives;
    record->vertices = ranges->vertices.address;
    record->primitive_list = ranges->primitive_list.address;
    record->restart_tiles = ranges->restart_tiles.address;
    record->restart_count = ranges->restart_count.address;
}

void pgs_record_fill_call(struct pgs_draw_record *record, const struct pgs_direct_call *call,
                          const struct pgs_bound_indices *indices)
{
    record->first_vertex = call->indexed ? (uint32_t)call->vertex_offset : call->first;
    record->first_instance = call->first_instance;
    record->draw_index = call->draw_index;
    if (!call->indexed)
        return;
    const bool any = indices->address && indices->bound_el > call->first;
    record->index_size_B = indices->size_B;
    /* 0: every index reads as 0 */
    record->index_bound_el = any ? clamp_to_u32(indices->bound_el - call->first) : 0;
    record->index_address =
        any ? indices->address + (VkDeviceSize)call->first * indices->size_B : 0;
}

/* True if a geometry shader reads the primitives, or its emits determine the counts. */
static bool assembles_for_geometry(const struct pgs_draw_plan *plan)
{
    return pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) || plan->count == PGS_COUNT_STATIC ||
           pgs_raster_runs_geometry(plan->raster);
}

static uint32_t list_flags(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_draw_plan *plan)
{
    if (plan->raster != PGS_RASTER_POLYGONS)
        return pgs_plan_lists_primitives(plan) ? PGS_DRAW_LISTS : 0;
    return PGS_DRAW_POLYGONS | (pipeline->polygons == PGS_SPV_POLYGONS_LINES ? PGS_DRAW_LINES : 0) |
           (pgs_spv_is_wide(pipeline->polygons) ? PGS_DRAW_WIDE : 0);
}

static uint32_t draw_flags(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    const bool provoking_last = (pipeline->dynamic & PGS_DYNAMIC_PROVOKING)
                                    ? state->provoking_last
                                    : pipeline->provoking_last;
    const bool geometry = pgs_plan_runs(plan, PGS_STAGE_GEOMETRY);
    /* Captures behind a vertex shader have no adjacent vertices either. */
    const bool main_only = pipeline->pass_through || !assembles_for_geometry(plan);
    return (pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT) ? PGS_DRAW_RESTART : 0) |
           (main_only ? PGS_DRAW_MAIN : 0) | (provoking_last ? PGS_DRAW_PROVOKING_LAST : 0) |
           (geometry && pgs_spv_stream_count(pipeline->gs.stream_mask) > 1 ? PGS_DRAW_STREAMS : 0) |
           (pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT) ? PGS_DRAW_TESSELLATED : 0) |
           (plan->sizing == PGS_SIZE_GPU ? PGS_DRAW_INDIRECT : 0) | list_flags(pipeline, plan);
}

static uint32_t in_stride_w(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    if (!pgs_plan_runs(plan, PGS_STAGE_VERTEX))
        return 0;
    return pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT) ? pipeline->control_in.stride_w
                                                     : pipeline->gs.in.stride_w;
}

/* If only the GPU knows the number of gs_invocations, a draw without a geometry shader has 0. */
static uint32_t invocations(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    return pgs_gs_invocations_unknown(plan) && !assembles_for_geometry(plan)
               ? 0
               : pipeline->gs.invocations;
}

void pgs_record_fill_data(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state)
{
    memcpy(record->push, state->push, pgs_record_push_size(pipeline));
    fill_attributes(record, dev, pipeline, state);
}

void pgs_record_fill_draw(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                          const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    *record = (struct pgs_draw_record){
        .flags = draw_flags(pipeline, state, plan) | (call->indexed ? PGS_DRAW_INDEXED : 0),
        .topology = pgs_record_topology(pipeline, state, plan),
        .invocations = invocations(pipeline, plan),
        .max_vertices = gs->max_vertices,
        .out_kind = gs->output_kind,
        .strip_end_words = (gs->max_vertices + 31) / 32,
        .raster_stream = pgs_raster_stream(pipeline, state),
        .stream_count = pgs_spv_stream_count(gs->stream_mask),
        .view_index = pipeline->view_mask ? state->view_index : 0,
        .in_stride_w = in_stride_w(pipeline, plan),
        .out_stride_w = gs->out_stride_w,
        .tessellation = ranges->tessellation.address,
        .pool = ranges->pool,
        .grids = ranges->grids.address,
        .out_head_w = gs->out_head_w,
        /* a list has up to three indices for each vertex */
        .max_gs_invocations = pgs_max_gs_invocations(
            pgs_plan_lists_primitives(plan) ? PGS_MAX_OUT_VERTICES : pgs_max_out_vertices(dev), gs),
    };
    pgs_record_fill_numbers(record, call, plan, ranges);
    struct pgs_bound_indices indices = {0};
    if (call->indexed)
        indices = pgs_bound_indices_find(dev, state);
    pgs_record_fill_call(record, &call->direct, &indices);
    pgs_record_fill_data(record, dev, pipeline, state);
}

VkDeviceSize pgs_index_bind_offset(const struct pgs_range *indices)
{
    const unsigned window_log2 =
        33; /* firstIndex reaches 2^34 bytes, and no index list is longer */
    return indices->offset_B >> window_log2 << window_log2;
}

void pgs_record_fill_subdraw(struct pgs_draw_record *record, const struct pgs_draw_plan *plan,
                             uint32_t subdraw, const struct pgs_subdraw_ranges *ranges)
{
    record->gs_invocation_first = subdraw * plan->subdraw_gs_invocations;
    record->gs_invocation_bound = pgs_subdraw_gs_invocations(plan, subdraw);
    record->out_vertices = ranges->out_vertices.address;
    record->out_rest = record->out_head_w
                           ? ranges->out_vertices.address +
                                 (uint64_t)record->gs_invocation_bound * record->max_vertices *
                                     record->out_head_w * sizeof(uint32_t)
                           : 0;
    record->strip_ends = ranges->strip_ends.address;
    record->counts = ranges->counts.address;
    record->tile_sums = ranges->tile_sums.address;
    record->indices = ranges->indices.address;
    record->draw_args = ranges->draw_args.address;
    record->primitives = ranges->primitives.address;
    record->first_index =
        (uint32_t)((ranges->indices.offset_B - pgs_index_bind_offset(&ranges->indices)) / 4);
}

size_t pgs_record_push_size(const struct pgs_emulated_pipeline *pipeline)
{
    const size_t most_B = sizeof(((struct pgs_draw_record *)0)->push);
    const size_t push_B = pipeline->push_B < most_B ? pipeline->push_B : most_B;
    return pipeline->uses_push_constants ? push_B : 0;
}

void pgs_record_write(void *mapped, const struct pgs_draw_record *record, size_t size_B,
                      size_t push_B)
{
    const size_t begin_B = offsetof(struct pgs_draw_record, attributes);
    memcpy(mapped, record, offsetof(struct pgs_draw_record, push) + push_B);
    memcpy((unsigned char *)mapped + begin_B, record->attributes, size_B - begin_B);
}
