/* SPDX-License-Identifier: MIT */
#include "draw/indirect_repeat.h"

#include "draw/indirect.h"

/* Most records that calls to come get at once. */
#define PGS_ROOM_RECORDS 64

/* A call of the application with one draw. */
static bool is_single(const struct pgs_draw_call *call)
{
    return call->indirect && call->max_draws == 1 && !call->draw_index && !call->draw_count.buffer;
}

bool pgs_indirect_repeat_matches(const struct pgs_indirect_repeat *repeat,
                                 const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call, bool follows)
{
    return follows && repeat->draw && is_single(call) &&
           repeat->draw->pipeline == state->pipeline &&
           repeat->draw->view_index == state->view_index && repeat->version == state->version &&
           repeat->data_version == state->data_version && repeat->bind_count == state->bind_count &&
           repeat->set_order == state->next_set_order && repeat->call.indexed == call->indexed &&
           repeat->call.args.buffer == call->args.buffer &&
           call->args.offset_B >= repeat->call.args.offset_B;
}

/* The call with the arguments of the next one, which do not have to lie where they are expected. */
static struct pgs_draw_call with_next(const struct pgs_indirect_repeat *repeat,
                                      const struct pgs_draw_call *next)
{
    struct pgs_draw_call call = repeat->call;
    const VkDeviceSize distance_B = next->args.offset_B - call.args.offset_B;
    if (call.max_draws++ == 1)
        call.args_stride_B = distance_B <= UINT32_MAX ? (uint32_t)distance_B : 0;
    return call;
}

bool pgs_indirect_repeat_add(struct pgs_indirect_repeat *repeat, const struct pgs_draw_call *next)
{
    struct pgs_draw *draw = repeat->draw;
    const uint32_t last = repeat->call.max_draws;
    const struct pgs_draw_call call = with_next(repeat, next);
    const VkDeviceSize next_B = call.args.offset_B + (VkDeviceSize)call.args_stride_B * last;
    VkDeviceAddress args;
    if (last == repeat->room || next->args.offset_B != next_B ||
        pgs_indirect_args(draw->dev, &call, &args) != call.max_draws)
        return false;
    repeat->call = call;
    draw->plan.subdraw_count = call.max_draws;
    draw->indirect_mapped->args_stride_B = call.args_stride_B;
    draw->indirect_mapped->args_count = call.max_draws;
    draw->indirect_mapped->record_count = call.max_draws;
    return true;
}

uint32_t pgs_indirect_repeat_room(const struct pgs_indirect_repeat *repeat, bool matches)
{
    if (!matches)
        return 1;
    return repeat->room < PGS_ROOM_RECORDS / 4 ? 4 * repeat->room : PGS_ROOM_RECORDS;
}

void pgs_indirect_repeat_note(struct pgs_indirect_repeat *repeat, struct pgs_draw *draw,
                              uint32_t room, const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call)
{
    repeat->draw = NULL;
    if (!state->version || !draw->pipeline || !is_single(call) ||
        draw->plan.count != PGS_COUNT_NONE ||     /* else each is a step of the feedback program */
        draw->plan.raster == PGS_RASTER_POLYGONS) /* which may be culled in other ways */
        return;
    *repeat = (struct pgs_indirect_repeat){
        .draw = draw,
        .room = room,
        .version = state->version,
        .data_version = state->data_version,
        .bind_count = state->bind_count,
        .set_order = state->next_set_order,
        .call = *call,
    };
    draw->plan.subdraw_count = 1;
    draw->indirect_mapped->record_count = 1;
    for (uint32_t i = 1; i < room; i++) /* each is the first of its call */
        ((struct pgs_draw_record *)draw->subdraws[i].record.mapped)->draw_index = 0;
}
