/* SPDX-License-Identifier: MIT */
#include "draw/repeat.h"

#include "draw/plan.h"
#include "draw/sizes.h"

#include <string.h>

/* Calls of one draw: roots of a dispatch. */
#define PGS_MAX_CALLS 65535

/* Others have memory of their own kind, or draw in their own order. */
static bool is_repeatable(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    return plan->raster == PGS_RASTER_STORED && plan->sizing == PGS_SIZE_CPU &&
           plan->count == PGS_COUNT_NONE && plan->subdraw_count == 1 &&
           !pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE) && draw->scratch_stride_B;
}

void pgs_repeat_note(struct pgs_repeat *last, struct pgs_draw *draw,
                     struct pgs_replacement *replacement, const struct pgs_graphics_state *state,
                     const struct pgs_draw_call *call)
{
    last->draw = NULL;
    if (!state->version || !is_repeatable(draw))
        return;
    last->draw = draw;
    last->replacement = replacement;
    last->version = state->version;
    last->data_version = state->data_version;
    last->set_order = state->next_set_order;
    last->call = *call;
    last->has_indices = false;
}

bool pgs_repeat_matches(const struct pgs_repeat *last, const struct pgs_graphics_state *state,
                        const struct pgs_draw_call *call)
{
    return last->draw && last->version == state->version &&
           last->set_order == state->next_set_order && last->call.count == call->count &&
           last->call.instance_count == call->instance_count &&
           last->call.indexed == call->indexed && !call->indirect && !call->byte_count;
}

/* Takes memory for one call more. */
static bool grow(struct pgs_draw *draw, struct pgs_batch_memory *memory)
{
    const VkDeviceSize stride_B = draw->scratch_stride_B, records_B = draw->records.size_B;
    const uint64_t vertices =
        (draw->call_count + 1) * (stride_B / 4 / draw->pipeline->gs.out_stride_w);
    if (draw->call_count == PGS_MAX_CALLS || vertices > pgs_max_out_vertices(draw->dev))
        return false;
    if (!pgs_linear_grow(memory->upload, &draw->records, records_B + draw->record_stride_B))
        return false;
    return pgs_linear_grow(memory->scratch, &draw->scratch, draw->scratch.size_B + stride_B);
}

static void move(pgs_address *address, VkDeviceSize by_B)
{
    if (*address)
        *address += by_B;
}

/* What the record says of memory, one call further. */
static void move_record(struct pgs_draw_record *record, const struct pgs_draw *draw)
{
    const VkDeviceSize by_B = draw->scratch_stride_B;
    pgs_address *const addresses[] = {
        &record->out_vertices,  &record->vertices,      &record->primitive_list,
        &record->restart_tiles, &record->restart_count, &record->strip_ends,
        &record->counts,        &record->tile_sums,     &record->indices,
        &record->draw_args,
    };
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
        move(addresses[i], by_B);
    record->first_index += (uint32_t)(by_B / 4);
    record->vertex_offset += (uint32_t)(by_B / 4 / record->out_stride_w);
    record->self += draw->record_stride_B;
}

bool pgs_repeat_add(struct pgs_repeat *last, const struct pgs_graphics_state *state,
                    const struct pgs_draw_call *call, struct pgs_batch_memory *memory)
{
    struct pgs_draw *draw = last->draw;
    struct pgs_draw_record *record = &last->record;
    if (!grow(draw, memory))
        return false;
    if (last->data_version != state->data_version) {
        last->data_version = state->data_version;
        last->has_indices = false;
        pgs_record_fill_data(record, draw->dev, draw->pipeline, state);
    }
    if (call->indexed && !last->has_indices) {
        last->indices = pgs_bound_indices_find(draw->dev, state);
        last->has_indices = true;
    }
    last->call = *call;
    pgs_record_fill_call(record, call, &last->indices);
    move_record(record, draw);
    memcpy((unsigned char *)draw->records.mapped + draw->call_count * draw->record_stride_B, record,
           draw->subdraws[0].record.size_B);
    draw->call_count++;
    return true;
}
