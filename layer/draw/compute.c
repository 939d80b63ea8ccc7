/* SPDX-License-Identifier: MIT */
#include "draw/compute.h"

#include "draw/alike.h"
#include "draw/indirect.h"
#include "draw/plan.h"
#include "draw/plan_topology.h"
#include "draw/polygons.h"
#include "draw/setup.h"
#include "draw/sizes.h"
#include "draw/strip_list.h"
#include "draw/tessellation.h"
#include "pipeline/inline_list.h"
#include "pipeline/record_inputs.h"
#include "pipeline/stored_records.h"

#include <stddef.h>
#include <string.h>

void pgs_draw_find_groups(struct pgs_draw *draw)
{
    const uint32_t variants = draw->plan.variants;
    draw->groups = 0;
    for (int v = 0; variants >> v; v++)
        if (variants >> v & 1)
            draw->groups |= UINT32_C(1) << pgs_variant_group(draw->pipeline, (enum pgs_variant)v);
    draw->groups &= (UINT32_C(1) << PGS_GROUP_COUNT) - 1; /* else the application's sets */
}

VkResult pgs_draw_find_raster_sets(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                                   const struct pgs_draw *draw, const struct pgs_draw_sets **sets,
                                   const struct pgs_bound_sets **sets_before)
{
    const VkResult result =
        pgs_draw_sets_find(arena, draw->dev, draw->pipeline, state, PGS_GROUP_RASTER, sets);
    if (result != VK_SUCCESS)
        return result;
    *sets_before = pgs_bound_sets_copy(arena, state);
    return *sets_before ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_draw_find_sets(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                            struct pgs_draw *draw)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t left = draw->groups; left && result == VK_SUCCESS; left &= left - 1) {
        const enum pgs_stage_group group = (enum pgs_stage_group)__builtin_ctz(left);
        result = group == PGS_GROUP_RASTER
                     ? pgs_draw_find_raster_sets(arena, state, draw, &draw->sets[group],
                                                 &draw->sets_before)
                     : pgs_draw_sets_find(arena, draw->dev, draw->pipeline, state, group,
                                          &draw->sets[group]);
    }
    return result;
}

/* Bytes before each record: its pgs_capture, if a shader captures by itself and has to find it. */
static uint32_t before_record(const struct pgs_draw_plan *plan)
{
    const uint32_t any = PGS_STAGE_BIT(XFB_SHADER) | PGS_STAGE_BIT(CHUNKS_COUNT);
    return plan->stages & any ? PGS_CAPTURE_BEFORE_B : 0;
}

/* True if each draw of an indirect call has nothing of its own but a record and arguments, since
 * the GPU takes the memory for the rest. */
static bool has_only_records(const struct pgs_draw_plan *plan)
{
    const uint32_t own =
        PGS_STAGES_RESTART | PGS_STAGE_BIT(TESS_COUNT) | PGS_STAGE_BIT(CHUNKS_COUNT);
    return plan->sizing == PGS_SIZE_GPU && plan->count == PGS_COUNT_NONE && !(plan->stages & own) &&
           !before_record(plan);
}

/* True if one raster draw takes the arguments of all records. */
static bool draws_at_once(const struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    return pgs_raster_reads_stored(plan->raster) && plan->raster != PGS_RASTER_POLYGONS &&
           pgs_stored_finds_records(dev->physical, pipeline);
}

VkResult pgs_draw_new(struct pgs_arena *arena, struct pgs_device *dev,
                      const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                      struct pgs_draw **out)
{
    struct pgs_draw *draw = pgs_arena_alloc(arena, sizeof(*draw), _Alignof(struct pgs_draw));
    const bool only_records = has_only_records(plan);
    const uint32_t subdraw_count = only_records ? 1 : plan->subdraw_count;
    struct pgs_subdraw *subdraws =
        pgs_arena_alloc(arena, subdraw_count * sizeof(*subdraws), _Alignof(struct pgs_subdraw));
    if (!draw || !subdraws)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *draw = (struct pgs_draw){
        .dev = dev,
        .pipeline = state->pipeline ? state->pipeline : state->counted,
        .call_count = 1,
        .room = 1,
        .plan = *plan,
        .view_index = state->view_index,
        .cull_mode = state->polygons.cull_mode,
        .bias_enable = state->polygons.bias_enable,
        .line_stipple = state->line_stipple,
        .line_width = state->line_width,
        .subdraws = subdraws,
        .only_records = only_records,
    };
    draw->at_once = only_records && draws_at_once(dev, draw->pipeline, plan);
    memset(subdraws, 0, subdraw_count * sizeof(*subdraws));
    *out = draw;
    if (pgs_raster_reads_stored(plan->raster))
        draw->stored = pgs_variant_handle(
            draw->pipeline,
            pgs_stored_variant(draw->pipeline, pgs_raster_stream(draw->pipeline, state)));
    pgs_draw_find_groups(draw);
    return pgs_draw_find_sets(arena, state, draw);
}

static struct pgs_range range_within(const struct pgs_range *all, VkDeviceSize at_B, size_t size_B)
{
    return (struct pgs_range){
        .buffer = all->buffer,
        .offset_B = all->offset_B + at_B,
        .size_B = size_B,
        .address = all->address + at_B,
        .mapped = (unsigned char *)all->mapped + at_B,
    };
}

struct pgs_subdraw pgs_draw_subdraw(const struct pgs_draw *draw, uint32_t number)
{
    if (!draw->only_records)
        return draw->subdraws[number];
    struct pgs_subdraw subdraw = draw->subdraws[0];
    const VkDeviceSize args_B = (VkDeviceSize)number * PGS_ARGS_STRIDE_B;
    subdraw.record = range_within(&draw->records, (VkDeviceSize)number * draw->record_stride_B,
                                  subdraw.record.size_B);
    subdraw.draw_args.offset_B += args_B;
    subdraw.draw_args.address += args_B;
    return subdraw;
}

VkResult pgs_compute_pool(struct pgs_batch_memory *memory, const void *batch,
                          enum pgs_pool_kind kind, uint64_t wanted_B,
                          const struct pgs_draw_pool **pool)
{
    struct pgs_draw_pool **of_pass = &memory->pass_pools[kind];
    if (!*of_pass) {
        struct pgs_draw_pool *made;
        const VkResult result = pgs_draw_pool_create(&memory->arena, memory->upload, kind, &made);
        if (result != VK_SUCCESS)
            return result;
        made->next = memory->pools;
        memory->pools = *of_pass = made;
    }
    pgs_draw_pool_want(*of_pass, wanted_B);
    (*of_pass)->last_user = batch;
    *pool = *of_pass;
    return VK_SUCCESS;
}

/* Takes one array of scratch. An array without elements gets an empty range. */
static VkResult take(struct pgs_linear *scratch, uint64_t size_B, struct pgs_range *range)
{
    *range = (struct pgs_range){0};
    return size_B ? pgs_linear_alloc(scratch, size_B, PGS_SCRATCH_ALIGN_B, range) : VK_SUCCESS;
}

/* Takes what only tessellated draws need. */
static VkResult take_patches(const struct pgs_draw_sizes *sizes, struct pgs_batch_memory *memory,
                             struct pgs_draw_ranges *ranges)
{
    VkResult result = take(memory->scratch, sizes->patches_B, &ranges->patches);
    if (result == VK_SUCCESS)
        result = take(memory->scratch, sizes->starts_B, &ranges->starts);
    if (result == VK_SUCCESS)
        result = take(memory->scratch, sizes->patch_tiles_B, &ranges->patch_tiles);
    if (result == VK_SUCCESS)
        result = take(memory->scratch, sizes->grids_B, &ranges->grids);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(memory->upload, sizeof(struct pgs_tessellation),
                                  PGS_SCRATCH_ALIGN_B, &ranges->tessellation);
    return result;
}

static VkResult take_draw_ranges(const struct pgs_draw *draw, struct pgs_batch_memory *memory,
                                 struct pgs_draw_ranges *ranges)
{
    struct pgs_linear *scratch = memory->scratch;
    struct pgs_draw_sizes sizes;
    *ranges = (struct pgs_draw_ranges){0};
    if (draw->plan.sizing == PGS_SIZE_GPU)
        return take(scratch, sizeof(struct pgs_grids), &ranges->grids);
    pgs_draw_sizes(draw->pipeline, &draw->plan, draw->vertex_count, &sizes);
    VkResult result = VK_SUCCESS;
    if (pgs_plan_runs(&draw->plan, PGS_STAGE_TESS_COUNT))
        result = take_patches(&sizes, memory, ranges);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.vertices_B, &ranges->vertices);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.primitive_list_B, &ranges->primitive_list);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.restart_tiles_B, &ranges->restart_tiles);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.restart_count_B, &ranges->restart_count);
    return result;
}

/* Arguments of one subdraw, or with only_records of all. */
static uint64_t args_B(const struct pgs_draw *draw, const struct pgs_subdraw_sizes *sizes)
{
    const uint64_t others = draw->only_records ? draw->plan.subdraw_count - 1 : 0;
    return sizes->draw_args_B ? sizes->draw_args_B + others * PGS_ARGS_STRIDE_B : 0;
}

static VkResult take_subdraw_ranges(const struct pgs_draw *draw, uint32_t gs_invocations,
                                    struct pgs_linear *scratch, struct pgs_subdraw_ranges *ranges)
{
    struct pgs_subdraw_sizes sizes;
    pgs_subdraw_sizes(&draw->pipeline->gs, &draw->plan, gs_invocations, &sizes);
    VkResult result = take(scratch, sizes.out_vertices_B, &ranges->out_vertices);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.strip_ends_B, &ranges->strip_ends);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.counts_B, &ranges->counts);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.tile_sums_B, &ranges->tile_sums);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.indices_B, &ranges->indices);
    if (result == VK_SUCCESS)
        result = take(scratch, args_B(draw, &sizes), &ranges->draw_args);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.primitives_B, &ranges->primitives);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.capture_tiles_B, &ranges->capture_tiles);
    return result;
}

bool pgs_draw_takes_record(const struct pgs_draw *draw)
{
    const enum pgs_raster_path raster = draw->plan.raster;
    return draw->pipeline && draw->pipeline->takes_record &&
           (raster == PGS_RASTER_INLINE_GS || raster == PGS_RASTER_STORED_OR_INLINE) &&
           draw->plan.in_line == PGS_VARIANT_INLINE;
}

VkResult pgs_records_take(const struct pgs_draw *draw, struct pgs_linear *upload, uint32_t count,
                          struct pgs_range *range)
{
    const VkDeviceSize stride_B = draw->record_stride_B, size_B = count * stride_B;
    const VkDeviceSize more_B = pgs_draw_takes_record(draw) ? stride_B - PGS_RECORD_LINE_B : 0;
    const VkResult result = pgs_linear_alloc(upload, size_B + more_B, PGS_RECORD_LINE_B, range);
    if (result == VK_SUCCESS && more_B && range->offset_B % stride_B)
        *range = range_within(range, stride_B - range->offset_B % stride_B, size_B);
    range->size_B = size_B;
    return result;
}

/* Takes memory for all subdraws, one after the other, that the CPU writes. */
static VkResult take_each(const struct pgs_draw *draw, struct pgs_linear *upload, size_t stride_B,
                          struct pgs_range *range)
{
    return pgs_linear_alloc(upload, (uint64_t)draw->plan.subdraw_count * stride_B,
                            PGS_RECORD_LINE_B, range);
}

/* Takes memory for the records of all subdraws, or calls. */
static VkResult take_records(struct pgs_draw *draw, struct pgs_linear *upload)
{
    const uint32_t subdraws = draw->plan.subdraw_count;
    return pgs_records_take(draw, upload, subdraws > draw->room ? subdraws : draw->room,
                            &draw->records);
}

static uint32_t record_stride(const struct pgs_draw *draw)
{
    return before_record(&draw->plan) + pgs_record_size(draw->pipeline);
}

/* Prepares the tables and captures of a draw that is counted, as far as subdraws share them.
 * Captures that lie before records are not taken here. */
static VkResult prepare_capture(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                                struct pgs_batch_memory *memory, struct pgs_range *captures,
                                VkDeviceAddress *copies)
{
    *copies = 0;
    if (draw->plan.count == PGS_COUNT_NONE)
        return VK_SUCCESS;
    VkResult result =
        pgs_capture_queries(&memory->tables, &state->queries, memory->upload, &draw->queries);
    if (result == VK_SUCCESS && pgs_plan_runs(&draw->plan, PGS_STAGE_XFB_COPY))
        result = pgs_capture_copies(&memory->tables, draw->pipeline, &memory->arena, memory->upload,
                                    copies);
    if (result == VK_SUCCESS && !before_record(&draw->plan))
        result = take_each(draw, memory->upload, PGS_CAPTURE_STRIDE_B, captures);
    return result;
}

/* Writes the byte count to the capture before the draw's only record. */
static void write_count(struct pgs_draw *draw, const struct pgs_byte_count *count)
{
    unsigned char *capture =
        (unsigned char *)draw->subdraws[0].record.mapped - PGS_CAPTURE_BEFORE_B;
    memcpy(capture + offsetof(struct pgs_capture, count), count, sizeof(*count));
    draw->counter = count->counter;
}

static void count_in_capture(struct pgs_draw *draw, const struct pgs_setup *setup)
{
    write_count(draw, &(struct pgs_byte_count){
                          .counter = setup->counter,
                          .offset_B = setup->counter_offset_B,
                          .stride_B = setup->vertex_stride_B,
                          .most_el = setup->vertex_count,
                      });
}

void pgs_compute_count_first(struct pgs_draw *draw)
{
    write_count(draw, &(struct pgs_byte_count){.counter = 0});
}

/* A native draw by byte count reads its arguments from memory that the GPU writes. */
static VkResult take_native_args(struct pgs_draw *draw, const struct pgs_draw_call *call,
                                 struct pgs_linear *scratch)
{
    const bool native = draw->plan.raster == PGS_RASTER_NATIVE && call->byte_count;
    return take(scratch, native ? sizeof(VkDrawIndirectCommand) : 0, &draw->args);
}

/* All records exist by now. This is the last step that can fail. */
static VkResult prepare_setup(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call, struct pgs_batch_memory *memory)
{
    if (draw->plan.sizing != PGS_SIZE_SETUP)
        return VK_SUCCESS;
    VkResult result = take_native_args(draw, call, memory->scratch);
    struct pgs_range range;
    if (result == VK_SUCCESS)
        result =
            pgs_linear_alloc(memory->upload, sizeof(struct pgs_setup), PGS_SCRATCH_ALIGN_B, &range);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_setup_target target = {.args = draw->args.address};
    if (draw->plan.subdraw_count)
        target = (struct pgs_setup_target){
            .records = draw->subdraws[0].record.address,
            .record_count = draw->plan.subdraw_count,
            .record_stride_B = draw->record_stride_B,
            .args = draw->args.address,
        };
    struct pgs_setup setup;
    pgs_setup_fill(&setup, draw->dev, state, call,
                   pgs_record_topology(draw->pipeline, state, &draw->plan), &target);
    memcpy(range.mapped, &setup, sizeof(setup));
    draw->setup = range.address;
    if (draw->plan.xfb == PGS_XFB_VS && setup.flags == PGS_SETUP_BYTE_COUNT)
        count_in_capture(draw, &setup);
    return VK_SUCCESS;
}

static uint64_t chunks_B(const struct pgs_draw *draw)
{
    const uint64_t streams = pgs_spv_stream_count(draw->pipeline->gs.stream_mask);
    return pgs_plan_runs(&draw->plan, PGS_STAGE_CHUNKS_COUNT) ? PGS_CHUNKS * streams * 8 : 0;
}

/* True if kernels that size the draw read its capture. */
static bool counts_on_gpu(const struct pgs_draw_plan *plan)
{
    return (plan->sizing == PGS_SIZE_GPU || pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE)) &&
           plan->count != PGS_COUNT_STATIC;
}

/* `record` holds what all subdraws share. */
static VkResult prepare_subdraw(struct pgs_draw *draw, uint32_t i, struct pgs_draw_record *record,
                                struct pgs_linear *scratch, const struct pgs_range *capture,
                                VkDeviceAddress copies)
{
    struct pgs_subdraw *subdraw = &draw->subdraws[i];
    struct pgs_subdraw_ranges ranges;
    struct pgs_range chunks;
    subdraw->gs_invocations = pgs_subdraw_gs_invocations(&draw->plan, i);
    VkResult result = take_subdraw_ranges(draw, subdraw->gs_invocations, scratch, &ranges);
    if (result == VK_SUCCESS)
        result = take(scratch, chunks_B(draw), &chunks);
    if (result != VK_SUCCESS)
        return result;
    subdraw->indices = ranges.indices;
    subdraw->out_vertices = ranges.out_vertices;
    subdraw->draw_args = ranges.draw_args;
    pgs_record_fill_subdraw(record, &draw->plan, i, &ranges);
    record->self = subdraw->record.address;
    record->capture = counts_on_gpu(&draw->plan) ? capture->address : 0;
    pgs_record_write(subdraw->record.mapped, record, subdraw->record.size_B,
                     pgs_record_push_size(draw->pipeline));
    if (draw->plan.count != PGS_COUNT_NONE) {
        struct pgs_capture filled;
        pgs_capture_fill(&filled, draw->pipeline, &draw->plan, i, subdraw->record.address,
                         ranges.capture_tiles.address, copies, &draw->xfb_target);
        filled.chunks = chunks.address;
        memcpy(capture->mapped, &filled, sizeof(filled));
        subdraw->capture = capture->address;
    }
    return VK_SUCCESS;
}

/* Arguments of the raster draw that runs shaders. Control shaders write sizes into those of a draw
 * for each patch. */
static VkResult take_patch_args(const struct pgs_draw *draw, struct pgs_batch_memory *memory,
                                struct pgs_range *range)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const uint64_t each_B = sizeof(VkDrawIndirectCommand);
    if (!plan->by_patch)
        return take(memory->scratch, pgs_raster_runs_shaders(plan->raster) ? each_B : 0, range);
    const VkResult result =
        pgs_linear_alloc(memory->upload, plan->patches * each_B, PGS_SCRATCH_ALIGN_B, range);
    for (uint32_t i = 0; i < plan->patches && result == VK_SUCCESS; i++) {
        const VkDrawIndirectCommand args = {.instanceCount = 1,
                                            .firstVertex = i << PGS_PATCH_DRAW_LOG2};
        memcpy((unsigned char *)range->mapped + i * each_B, &args, sizeof(args));
    }
    return result;
}

static VkResult prepare_tessellation(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                                     const struct pgs_draw_ranges *ranges,
                                     struct pgs_subdraw *subdraw, struct pgs_batch_memory *memory)
{
    struct pgs_tessellation filled;
    const VkResult result = take_patch_args(draw, memory, &subdraw->inline_args);
    if (result != VK_SUCCESS)
        return result;
    pgs_tess_fill(&filled, draw->pipeline, state, &draw->plan, ranges);
    filled.inline_args = subdraw->inline_args.address;
    memcpy(ranges->tessellation.mapped, &filled, sizeof(filled));
    return VK_SUCCESS;
}

VkResult pgs_inline_roots_take(struct pgs_draw *draw, struct pgs_batch_memory *memory,
                               uint32_t count)
{
    return pgs_linear_alloc(memory->upload, count * sizeof(struct pgs_inline_draw),
                            PGS_RECORD_LINE_B, &draw->inline_root);
}

struct pgs_inline_draw pgs_inline_draw_of(const struct pgs_draw *draw)
{
    return (struct pgs_inline_draw){
        .records = draw->subdraws[0].record.address,
        .record_stride_B = draw->record_stride_B,
        .record_count = draw->plan.subdraw_count,
        .vertices_per_gs_invocation = draw->plan.inline_vertices,
        .in_line = pgs_inline_lists_invocations(draw->pipeline, draw->plan.in_line),
        .args = draw->inline_args.address,
    };
}

/* What grows stays in a register: see base/load.h. */
void pgs_inline_roots_write(const struct pgs_draw *draw, const struct pgs_inline_draw *first,
                            uint32_t count)
{
    const size_t rest_B = sizeof(*first) - sizeof(first->records);
    unsigned char *restrict to = draw->inline_root.mapped;
    uint64_t records = first->records;
    for (uint32_t i = 0; i < count; i++, to += sizeof(*first)) {
        memcpy(to, &records, sizeof(records));
        memcpy(to + sizeof(records), (const unsigned char *)first + sizeof(records), rest_B);
        records += draw->record_stride_B;
    }
}

/* Each record of a tessellated draw is drawn by itself, with arguments of its own. */
static VkResult prepare_inline_tessellated(struct pgs_draw *draw, struct pgs_batch_memory *memory)
{
    const VkResult result = pgs_inline_roots_take(draw, memory, draw->plan.subdraw_count);
    struct pgs_inline_draw filled = pgs_inline_draw_of(draw);
    filled.record_count = 1;
    filled.args = 0;
    if (result == VK_SUCCESS)
        pgs_inline_roots_write(draw, &filled, draw->plan.subdraw_count);
    return result;
}

static VkResult find_strips(struct pgs_draw *draw)
{
    const struct pgs_emulated_pipeline *pipeline = draw->pipeline;
    if (!pgs_inline_has_indices(pipeline, draw->plan.in_line))
        return VK_SUCCESS;
    return pgs_strip_list_find(draw->dev, pipeline->indexed_el, pipeline->gs.output_kind,
                               pipeline->provoking_last, &draw->strips);
}

/* Call it when the addresses of the records are known. */
static VkResult prepare_inline(struct pgs_draw *draw, struct pgs_batch_memory *memory)
{
    const uint64_t args_B = draw->plan.sizing == PGS_SIZE_GPU ? sizeof(VkDrawIndirectCommand) : 0;
    const enum pgs_raster_path raster = draw->plan.raster;
    if (!pgs_raster_runs_geometry(raster) || raster == PGS_RASTER_SIFTED ||
        raster == PGS_RASTER_PICKED)
        return VK_SUCCESS;
    if (draw->pipeline->tessellated)
        return prepare_inline_tessellated(draw, memory);
    VkResult result = find_strips(draw);
    if (result != VK_SUCCESS)
        return result;
    if (pgs_draw_takes_record(draw) && draw->plan.sizing != PGS_SIZE_GPU)
        return VK_SUCCESS;
    result = take(memory->scratch, args_B, &draw->inline_args);
    if (result == VK_SUCCESS)
        result = pgs_inline_roots_take(draw, memory, draw->room);
    const struct pgs_inline_draw first = pgs_inline_draw_of(draw);
    if (result == VK_SUCCESS)
        pgs_inline_roots_write(draw, &first, draw->room);
    return result;
}

/* Prepares what each draw of an indirect call has besides its record. */
static VkResult prepare_draw_of_call(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                                     uint32_t i, uint32_t number, struct pgs_draw_record *record,
                                     struct pgs_batch_memory *memory)
{
    struct pgs_draw_ranges own = {0};
    const bool restart = pgs_plan_runs(&draw->plan, PGS_STAGE_RESTART_EMIT);
    const bool tessellated = pgs_plan_runs(&draw->plan, PGS_STAGE_TESS_COUNT);
    const uint64_t restart_count_B = restart ? 2 * sizeof(uint32_t) : 0;
    VkResult result = take(memory->scratch, restart_count_B, &own.restart_count);
    if (result == VK_SUCCESS && tessellated)
        result = pgs_linear_alloc(memory->upload, sizeof(struct pgs_tessellation),
                                  PGS_SCRATCH_ALIGN_B, &own.tessellation);
    if (result != VK_SUCCESS)
        return result;
    if (tessellated)
        result = prepare_tessellation(draw, state, &own, &draw->subdraws[i], memory);
    record->restart_count = own.restart_count.address;
    draw->subdraws[i].tessellation = own.tessellation;
    record->tessellation = own.tessellation.address;
    record->draw_index = number;
    return result;
}

/* `shared`: the members that the records of all draws have in common. */
static VkResult prepare_indirect(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call,
                                 const struct pgs_draw_record *shared,
                                 struct pgs_batch_memory *memory)
{
    struct pgs_range range;
    VkResult result =
        pgs_linear_alloc(memory->upload, sizeof(struct pgs_indirect), PGS_SCRATCH_ALIGN_B, &range);
    if (result == VK_SUCCESS)
        result = take_native_args(draw, call, memory->scratch);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_indirect indirect;
    pgs_indirect_fill(&indirect, draw->dev, state, call, &draw->plan, shared,
                      draw->subdraws[0].record.address, draw->record_stride_B);
    if (!draw->pipeline->tessellated) /* else tess_allot decides */
        indirect.inline_draw = draw->inline_root.address;
    indirect.native_args = draw->args.address;
    memcpy(range.mapped, &indirect, sizeof(indirect));
    draw->indirect = range.address;
    draw->indirect_mapped = range.mapped;
    return VK_SUCCESS;
}

_Static_assert(sizeof(VkDrawIndexedIndirectCommand) <= PGS_ARGS_STRIDE_B &&
                   PGS_ARGS_STRIDE_B % PGS_SCRATCH_ALIGN_B == 0,
               "arguments");

/* Writes all records but the first one, with only_records. *record is the first one's. */
static void write_alike(const struct pgs_draw *draw, const struct pgs_draw_call *call,
                        struct pgs_draw_record *record)
{
    const struct pgs_alike alike = {
        .first = draw->records.mapped,
        .count = draw->plan.subdraw_count,
        .stride_B = draw->record_stride_B,
        .record_B = (uint32_t)draw->subdraws[0].record.size_B,
        .args_stride_B = PGS_ARGS_STRIDE_B,
        .drawn_at_once = draw->at_once,
    };
    pgs_alike_write(&alike, draw->pipeline, call, record);
}

static VkResult prepare_subdraws(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                                 struct pgs_draw_record *record)
{
    struct pgs_draw_ranges shared;
    struct pgs_range captures = {0};
    VkDeviceAddress copies;
    const size_t record_B = pgs_record_size(draw->pipeline), stride_B = draw->record_stride_B;
    VkResult result = take_draw_ranges(draw, memory, &shared);
    if (result == VK_SUCCESS)
        result = take_records(draw, memory->upload);
    if (result == VK_SUCCESS)
        result = prepare_capture(draw, state, memory, &captures, &copies);
    if (result != VK_SUCCESS)
        return result;
    const bool indirect = draw->plan.sizing == PGS_SIZE_GPU;
    if (pgs_plan_runs(&draw->plan, PGS_STAGE_TESS_COUNT) && !indirect)
        result = prepare_tessellation(draw, state, &shared, &draw->subdraws[0], memory);
    if (result != VK_SUCCESS)
        return result;
    draw->subdraws[0].tessellation = shared.tessellation;
    draw->grids = shared.grids;
    shared.pool = draw->pool ? draw->pool->header.address : 0;
    pgs_record_fill_draw(record, draw->dev, draw->pipeline, state, call, &draw->plan, &shared);
    if (draw->plan.raster == PGS_RASTER_POLYGONS)
        result = pgs_polygons_upload(state, pgs_plan_runs(&draw->plan, PGS_STAGE_STIPPLE),
                                     memory->upload, record);
    const uint32_t each = draw->only_records ? 1 : draw->plan.subdraw_count;
    for (uint32_t i = 0; i < each && result == VK_SUCCESS; i++) {
        const VkDeviceSize at_B = (VkDeviceSize)i * stride_B;
        draw->subdraws[i].record =
            range_within(&draw->records, at_B + before_record(&draw->plan), record_B);
        if (indirect)
            result =
                prepare_draw_of_call(draw, state, i, pgs_alike_number(call, i), record, memory);
        if (result != VK_SUCCESS)
            return result;
        struct pgs_range capture = {0};
        if (before_record(&draw->plan))
            capture = range_within(&draw->records, at_B, sizeof(struct pgs_capture));
        else if (draw->plan.count != PGS_COUNT_NONE)
            capture = range_within(&captures, (VkDeviceSize)i * PGS_CAPTURE_STRIDE_B,
                                   sizeof(struct pgs_capture));
        result = prepare_subdraw(draw, i, record, memory->scratch, &capture, copies);
    }
    if (result == VK_SUCCESS && draw->only_records)
        write_alike(draw, call, record);
    if (result == VK_SUCCESS)
        result = prepare_inline(draw, memory);
    if (result == VK_SUCCESS && indirect)
        result = prepare_indirect(draw, state, call, record, memory);
    return result;
}

/* Strides keep arrays aligned and are whole vertices (pgs_draw_record.vertex_offset). */
static VkDeviceSize scratch_stride(const struct pgs_draw *draw)
{
    const VkDeviceSize vertex_B = draw->pipeline->gs.out_stride_w * sizeof(uint32_t);
    const VkDeviceSize unit_B = vertex_B * PGS_SCRATCH_ALIGN_B;
    return vertex_B ? (draw->scratch.size_B + unit_B - 1) / unit_B * unit_B : 0;
}

static void note_scratch(struct pgs_draw *draw, const struct pgs_batch_memory *memory,
                         const struct pgs_linear_mark *before)
{
    draw->scratch = (struct pgs_range){0};
    draw->scratch_stride_B =
        pgs_linear_since(memory->scratch, before, &draw->scratch) ? scratch_stride(draw) : 0;
}

VkResult pgs_compute_prepare_like(struct pgs_draw *draw, const struct pgs_draw_call *call,
                                  struct pgs_batch_memory *memory, struct pgs_draw_record *record)
{
    const struct pgs_linear_mark before = pgs_linear_mark(memory->scratch, PGS_SCRATCH_ALIGN_B);
    struct pgs_subdraw *subdraw = &draw->subdraws[0];
    struct pgs_draw_ranges shared;
    struct pgs_subdraw_ranges own;
    draw->vertex_count = call->count;
    subdraw->gs_invocations = pgs_subdraw_gs_invocations(&draw->plan, 0);
    VkResult result = take_draw_ranges(draw, memory, &shared);
    if (result == VK_SUCCESS)
        result = take_subdraw_ranges(draw, subdraw->gs_invocations, memory->scratch, &own);
    if (result == VK_SUCCESS)
        result = take_records(draw, memory->upload);
    if (result != VK_SUCCESS)
        return result;
    note_scratch(draw, memory, &before);
    subdraw->record = range_within(&draw->records, 0, subdraw->record.size_B);
    subdraw->indices = own.indices;
    subdraw->out_vertices = own.out_vertices;
    subdraw->draw_args = own.draw_args;
    pgs_record_fill_numbers(record, call, &draw->plan, &shared);
    pgs_record_fill_subdraw(record, &draw->plan, 0, &own);
    record->self = subdraw->record.address;
    record->vertex_offset = record->raster_instance = 0;
    return prepare_inline(draw, memory);
}

/* An instanced draw needs neither memory nor records. */
static VkResult keep_call(struct pgs_draw *draw, const struct pgs_draw_call *call,
                          struct pgs_arena *arena)
{
    struct pgs_draw_call *kept =
        pgs_arena_alloc(arena, sizeof(*kept), _Alignof(struct pgs_draw_call));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *kept = *call;
    draw->call = kept;
    return VK_SUCCESS;
}

VkResult pgs_compute_prepare(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                             struct pgs_draw_record *record)
{
    if (draw->plan.raster == PGS_RASTER_INSTANCED)
        return keep_call(draw, call, &memory->arena);
    const struct pgs_linear_mark before = pgs_linear_mark(memory->scratch, PGS_SCRATCH_ALIGN_B);
    draw->vertex_count = call->count;
    draw->record_stride_B = draw->plan.subdraw_count ? record_stride(draw) : 0;
    VkResult result = VK_SUCCESS;
    if (draw->plan.subdraw_count)
        result = prepare_subdraws(draw, state, call, memory, record);
    note_scratch(draw, memory, &before);
    if (result == VK_SUCCESS)
        result = prepare_setup(draw, state, call, memory);
    return result;
}
