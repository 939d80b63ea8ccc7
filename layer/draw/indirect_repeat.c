/* SPDX-License-Identifier: MIT */
#include "draw/indirect_repeat.h"

#include "draw/indirect.h"

/* Most records that calls to come get at once. */
#define PGS_ROOM_RECORDS 64

/* A call of the application with one draw. */
static bool is_single(const struct pgs_draw_call *call)
{
    return call->indirect && call->max_draws == 1 && !call->draw_index &&
           !call->draw_count.buffer && !call->part_count;
}

/* Each counted draw is a step of the feedback program, and a call in a multiview pass is a draw for
 * each view. */
static bool may_loop(const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_draw_plan *plan)
{
    return state->version && state->pipeline && !state->pipeline->view_mask && is_single(call) &&
           plan->count == PGS_COUNT_NONE &&
           plan->raster != PGS_RASTER_INSTANCED && /* which has no records */
           plan->raster != PGS_RASTER_POLYGONS;    /* which may be culled in other ways */
}

/* True if nothing but the place of the arguments differs. */
static inline bool is_alike(const struct pgs_indirect_repeat *repeat,
                            const struct pgs_graphics_state *state, bool indexed,
                            struct pgs_counter args)
{
    return repeat->draw && repeat->draw->pipeline == state->pipeline &&
           repeat->draw->view_index == state->view_index && repeat->version == state->version &&
           repeat->data_version == state->data_version && repeat->bind_count == state->bind_count &&
           repeat->set_order == state->next_set_order && repeat->call.indexed == indexed &&
           repeat->call.args.buffer == args.buffer && args.offset_B >= repeat->call.args.offset_B;
}

bool pgs_indirect_repeat_matches(const struct pgs_indirect_repeat *repeat,
                                 const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call, bool follows)
{
    return follows && is_single(call) && is_alike(repeat, state, call->indexed, call->args);
}

/* The second call says at which distance the loop reads its arguments. False: none of its calls but
 * the first can be added. */
static bool begin_loop(struct pgs_indirect_repeat *repeat, VkDeviceSize second_B)
{
    const VkDeviceSize first_B = repeat->call.args.offset_B, stride_B = second_B - first_B;
    const VkDeviceSize command_B =
        repeat->call.indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
    if (repeat->room < 2 || stride_B > UINT32_MAX || second_B % 4 || repeat->args_B < command_B ||
        second_B > repeat->args_B - command_B)
        return false;
    const VkDeviceSize fit = stride_B ? (repeat->args_B - command_B - first_B) / stride_B + 1 : 2;
    repeat->end = stride_B && fit < repeat->room ? (uint32_t)fit : repeat->room;
    repeat->next_B = second_B;
    repeat->call.args_stride_B = (uint32_t)stride_B;
    repeat->draw->indirect_mapped->args_stride_B = (uint32_t)stride_B;
    return true;
}

/* False: the draw has no record left, or the arguments do not lie where they are expected. */
static bool add(struct pgs_indirect_repeat *repeat, VkDeviceSize args_B)
{
    const uint32_t calls = repeat->call.max_draws + 1;
    if (calls == 2 && !begin_loop(repeat, args_B))
        return false;
    if (calls > repeat->end || args_B != repeat->next_B)
        return false;
    struct pgs_draw *draw = repeat->draw;
    repeat->next_B += repeat->call.args_stride_B;
    repeat->call.max_draws = calls;
    repeat->call_count++;
    draw->plan.subdraw_count = calls;
    draw->indirect_mapped->args_count = calls;
    draw->indirect_mapped->record_count = calls;
    return true;
}

bool pgs_indirect_repeat_add(struct pgs_indirect_repeat *repeat,
                             const struct pgs_graphics_state *state, bool indexed,
                             struct pgs_counter args)
{
    return is_alike(repeat, state, indexed, args) && add(repeat, args.offset_B);
}

/* Records to make for the call: some for those to come if it goes on from the last one, or if loops
 * of an earlier pass were long. */
static uint32_t room_for(struct pgs_indirect_repeat *repeat, bool matches)
{
    const uint32_t most = PGS_ROOM_RECORDS, usual = repeat->usual_calls;
    repeat->call_count++;
    if (matches)
        return repeat->room < most / 4 ? 4 * repeat->room : most;
    repeat->loop_count++;
    return usual < most ? usual + !usual : most;
}

struct pgs_draw_call pgs_indirect_repeat_planned(const struct pgs_indirect_repeat *repeat,
                                                 const struct pgs_draw_call *call, bool matches)
{
    struct pgs_draw_call planned = *call;
    if (is_single(call) && (matches || repeat->usual_calls > 1))
        planned.max_draws = 2;
    return planned;
}

uint32_t pgs_indirect_repeat_room(struct pgs_indirect_repeat *repeat,
                                  const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call, struct pgs_draw_plan *plan,
                                  bool matches)
{
    const uint32_t room = may_loop(state, call, plan) ? room_for(repeat, matches) : 1;
    if (is_single(call))
        plan->subdraw_count = room;
    return room;
}

void pgs_indirect_repeat_end_pass(struct pgs_indirect_repeat *repeat)
{
    if (repeat->loop_count)
        repeat->usual_calls = repeat->call_count / repeat->loop_count;
    repeat->loop_count = repeat->call_count = 0;
    repeat->draw = NULL;
}

/* 0: the layer cannot read the first one's arguments. */
static VkDeviceSize args_size(struct pgs_device *dev, const struct pgs_draw_call *call)
{
    struct pgs_buffer_info buffer;
    VkDeviceAddress args;
    return pgs_indirect_args(dev, call, &args) && pgs_buffer_lookup(dev, call->args.buffer, &buffer)
               ? buffer.size_B
               : 0;
}

void pgs_indirect_repeat_note(struct pgs_indirect_repeat *repeat, struct pgs_draw *draw,
                              uint32_t room, const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call)
{
    repeat->draw = NULL;
    if (!may_loop(state, call, &draw->plan))
        return;
    repeat->draw = draw;
    repeat->room = room;
    repeat->version = state->version;
    repeat->data_version = state->data_version;
    repeat->bind_count = state->bind_count;
    repeat->set_order = state->next_set_order;
    repeat->call = *call;
    repeat->args_B = args_size(draw->dev, call);
    draw->plan.subdraw_count = 1;
    draw->indirect_mapped->record_count = 1;
}
