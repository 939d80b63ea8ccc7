/* SPDX-License-Identifier: MIT */
#include "draw/record.h"

#include "base/load.h"
#include "base/log.h"
#include "base/numbers.h"
#include "draw/coverage.h"
#include "draw/plan.h"
#include "draw/plan_rounds.h"
#include "draw/plan_topology.h"
#include "draw/record_write.h"
#include "draw/sizes.h"
#include "draw/vertex_fetch.h"
#include "memory/memory.h"
#include "poly_gs/coverage.h"
#include "poly_gs/format.h"
#include "poly_gs/listing.h"
#include "poly_gs/places.h"
#include "poly_gs/planes.h"

#include <stddef.h>
#include <string.h>

VkDeviceSize pgs_bound_size(VkDeviceSize buffer_B, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    if (offset_B >= buffer_B)
        return 0;
    const VkDeviceSize rest_B = buffer_B - offset_B;
    return size_B < rest_B ? size_B : rest_B; /* VK_WHOLE_SIZE is the largest value */
}

static_assert(offsetof(struct pgs_draw_record, packed_vertices) == PGS_RECORD_PACKED_B,
              "kernels add to it by its address");

/* Processors divide short numbers several times as fast. */
static uint64_t divide(uint64_t a, uint32_t b)
{
    return a <= UINT32_MAX ? (uint32_t)a / b : a / b;
}

/* Elements in a range, of which the first one ends so many bytes before its end. */
static inline uint32_t count_elements(VkDeviceSize behind_first_B, uint32_t stride_B)
{
    return stride_B ? pgs_clamp_to_u32(divide(behind_first_B, stride_B) + 1) : UINT32_MAX;
}

/* Where an element must end to be there, from the begin of its binding's first one. */
static inline VkDeviceSize end_of(const struct pgs_vertex_attribute *attribute)
{
    return (VkDeviceSize)attribute->offset_B + attribute->size_B + attribute->behind_B;
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
    const VkDeviceSize first_end_B = end_of(attribute);
    if (range_B < first_end_B)
        return;
    out->address = buffer->address + bound->offset_B + attribute->offset_B;
    /* Other formats are read by bytes anyway. */
    if (PGS_FORMAT_LAYOUT(attribute->format) == PGS_LAYOUT_32 && (out->address | stride_B) % 4)
        out->format |= PGS_FORMAT_UNALIGNED;
    out->element_count_el = count_elements(range_B - first_end_B, stride_B);
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

/* NULL: nothing is bound, or the layer does not know it. */
static inline const struct pgs_buffer_info *buffer_of(struct pgs_record_source *source,
                                                      struct pgs_device *dev, VkBuffer handle)
{
    if (source->buffer != handle) {
        /* One that is bound no more may be destroyed. */
        source->buffer = VK_NULL_HANDLE;
        if (!handle || !lookup(dev, handle, &source->info))
            return NULL;
        source->buffer = handle;
    }
    return handle ? &source->info : NULL;
}

/* What is bound to a binding: where it begins, and how much there is. 0: nothing that the layer can
 * access. */
struct bound_range {
    VkDeviceAddress address;
    VkDeviceSize size_B;
    uint32_t stride_B;
    VkDeviceSize rest_B; /* behind its last whole stride */
    /* Elements of which the first one ends within rest_B, and others that are within a stride. */
    uint32_t most_el, usual_el;
};

static inline void count_strides(struct bound_range *range, uint32_t stride_B)
{
    uint64_t strides = UINT32_MAX;
    range->stride_B = stride_B;
    range->rest_B = range->size_B;
    if (stride_B && range->size_B < UINT32_MAX) {
        range->usual_el = (uint32_t)range->size_B / stride_B;
        range->rest_B = (uint32_t)range->size_B % stride_B;
        range->most_el = range->usual_el + 1;
        return;
    }
    if (stride_B) {
        strides = range->size_B / stride_B;
        range->rest_B = range->size_B % stride_B;
    }
    range->usual_el = pgs_clamp_to_u32(strides);
    range->most_el = pgs_clamp_to_u32(strides + 1);
}

/* Finds the range. False: it is that which the record was filled from. */
static inline bool take_range(struct pgs_record_source *source, struct pgs_device *dev,
                              uint32_t binding, const struct pgs_vertex_buffer *bound,
                              struct bound_range *range)
{
    struct pgs_vertex_buffer *before = &source->vertex[binding];
    const uint32_t bit = UINT32_C(1) << binding;
    const VkBuffer handle = bound->buffer;
    const VkDeviceSize offset_B = pgs_load_alone(&bound->offset_B),
                       size_B = pgs_load_alone(&bound->size_B);
    if ((source->known & bit) && before->buffer == handle && before->offset_B == offset_B &&
        before->size_B == size_B)
        return false;
    source->known |= bit;
    before->buffer = handle;
    before->offset_B = offset_B;
    before->size_B = size_B;
    const struct pgs_buffer_info *buffer = buffer_of(source, dev, handle);
    const bool any = buffer && buffer->address;
    range->address = any ? buffer->address + offset_B : 0;
    range->size_B = any ? pgs_bound_size(buffer->size_B, offset_B, size_B) : 0;
    return true;
}

/* As count_elements, of a range that holds the first one, which ends there: mostly without a
 * division. */
static inline uint32_t elements_of(const struct bound_range *range, VkDeviceSize first_end_B)
{
    if (first_end_B <= range->rest_B)
        return range->most_el;
    return first_end_B <= range->stride_B
               ? range->usual_el
               : count_elements(range->size_B - first_end_B, range->stride_B);
}

static_assert(offsetof(struct pgs_attribute, stride_B) == 8 &&
                  offsetof(struct pgs_attribute, element_count_el) == 12,
              "place_attribute");

static inline void place_attribute(struct pgs_attribute *out, VkDeviceAddress address,
                                   uint32_t stride_B, uint32_t element_count_el)
{
    const uint32_t halves[2] = {stride_B, element_count_el};
    uint64_t word;
    memcpy(&word, halves, sizeof(word));
    pgs_record_store_pair(out, address, word);
}

/* The format of an attribute at this address. */
static inline uint32_t format_at(const struct pgs_vertex_attribute *attribute,
                                 VkDeviceAddress address, uint32_t stride_B)
{
    const bool unaligned =
        PGS_FORMAT_LAYOUT(attribute->format) == PGS_LAYOUT_32 && (address | stride_B) % 4;
    return attribute->format | (unaligned ? PGS_FORMAT_UNALIGNED : 0);
}

/* As pgs_attribute_fill, which has filled it from another buffer, or of another place. */
static inline void move_attribute(struct pgs_attribute *out,
                                  const struct pgs_vertex_attribute *attribute,
                                  const struct bound_range *range)
{
    const VkDeviceSize first_end_B = end_of(attribute);
    if (range->size_B < first_end_B) {
        out->format = attribute->format;
        place_attribute(out, 0, range->stride_B, 0);
        return;
    }
    const VkDeviceAddress address = range->address + attribute->offset_B;
    if (!out->address || (out->address ^ address) % 4)
        out->format = format_at(attribute, address, range->stride_B);
    place_attribute(out, address, range->stride_B, elements_of(range, first_end_B));
}

/* For pipelines that fix all but the buffers. */
static void refill_attributes(struct pgs_draw_record *record, struct pgs_device *dev,
                              const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_graphics_state *state,
                              struct pgs_record_source *source)
{
    const struct pgs_vertex_attribute *attribute = pipeline->attributes;
    const struct pgs_vertex_attribute *const end = attribute + pipeline->attribute_count;
    while (attribute < end) {
        const uint32_t binding = attribute->binding;
        struct bound_range range;
        if (!take_range(source, dev, binding, &state->vertex[binding], &range)) {
            while (++attribute < end && attribute->binding == binding)
                ;
            continue;
        }
        count_strides(&range, pipeline->bindings[binding].stride_B);
        do
            move_attribute(&record->attributes[attribute->location], attribute, &range);
        while (++attribute < end && attribute->binding == binding);
    }
}

static bool is_out_of_reach(struct pgs_device *dev, VkBuffer handle)
{
    struct pgs_buffer_info buffer;
    return handle && (!pgs_buffer_lookup(dev, handle, &buffer) || !buffer.address);
}

bool pgs_record_reaches_inputs(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state, bool indexed)
{
    struct pgs_vertex_fetch fetch;
    pgs_vertex_fetch_find(&fetch, pipeline, state);
    if (fetch.attribute_count < pipeline->attribute_count)
        return false;
    for (uint32_t i = 0; i < fetch.attribute_count; i++)
        if (is_out_of_reach(dev, state->vertex[fetch.attributes[i].binding].buffer))
            return false;
    return !indexed || !is_out_of_reach(dev, state->index_buffer);
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

void pgs_bound_indices_find(struct pgs_bound_indices *indices, struct pgs_device *dev,
                            const struct pgs_graphics_state *state)
{
    struct pgs_buffer_info buffer;
    *indices = (struct pgs_bound_indices){.size_B = index_size(state->index_type)};
    if (!state->index_buffer || !lookup(dev, state->index_buffer, &buffer) || !buffer.address)
        return;
    indices->address = buffer.address + state->index_offset_B;
    indices->bound_el =
        pgs_bound_size(buffer.size_B, state->index_offset_B, state->index_size_B) / indices->size_B;
}

void pgs_record_fill_numbers(struct pgs_draw_record *record, const struct pgs_draw_call *call,
                             const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges)
{
    record->vertex_count = call->count;
    record->instance_count = call->instance_count;
    record->primitive_count = plan->primitives;
    record->vertices = ranges->vertices.address -
                       (uint64_t)plan->vertex_first * record->in_stride_w * sizeof(uint32_t);
    record->primitive_list = ranges->primitive_list.address;
    record->restart_tiles = ranges->restart_tiles.address;
    if (record->flags & PGS_DRAW_ROUND && plan->sizing != PGS_SIZE_GPU)
        record->restart_tiles = plan->vertex_first | (uint64_t)(plan->vertex_first + plan->vertices)
                                                         << 32;
    record->restart_count = ranges->restart_count.address;
}

static inline uint32_t first_vertex(const struct pgs_direct_call *call)
{
    return call->indexed ? (uint32_t)call->vertex_offset : call->first;
}

void pgs_record_fill_call(struct pgs_draw_record *record, const struct pgs_direct_call *call,
                          const struct pgs_bound_indices *indices)
{
    record->first_vertex = first_vertex(call);
    record->first_instance = call->first_instance;
    record->draw_index = call->draw_index;
    if (!call->indexed)
        return;
    record->index_size_B = indices->size_B;
    record->index_bound_el = pgs_record_index_bound(call, indices);
    record->index_address = pgs_record_index_address(call, indices, record->index_bound_el);
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
        return pgs_plan_lists_primitives(plan) ? PGS_DRAW_LISTS
               : pipeline->joins_lines         ? PGS_DRAW_JOINS
                                               : 0;
    return PGS_DRAW_POLYGONS | (pipeline->polygons == PGS_SPV_POLYGONS_LINES ? PGS_DRAW_LINES : 0) |
           (pgs_spv_is_wide(pipeline->polygons) ? PGS_DRAW_WIDE : 0) |
           (pgs_plan_runs(plan, PGS_STAGE_STIPPLE) ? PGS_DRAW_STIPPLED : 0) |
           (pipeline->stipple.joins ? PGS_DRAW_JOINS : 0);
}

static uint32_t draw_flags(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    const bool provoking_last = (pipeline->dynamic & PGS_DYNAMIC_PROVOKING)
                                    ? state->provoking_last
                                    : pipeline->provoking_last;
    const bool geometry = pgs_plan_runs(plan, PGS_STAGE_GEOMETRY);
    const uint32_t rounds = PGS_STAGE_BIT(INDIRECT_ROUND) | PGS_STAGE_BIT(INDIRECT_PATCHES);
    /* Captures behind a vertex shader have no adjacent vertices either. */
    const bool main_only = pipeline->pass_through || !assembles_for_geometry(plan);
    return (pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT) ? PGS_DRAW_RESTART : 0) |
           (plan->culls ? pipeline->cull_planes & PGS_DRAW_PLANES : 0) |
           (main_only ? PGS_DRAW_MAIN : 0) | (provoking_last ? PGS_DRAW_PROVOKING_LAST : 0) |
           (geometry && pgs_spv_stream_count(pipeline->gs.stream_mask) > 1 ? PGS_DRAW_STREAMS : 0) |
           (pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) ? PGS_DRAW_TESSELLATED : 0) |
           (plan->sizing == PGS_SIZE_GPU ? PGS_DRAW_INDIRECT : 0) |
           (plan->stages & rounds || (plan->is_part && pgs_plan_shades_part(plan)) ? PGS_DRAW_ROUND
                                                                                   : 0) |
           (pgs_raster_draws_evaluated(plan->raster) ? PGS_DRAW_EVALUATED : 0) |
           (plan->packed ? PGS_DRAW_PACKED : 0) | (plan->fetches ? PGS_DRAW_FETCHED : 0) |
           list_flags(pipeline, plan);
}

static uint32_t in_stride_w(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    if (!pgs_plan_runs(plan, PGS_STAGE_VERTEX))
        return 0;
    return pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) ? pipeline->control_in.stride_w
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

/* By 16 bytes, up to 15 more than the pipeline has: compilers make a string instruction of a copy
 * whose size they do not know but know to be small, which takes longer to start than this. */
static inline void fill_push(struct pgs_draw_record *record,
                             const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state)
{
    _Static_assert(sizeof(record->push) % 16 == 0 && sizeof(state->push) >= sizeof(record->push),
                   "copied by 16 bytes");
    const size_t push_B = pgs_record_push_size(pipeline);
    for (size_t i = 0; i < push_B; i += 16)
        memcpy((char *)record->push + i, (const char *)state->push + i, 16);
}

void pgs_record_fill_data(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state)
{
    fill_push(record, pipeline, state);
    fill_attributes(record, dev, pipeline, state);
}

void pgs_record_refill_data(struct pgs_draw_record *record, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state,
                            struct pgs_record_source *source)
{
    if (pipeline->dynamic & (PGS_DYNAMIC_VERTEX_INPUT | PGS_DYNAMIC_STRIDE)) {
        pgs_record_fill_data(record, dev, pipeline, state);
        return;
    }
    fill_push(record, pipeline, state);
    refill_attributes(record, dev, pipeline, state, source);
}

void pgs_record_fill_draw(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                          const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const struct pgs_coverage coverage =
        plan->culls ? pgs_coverage_find(state) : (struct pgs_coverage){0};
    *record = (struct pgs_draw_record){
        .flags = draw_flags(pipeline, state, plan) | (call->indexed ? PGS_DRAW_INDEXED : 0) |
                 coverage.flags,
        .polygons = coverage.half_px,
        .topology = pgs_record_topology(pipeline, state, plan),
        .invocations = invocations(pipeline, plan),
        .max_vertices =
            plan->raster == PGS_RASTER_SIFTED ? gs->one_vertex.strips : gs->max_vertices,
        .out_kind = gs->output_kind,
        .raster_stream = pgs_raster_stream(pipeline, state),
        .stream_count = pgs_spv_stream_count(gs->stream_mask),
        .view_index = pipeline->view_mask ? state->view_index : 0,
        .in_stride_w = in_stride_w(pipeline, plan),
        .out_stride_w = gs->out_stride_w,
        .tessellation = ranges->tessellation.address,
        .pool = ranges->pool,
        .grids = ranges->grids.address,
        .out_head_w = gs->out_head_w,
        .max_gs_invocations = pgs_max_gs_invocations(pgs_plan_lists_primitives(plan)
                                                         ? pgs_max_record_vertices(dev, pipeline)
                                                         : pgs_max_out_vertices(dev),
                                                     gs),
    };
    pgs_record_fill_numbers(record, call, plan, ranges);
    struct pgs_bound_indices indices = {0};
    if (call->indexed)
        pgs_bound_indices_find(&indices, dev, state);
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
    record->gs_invocation_first = plan->gs_first + subdraw * plan->subdraw_gs_invocations;
    record->gs_invocation_bound = pgs_subdraw_gs_invocations(plan, subdraw);
    record->flags &= ~(PGS_DRAW_SELF_LISTED | PGS_DRAW_SPREAD | PGS_DRAW_GATHERED |
                       PGS_DRAW_COVERAGE | PGS_DRAW_CUTS); /* another size may have had it */
    record->flags |= (plan->expand == PGS_EXPAND_CUT ? PGS_DRAW_CUTS
                      : plan->finds_uncovered        ? PGS_DRAW_COVERAGE
                                                     : 0) |
                     (plan->self_listed ? PGS_DRAW_SELF_LISTED : 0) |
                     (plan->spread ? PGS_DRAW_SPREAD : 0) |
                     (plan->gathered ? PGS_DRAW_GATHERED : 0);
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
    if (!plan->self_listed)
        record->packed_vertices = plan->slices;
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
    pgs_record_copy_lines(mapped, record, 0, PGS_RECORD_PUSH_B + push_B);
    pgs_record_copy_lines(mapped, record, offsetof(struct pgs_draw_record, attributes), size_B);
}

void pgs_record_write_lines(void *mapped, const struct pgs_draw_record *record,
                            const struct pgs_record_lines *lines,
                            const struct pgs_direct_call *call,
                            const struct pgs_bound_indices *indices)
{
    pgs_record_write_first_line(mapped, record, call, indices);
    if (!lines->first_only)
        pgs_record_copy_lines(mapped, record, PGS_RECORD_LINE_B, PGS_RECORD_PUSH_B);
    pgs_record_write_data(mapped, record, lines);
}

void pgs_record_lines_find(struct pgs_record_lines *lines,
                           const struct pgs_emulated_pipeline *pipeline, uint32_t size_B)
{
    *lines = (struct pgs_record_lines){
        .next_end_B = PGS_RECORD_PUSH_B,
        .push_end_B = PGS_RECORD_PUSH_B + (uint32_t)pgs_record_push_size(pipeline),
        .record_end_B = size_B,
    };
}

void pgs_record_set_step(struct pgs_record_lines *lines, size_t member_B, uint32_t step)
{
    memcpy((unsigned char *)lines->steps + member_B, &step, sizeof(step));
    if (step)
        lines->stepped |= UINT32_C(1) << member_B / (2 * sizeof(uint64_t));
}

/* Pairs grow in the width in which write_lines loads them. */
void pgs_record_write_step(void *mapped, struct pgs_draw_record *record,
                           const struct pgs_record_lines *lines)
{
    for (uint32_t left = lines->stepped; left; left &= left - 1) {
        const size_t first = 2 * (size_t)__builtin_ctz(left);
        const uint64_t *steps = lines->steps + first;
        unsigned char *at = (unsigned char *)record + 8 * first;
        uint64_t words[2];
        memcpy(words, at, sizeof(words));
        pgs_record_store_pair(at, words[0] + steps[0], words[1] + steps[1]);
    }
    pgs_record_copy_lines(mapped, record, 0, lines->push_end_B);
    pgs_record_copy_lines(mapped, record, offsetof(struct pgs_draw_record, attributes),
                          lines->record_end_B);
}
