/* SPDX-License-Identifier: MIT */
#include "draw/repeat.h"

#include "base/branch.h"
#include "base/load.h"
#include "base/log.h"
#include "draw/bound_buffers.h"
#include "draw/plan.h"
#include "draw/record_write.h"
#include "draw/sizes.h"

#include <stddef.h>
#include <string.h>

#define PGS_MAX_CALLS 65535
/* Most that calls to come get at once: of calls, and of scratch. */
#define PGS_ROOM_CALLS 64
#define PGS_ROOM_B (UINT64_C(256) << 10)
/* The same for calls that are chained, whose memory cannot grow, and for those that were as many in
 * an earlier pass. */
#define PGS_CHAIN_ROOM_B (UINT64_C(1) << 20)
#define PGS_USUAL_B (UINT64_C(16) << 20)

/* Calls of one draw: each has a root in a dispatch, and its vertices must have indices. Those of a
 * chain share a raster draw, whose vertices may have to lie within a range. */
static uint32_t max_calls(const struct pgs_draw *draw, bool chains, uint32_t stride_vertices)
{
    if (!stride_vertices)
        return PGS_MAX_CALLS;
    uint32_t most = pgs_max_out_vertices(draw->dev) / stride_vertices;
    const VkDeviceSize vertex_B = draw->pipeline->gs.out_stride_w * sizeof(uint32_t);
    const VkDeviceSize range_B = draw->dev->physical->traits.index_range_B;
    const VkDeviceSize in_range = range_B / (vertex_B * stride_vertices);
    if (chains && range_B && most > in_range)
        most = in_range ? (uint32_t)in_range : 1;
    return most < PGS_MAX_CALLS ? most : PGS_MAX_CALLS;
}

/* Pools, captures and several records would need memory or an order of their own, and what costs
 * more is to be planned each time. */
static bool is_repeatable(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const bool splits = draw->pipeline->gs.out_head_w;
    if (plan->sizing != PGS_SIZE_CPU || plan->is_part || plan->extra_ksteps ||
        plan->count != PGS_COUNT_NONE || plan->subdraw_count != 1 ||
        pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE))
        return false;
    switch (plan->raster) {
    case PGS_RASTER_STORED:
        return draw->scratch_stride_B &&
               (!splits || plan->direct_indices || pgs_knows_first_instances(draw->dev->physical));
    case PGS_RASTER_INLINE_GS:
        return !plan->stages;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
    case PGS_RASTER_POLYGONS:
        break;
    }
    return false;
}

static bool is_inline(const struct pgs_draw *draw)
{
    return draw->plan.raster == PGS_RASTER_INLINE_GS;
}

static pgs_address *address_at(struct pgs_draw_record *record, size_t offset_B)
{
    return (pgs_address *)(void *)((unsigned char *)record + offset_B);
}

#define MEMBER(name) offsetof(struct pgs_draw_record, name)

/* Finds the arrays that the draw has. */
static void find_moves(struct pgs_repeat *repeat)
{
    static const uint16_t arrays[PGS_REPEAT_MOVES] = {
        MEMBER(out_vertices),  MEMBER(out_rest),      MEMBER(vertices),   MEMBER(primitive_list),
        MEMBER(restart_tiles), MEMBER(restart_count), MEMBER(strip_ends), MEMBER(counts),
        MEMBER(tile_sums),     MEMBER(indices),       MEMBER(draw_args),  MEMBER(primitives),
    };
    repeat->move_count = 0;
    for (uint32_t i = 0; i < PGS_REPEAT_MOVES; i++)
        if (*address_at(&repeat->record, arrays[i]))
            repeat->moves[repeat->move_count++] = arrays[i];
}

static void find_lines(struct pgs_repeat *repeat, const struct pgs_draw *draw)
{
    struct pgs_record_lines *lines = &repeat->lines;
    const uint32_t all_B = repeat->chains ? PGS_CHAIN_LIST_B : PGS_RECORD_PUSH_B;
    pgs_record_lines_find(lines, draw->pipeline, (uint32_t)draw->subdraws[0].record.size_B);
    lines->first_only = draw->plan.raster == PGS_RASTER_INLINE_GS;
    lines->next_end_B = lines->first_only ? PGS_RECORD_LINE_B : all_B;
    uint32_t first_index_step = (uint32_t)(draw->scratch_stride_B / 4);
    for (uint32_t i = 0; i < repeat->move_count; i++)
        lines->steps[repeat->moves[i] / 8] = draw->scratch_stride_B;
    for (uint32_t i = 0; repeat->chains && i < repeat->arrays.count; i++) {
        lines->steps[repeat->arrays.members[i] / 8] = repeat->arrays.call_B[i];
        if (repeat->arrays.members[i] == MEMBER(indices))
            first_index_step = (uint32_t)(repeat->arrays.call_B[i] / 4);
    }
    lines->steps[MEMBER(self) / 8] = draw->record_stride_B;
    pgs_record_set_step(lines, MEMBER(first_index), first_index_step);
    pgs_record_set_step(lines, MEMBER(vertex_offset), repeat->stride_vertices);
    pgs_record_set_step(lines, MEMBER(packed_vertices), repeat->chains && draw->plan.self_listed);
    pgs_record_set_step(lines, MEMBER(raster_instance), repeat->splits);
}

/* Call it when what it depends on has changed. Where the log explains each draw none is quick. */
static void note_next(struct pgs_repeat *repeat)
{
    const bool any = repeat->is_plain && (!repeat->indexed || repeat->has_indices) &&
                     !pgs_log_enabled(PGS_LOG_DEBUG);
    repeat->next = !any ? PGS_NEXT_NONE : repeat->indexed ? PGS_NEXT_INDEXED : PGS_NEXT_DIRECT;
}

static void note_call(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                      const struct pgs_draw_call *call)
{
    repeat->indexed = call->indexed;
    repeat->count = call->count;
    repeat->instance_count = call->instance_count;
    repeat->version = state->version;
    repeat->data_version = state->data_version;
    repeat->set_order = state->next_set_order;
}

/* Notes how the draw would be repeated. */
static void note_shape(struct pgs_repeat *repeat, struct pgs_draw *draw)
{
    repeat->draw = is_repeatable(draw) ? draw : NULL;
    if (!repeat->draw)
        return;
    repeat->scratch_B = draw->scratch.size_B;
    const VkDeviceSize vertex_B = draw->pipeline->gs.out_stride_w * sizeof(uint32_t);
    repeat->splits = draw->pipeline->gs.out_head_w;
    repeat->stride_vertices = draw->scratch_stride_B && !repeat->splits
                                  ? (uint32_t)(draw->scratch_stride_B / vertex_B)
                                  : 0;
    repeat->chains = pgs_can_chain(draw);
    if (repeat->chains) {
        pgs_chain_arrays_find(draw, &repeat->arrays);
        repeat->stride_vertices =
            draw->subdraws[0].gs_invocations * draw->pipeline->gs.max_vertices;
    }
    repeat->max_calls = max_calls(draw, repeat->chains, repeat->stride_vertices);
    repeat->room = draw->room;
    repeat->sets = draw->sets[PGS_GROUP_RASTER];
    repeat->sets_before = draw->sets_before;
    repeat->is_plain = !draw->pipeline->view_mask && !draw->pipeline->by_viewport;
    find_moves(repeat);
    find_lines(repeat, draw);
    note_next(repeat);
}

/* Another draw takes the place of the last one. goes_on: as a copy of it with room for more. */
static void end_draw(struct pgs_repeat *repeat, bool goes_on)
{
    const uint32_t calls = repeat->draw ? repeat->draw->call_count : 0;
    if (!repeat->room || !calls)
        return;
    if (repeat->most_calls < calls)
        repeat->most_calls = calls;
    repeat->run_calls += calls;
    repeat->all_calls += calls;
    repeat->runs += !goes_on;
    const VkDeviceSize run_B =
        repeat->chains ? pgs_chain_size(&repeat->arrays, repeat->run_calls) : 0;
    if (repeat->most_run_B < run_B)
        repeat->most_run_B = run_B;
    if (!goes_on)
        repeat->run_calls = 0;
}

void pgs_repeat_end(struct pgs_repeat *repeat)
{
    end_draw(repeat, false);
    repeat->draw = NULL;
}

static void note_pass(struct pgs_repeat *repeat)
{
    const bool is_usual = repeat->usual_number == repeat->number;
    repeat->pass_calls[1] = is_usual ? repeat->pass_calls[0] : 0;
    repeat->pass_calls[0] = repeat->is_shared ? 0 : repeat->all_calls;
    repeat->usual_number = repeat->number;
    repeat->is_shared = false;
}

uint32_t pgs_repeat_to_come(const struct pgs_repeat *repeat,
                            const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t *calls = repeat->pass_calls;
    const uint32_t usual = calls[0] > calls[1] ? calls[0] : calls[1];
    if (repeat->usual_number != pipeline->number || repeat->all_calls >= usual)
        return 0;
    return usual - repeat->all_calls;
}

void pgs_repeat_end_pass(struct pgs_repeat *repeat)
{
    end_draw(repeat, false);
    if (repeat->room) {
        repeat->usual_calls = repeat->most_calls;
        note_pass(repeat);
        repeat->usual_run_calls = repeat->runs ? repeat->all_calls / repeat->runs : 0;
        repeat->usual_run_B = repeat->most_run_B < PGS_USUAL_B ? repeat->most_run_B : PGS_USUAL_B;
    }
    repeat->most_calls = repeat->run_calls = repeat->all_calls = repeat->runs = 0;
    repeat->most_run_B = 0;
    repeat->room = 0;
    if (repeat->draw && repeat->draw->plan.why == PGS_WHY_COMPILING)
        repeat->draw = NULL; /* its inline variant may be made now */
}

bool pgs_repeat_matches(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                        const struct pgs_draw_call *call)
{
    return repeat->draw && repeat->draw->pipeline == state->pipeline &&
           repeat->draw->view_index == state->view_index && repeat->version == state->version &&
           repeat->indexed == call->indexed && !call->indirect && !call->byte_count &&
           !call->part_count && pgs_repeat_stays_short(repeat, state);
}

/* What calls to come may take at once. The first ones of a pass take what the pass before needed on
 * average; later ones as much as there is already, or each short run had room for the longest. */
static uint64_t most_room_B(const struct pgs_repeat *repeat)
{
    const struct pgs_draw *draw = repeat->draw;
    const uint64_t so_far_B = draw->call_count * draw->scratch_stride_B;
    if (so_far_B > PGS_USUAL_B || (!repeat->room && repeat->usual_run_calls))
        return PGS_USUAL_B;
    return so_far_B < PGS_ROOM_B ? PGS_ROOM_B : so_far_B;
}

/* Calls to take memory for: the more there were, the more will come. Most passes are like earlier
 * ones. */
static uint32_t calls_to_come(const struct pgs_repeat *repeat, uint32_t most)
{
    const struct pgs_draw *draw = repeat->draw;
    uint32_t calls = draw->call_count < PGS_ROOM_CALLS / 4 ? 4 * draw->call_count : PGS_ROOM_CALLS;
    uint32_t usual = repeat->usual_calls + repeat->usual_calls / 2; /* it may be the rest */
    if (!repeat->room && repeat->usual_run_calls)                   /* the first ones of a pass */
        calls = usual = repeat->usual_run_calls;
    if (calls < usual)
        calls = usual;
    if (calls > PGS_ROOM_CALLS)
        calls = PGS_ROOM_CALLS;
    if (calls > most)
        calls = most;
    const uint64_t room_B = most_room_B(repeat);
    if (calls * draw->scratch_stride_B > room_B)
        calls = (uint32_t)(room_B / draw->scratch_stride_B);
    return calls ? calls : 1;
}

static uint32_t most_in(uint64_t size_B, VkDeviceSize call_B, uint32_t most)
{
    const uint64_t fit = call_B ? size_B / call_B : most;
    return fit < most ? (uint32_t)fit : most;
}

/* Calls that are still to come if the run is as long as those of the pass before, whose memory it
 * shall not exceed. */
static uint32_t usual_to_come(const struct pgs_repeat *repeat)
{
    const uint32_t so_far = repeat->room ? repeat->run_calls + repeat->draw->call_count : 0;
    const uint32_t usual = repeat->usual_run_calls > so_far ? repeat->usual_run_calls - so_far : 0;
    return pgs_chain_size(&repeat->arrays, usual) <= repeat->usual_run_B
               ? usual
               : most_in(repeat->usual_run_B, pgs_chain_size(&repeat->arrays, 1), usual);
}

/* As calls_to_come for calls that may be chained, whose memory cannot grow. */
static uint32_t chain_to_come(const struct pgs_repeat *repeat)
{
    const uint32_t so_far = repeat->run_calls + repeat->draw->call_count;
    const uint32_t guess = so_far < PGS_ROOM_CALLS / 4 ? 4 * so_far : PGS_ROOM_CALLS;
    const uint32_t usual = usual_to_come(repeat);
    const uint32_t guessed =
        usual ? usual : most_in(PGS_CHAIN_ROOM_B, pgs_chain_size(&repeat->arrays, 1), guess);
    const uint32_t calls = guessed < repeat->max_calls ? guessed : repeat->max_calls;
    return calls ? calls : 1;
}

/* Lets a new draw have room for the calls that draws like it had in the pass before. Its memory was
 * the last that was taken, so it grows in place; where it cannot, the draw stays as it is. */
static VkResult take_usual(struct pgs_repeat *repeat, struct pgs_batch_memory *memory)
{
    struct pgs_draw *draw = repeat->draw;
    const uint32_t usual = draw && repeat->chains ? 1 + usual_to_come(repeat) : 1;
    const uint32_t calls = usual < repeat->max_calls ? usual : repeat->max_calls;
    const VkDeviceSize scratch_B = pgs_chain_size(&repeat->arrays, calls);
    if (calls <= 1 || scratch_B < draw->scratch.size_B ||
        !pgs_linear_grow(memory->upload, &draw->records,
                         (VkDeviceSize)calls * draw->record_stride_B) ||
        !pgs_linear_grow(memory->scratch, &draw->scratch, scratch_B))
        return VK_SUCCESS;
    pgs_chain_place(draw, &repeat->arrays, calls, &repeat->record);
    pgs_record_write(draw->records.mapped, &repeat->record, repeat->lines.record_end_B,
                     pgs_record_push_size(draw->pipeline));
    repeat->room = calls;
    return pgs_chains_begin(draw, &memory->arena, &repeat->record, repeat->lines.steps, calls);
}

/* So many of the calls that they do not exceed the limit of the pass, if the plan has one. */
static uint32_t within_limit(const struct pgs_draw_plan *plan,
                             const struct pgs_batch_memory *memory, uint32_t calls)
{
    if (!plan->limited_el)
        return calls;
    const uint64_t limit_el = plan->limit_el;
    const uint64_t so_far_el = memory->limited_el + (plan->is_dense ? memory->dense_el : 0);
    const uint64_t left_el = limit_el > so_far_el ? limit_el - so_far_el : 0;
    return most_in(left_el, plan->limited_el, calls);
}

void pgs_repeat_expect(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                       struct pgs_batch_memory *memory, struct pgs_draw *draw)
{
    const uint32_t usual =
        repeat->usual_run_calls < PGS_ROOM_CALLS ? repeat->usual_run_calls : PGS_ROOM_CALLS;
    if (usual <= 1 || !state->version || !is_inline(draw) || !is_repeatable(draw))
        return;
    draw->room = 1 + within_limit(&draw->plan, memory, usual - 1);
    pgs_count_limited(memory, &draw->plan, draw->room - 1);
}

void pgs_repeat_forget_buffers(struct pgs_repeat *repeat, const struct pgs_device *dev)
{
    repeat->buffers_since = pgs_count_destroyed(&dev->destroyed.buffers);
    repeat->has_indices = false;
    repeat->source.known = 0;
    repeat->source.buffer = VK_NULL_HANDLE;
}

VkResult pgs_repeat_note(struct pgs_repeat *repeat, struct pgs_draw *draw,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_batch_memory *memory)
{
    repeat->draw = NULL;
    if (!state->version)
        return VK_SUCCESS;
    pgs_repeat_forget_buffers(repeat, draw->dev);
    repeat->is_shared |= repeat->all_calls && repeat->number != draw->pipeline->number;
    repeat->number = draw->pipeline->number;
    pgs_plan_key_find(&repeat->key, state);
    note_call(repeat, state, call);
    note_shape(repeat, draw);
    return take_usual(repeat, memory);
}

/* True if the draw has memory for one call more, or its memory has grown in place. */
static bool has_room(struct pgs_repeat *repeat, struct pgs_batch_memory *memory)
{
    struct pgs_draw *draw = repeat->draw;
    if (draw->call_count < repeat->room)
        return true;
    if (draw->tells || !repeat->room || repeat->room >= repeat->max_calls || is_inline(draw) ||
        repeat->chains)
        return false;
    const uint32_t calls = calls_to_come(repeat, repeat->max_calls - repeat->room);
    const VkDeviceSize records_B = draw->records.size_B + calls * draw->record_stride_B;
    const VkDeviceSize scratch_B = draw->scratch.size_B + calls * draw->scratch_stride_B;
    if (!pgs_linear_grow(memory->upload, &draw->records, records_B) ||
        !pgs_linear_grow(memory->scratch, &draw->scratch, scratch_B))
        return false;
    repeat->room += calls;
    return true;
}

static void move_arrays(struct pgs_repeat *repeat, VkDeviceSize by_B)
{
    for (uint32_t i = 0; i < repeat->move_count; i++)
        *address_at(&repeat->record, repeat->moves[i]) += by_B;
}

/* Those that the repeat has, if it has any. */
static bool has_indices_of(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state)
{
    const struct pgs_index_source *source = &repeat->index_source;
    return source->buffer == state->index_buffer && source->offset_B == state->index_offset_B &&
           source->size_B == state->index_size_B && source->type == state->index_type;
}

static void find_indices(struct pgs_repeat *repeat, const struct pgs_graphics_state *state)
{
    repeat->index_source = (struct pgs_index_source){state->index_buffer, state->index_offset_B,
                                                     state->index_size_B, state->index_type};
    pgs_bound_indices_find(&repeat->indices, repeat->draw->dev, state);
    repeat->has_indices = true;
    note_next(repeat);
}

static void refill(struct pgs_repeat *repeat, const struct pgs_graphics_state *state)
{
    const struct pgs_draw *draw = repeat->draw;
    repeat->data_version = state->data_version;
    if (repeat->has_indices && !has_indices_of(repeat, state)) {
        repeat->has_indices = false;
        note_next(repeat);
    }
    pgs_record_refill_data(&repeat->record, draw->dev, draw->pipeline, state, &repeat->source);
}

/* Fills in what the application has bound and pushed since the last call. */
static inline void fill_data(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                             bool indexed)
{
    if (repeat->data_version != state->data_version)
        refill(repeat, state);
    if (indexed && !repeat->has_indices)
        find_indices(repeat, state);
}

/* Writes the next record. */
PGS_INLINE void add_record(struct pgs_repeat *repeat, const struct pgs_direct_call *call)
{
    struct pgs_draw *draw = repeat->draw;
    const uint32_t number = draw->call_count++;
    pgs_record_write_next((unsigned char *)draw->records.mapped +
                              (size_t)number * draw->record_stride_B,
                          &repeat->record, &repeat->lines, call, &repeat->indices);
}

static PGS_SLOW void add_record_slowly(struct pgs_repeat *repeat,
                                       const struct pgs_direct_call *call)
{
    add_record(repeat, call);
}

/* The next record is the first one of a list (poly_gs/listing.h). */
static void begin_list(struct pgs_repeat *repeat)
{
    if (repeat->chains && repeat->draw->plan.self_listed)
        repeat->record.packed_vertices = UINT32_MAX; /* and grows by one */
}

VkResult pgs_repeat_find_sets(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                              struct pgs_batch_memory *memory, bool *found)
{
    const struct pgs_draw *draw = repeat->draw;
    *found = is_inline(draw) && repeat->set_order != state->next_set_order;
    if (!*found)
        return VK_SUCCESS;
    repeat->set_order = state->next_set_order;
    if (!repeat->sets) /* its shaders see those of the application */
        return VK_SUCCESS;
    return pgs_draw_find_raster_sets(&memory->arena, state, draw, &repeat->sets,
                                     &repeat->sets_before);
}

bool pgs_repeat_add(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                    const struct pgs_draw_call *call, bool continues,
                    struct pgs_batch_memory *memory)
{
    if (!pgs_repeat_has_size(repeat, &call->direct) || repeat->set_order != state->next_set_order ||
        !has_room(repeat, memory))
        return false;
    if (!continues)
        begin_list(repeat);
    fill_data(repeat, state, call->indexed);
    add_record_slowly(repeat, &call->direct);
    return true;
}

bool pgs_repeat_add_next(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                         const struct pgs_direct_call *call)
{
    const struct pgs_draw *draw = repeat->draw;
    if (!draw || draw->call_count >= repeat->room || repeat->version != state->version ||
        repeat->data_version != state->data_version || repeat->set_order != state->next_set_order ||
        !pgs_repeat_has_size(repeat, call) || repeat->next != (enum pgs_next)call->indexed ||
        pgs_chain_is_full(draw, repeat->replacement))
        return false;
    repeat->replacement->count++;
    add_record(repeat, call);
    return true;
}

void pgs_repeat_add_changed(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                            const struct pgs_direct_call *call)
{
    repeat->set_order = state->next_set_order;
    fill_data(repeat, state, call->indexed);
    add_record_slowly(repeat, call);
}

static void move_range(struct pgs_range *range, const struct pgs_range *from,
                       const struct pgs_range *to)
{
    range->buffer = to->buffer;
    range->offset_B += to->offset_B - from->offset_B;
    range->address += to->address - from->address;
}

/* A draw with the plan, the pipelines and the sets of the last one: that itself, if it is not drawn
 * any more. NULL: out of memory. */
static struct pgs_draw *copy_draw(struct pgs_repeat *repeat, struct pgs_arena *arena)
{
    const struct pgs_draw *draw = repeat->draw;
    struct pgs_draw *copy = &repeat->kept;
    struct pgs_subdraw *subdraw = &repeat->kept_subdraw;
    if (!pgs_repeat_is_kept(repeat)) {
        copy = pgs_arena_copy(arena, draw, 1, sizeof(*draw), _Alignof(struct pgs_draw));
        subdraw = pgs_arena_copy(arena, draw->subdraws, 1, sizeof(*subdraw),
                                 _Alignof(struct pgs_subdraw));
    }
    if (!copy || !subdraw)
        return NULL;
    repeat->kept_lives |= copy == &repeat->kept;
    copy->next = NULL;
    copy->call_count = copy->room = 1;
    copy->listing = 0;
    copy->told_args = (struct pgs_range){0};
    copy->subdraws = subdraw;
    return copy;
}

/* Where the last call of a draw has its scratch memory. */
struct place {
    struct pgs_range scratch; /* of all calls */
    VkDeviceAddress last;
};

static struct place place_of(const struct pgs_draw *draw)
{
    return (struct place){
        .scratch = draw->scratch,
        .last = draw->scratch.address + (draw->call_count - 1) * draw->scratch_stride_B,
    };
}

/* Takes scratch memory for *calls of the copy, or for one if there is not so much in one piece. */
static VkResult take_scratch(const struct pgs_repeat *repeat, struct pgs_batch_memory *memory,
                             uint32_t *calls, struct pgs_draw *copy)
{
    const VkDeviceSize more_B = (*calls - 1) * copy->scratch_stride_B;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (!repeat->scratch_B)
        return VK_SUCCESS;
    if (more_B)
        result = pgs_linear_try(memory->scratch, repeat->scratch_B + more_B, PGS_SCRATCH_ALIGN_B,
                                &copy->scratch);
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY)
        return result;
    *calls = more_B ? 1 : *calls;
    return pgs_linear_alloc(memory->scratch, repeat->scratch_B, PGS_SCRATCH_ALIGN_B,
                            &copy->scratch);
}

/* Takes memory for *calls of the copy, or for less if there is little. */
static VkResult take_room(const struct pgs_repeat *repeat, struct pgs_batch_memory *memory,
                          uint32_t *calls, struct pgs_draw *copy)
{
    VkResult result = take_scratch(repeat, memory, calls, copy);
    if (result == VK_SUCCESS && copy->inline_root.buffer)
        result = pgs_inline_roots_take(copy, memory, *calls);
    if (result == VK_SUCCESS)
        result = pgs_records_take(copy, memory->upload, *calls, &copy->records);
    return result;
}

/* Takes memory for calls that may be chained, for less than *calls if there is little, and lets the
 * record be that of the first. */
static VkResult take_chain(struct pgs_repeat *repeat, struct pgs_batch_memory *memory,
                           uint32_t *calls, struct pgs_draw *copy)
{
    struct pgs_subdraw *subdraw = copy->subdraws;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    copy->chains = NULL;
    if (*calls > 1)
        result = pgs_linear_try(memory->scratch, pgs_chain_size(&repeat->arrays, *calls),
                                PGS_SCRATCH_ALIGN_B, &copy->scratch);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        *calls = 1;
        result = pgs_linear_alloc(memory->scratch, pgs_chain_size(&repeat->arrays, 1),
                                  PGS_SCRATCH_ALIGN_B, &copy->scratch);
    }
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(memory->upload, (VkDeviceSize)*calls * copy->record_stride_B,
                                  PGS_RECORD_LINE_B, &copy->records);
    if (result != VK_SUCCESS)
        return result;
    pgs_chain_place(copy, &repeat->arrays, *calls, &repeat->record);
    subdraw->record.buffer = copy->records.buffer;
    subdraw->record.offset_B = copy->records.offset_B;
    subdraw->record.address = copy->records.address;
    subdraw->record.mapped = copy->records.mapped;
    repeat->record.self = copy->records.address;
    return *calls > 1 ? pgs_chains_begin(copy, &memory->arena, &repeat->record, repeat->lines.steps,
                                         *calls)
                      : VK_SUCCESS;
}

/* Takes memory as the last call has it at `former`, and moves the record there. */
static VkResult take_same(struct pgs_repeat *repeat, struct pgs_batch_memory *memory,
                          uint32_t *calls, const struct place *former, struct pgs_draw *copy)
{
    struct pgs_draw_record *record = &repeat->record;
    struct pgs_subdraw *subdraw = copy->subdraws;
    const VkResult result = take_room(repeat, memory, calls, copy);
    if (result != VK_SUCCESS)
        return result;
    move_range(&subdraw->indices, &former->scratch, &copy->scratch);
    move_range(&subdraw->out_vertices, &former->scratch, &copy->scratch);
    move_range(&subdraw->draw_args, &former->scratch, &copy->scratch);
    subdraw->record.buffer = copy->records.buffer;
    subdraw->record.offset_B = pgs_load_alone(&copy->records.offset_B);
    subdraw->record.address = copy->records.address;
    subdraw->record.mapped = copy->records.mapped;
    move_arrays(repeat, copy->scratch.address - former->last);
    record->first_index =
        (uint32_t)((subdraw->indices.offset_B - pgs_index_bind_offset(&subdraw->indices)) / 4);
    record->vertex_offset = record->raster_instance = 0;
    record->self = copy->records.address;
    if (copy->inline_root.buffer) { /* at once, in whole lines */
        const struct pgs_inline_draw first = pgs_inline_draw_of(copy);
        pgs_inline_roots_write(copy, &first, *calls);
    }
    return VK_SUCCESS;
}

/* True if the arrays of the draw lie as those of chained calls do. */
static bool has_chains(const struct pgs_repeat *repeat)
{
    return pgs_repeat_is_kept(repeat) ? repeat->kept_chained : repeat->draw->chains != NULL;
}

/* Takes memory for the copy, which was as the last draw, and fills its sets. plan: of a call of
 * another size, or NULL. *calls: those to take memory for, and those that it has memory for. */
static VkResult prepare_copy(struct pgs_repeat *repeat, const struct pgs_draw_call *call,
                             struct pgs_batch_memory *memory, const struct pgs_draw_plan *plan,
                             uint32_t *calls, struct pgs_draw **copy)
{
    const bool chained = repeat->chains && (*calls > 1 || has_chains(repeat));
    const struct place former = place_of(repeat->draw);
    struct pgs_draw *made = copy_draw(repeat, &memory->arena);
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *copy = made;
    if (made->plan.self_listed)
        repeat->record.packed_vertices = 0;
    if (repeat->sets) { /* those of the last call, not of the first one */
        made->sets[PGS_GROUP_RASTER] = repeat->sets;
        made->sets_before = repeat->sets_before;
    }
    if (!plan)
        return chained ? take_chain(repeat, memory, calls, made)
                       : take_same(repeat, memory, calls, &former, made);
    made->plan = *plan;
    made->chains = NULL;
    pgs_draw_find_groups(made);
    return pgs_compute_prepare_like(made, call, memory, &repeat->record);
}

VkResult pgs_repeat_copy(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                         const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                         struct pgs_draw **copy)
{
    const struct pgs_draw *draw = repeat->draw;
    struct pgs_draw_plan plan;
    const bool same = pgs_repeat_has_size(repeat, &call->direct),
               same_sets = repeat->set_order == state->next_set_order;
    uint32_t calls = 1;
    if (same && same_sets)
        calls = repeat->chains ? chain_to_come(repeat) : calls_to_come(repeat, repeat->max_calls);
    const uint64_t most_B = pgs_draw_most_stored_B(draw->dev, memory->scratch);
    *copy = NULL;
    if (same ? most_B && repeat->scratch_B > most_B
             : !pgs_draw_plan_like(draw->pipeline, state, call, &draw->plan, most_B, &plan))
        return VK_SUCCESS;
    calls = within_limit(same ? &draw->plan : &plan, memory, calls);
    if (!calls)
        return VK_SUCCESS;
    struct pgs_draw *made = NULL;
    VkResult result = prepare_copy(repeat, call, memory, same ? NULL : &plan, &calls, &made);
    if (result == VK_SUCCESS && !same_sets)
        result = pgs_draw_find_sets(&memory->arena, state, made);
    if (result != VK_SUCCESS) {
        if (made == draw) /* it is neither what it was nor what it was to be */
            repeat->draw = NULL;
        return result;
    }
    pgs_bound_buffers_find(&memory->arena, state, call, made);
    fill_data(repeat, state, call->indexed);
    note_call(repeat, state, call);
    note_next(repeat);
    end_draw(repeat, same && same_sets);
    repeat->draw = made;
    pgs_count_limited(memory, &made->plan, calls);
    if (same) {
        pgs_record_write_lines(made->records.mapped, &repeat->record, &repeat->lines, &call->direct,
                               &repeat->indices);
    } else {
        pgs_record_fill_call(&repeat->record, &call->direct, &repeat->indices);
        pgs_record_write(made->records.mapped, &repeat->record, made->records.size_B,
                         pgs_record_push_size(made->pipeline));
        note_shape(repeat, made);
    }
    repeat->room = calls;
    *copy = made;
    return VK_SUCCESS;
}
