/* SPDX-License-Identifier: MIT */
#include "draw/indirect.h"

#include "base/log.h"
#include "draw/record.h"
#include "draw/setup.h"
#include "draw/topology.h"

uint32_t pgs_indirect_args(struct pgs_device *dev, const struct pgs_draw_call *call,
                           VkDeviceAddress *address)
{
    const VkDeviceSize command_B =
        call->indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
    const VkDeviceSize offset_B = call->args.offset_B;
    struct pgs_buffer_info buffer;
    *address = pgs_word_address(dev, call->args.buffer, offset_B);
    if (!*address || !pgs_buffer_lookup(dev, call->args.buffer, &buffer) ||
        buffer.size_B - offset_B < command_B)
        return 0;
    const VkDeviceSize rest_B = buffer.size_B - offset_B - command_B;
    const uint32_t stride_B = call->args_stride_B;
    if (call->max_draws > 1 && stride_B % 4)
        return 1;
    if (!stride_B || rest_B / stride_B >= call->max_draws)
        return call->max_draws;
    return (uint32_t)(rest_B / stride_B) + 1;
}

static uint32_t round_flags(const struct pgs_draw_call *call, const struct pgs_draw_plan *plan)
{
    if (!call->progress)
        return 0;
    return (call->part_first ? 0 : PGS_INDIRECT_FIRST_ROUND) |
           (call->part_first + 1 == call->rounds ? PGS_INDIRECT_LAST_ROUND : 0) |
           (pgs_plan_runs(plan, PGS_STAGE_TESS_ROUND) ? PGS_INDIRECT_TESS_ROUND : 0);
}

/* If the layer cannot read the counter, nothing is drawn. */
static void fill_byte_count(struct pgs_indirect *indirect, struct pgs_device *dev,
                            const struct pgs_draw_call *call)
{
    indirect->flags |= PGS_INDIRECT_BYTE_COUNT;
    indirect->args = pgs_counter_address(dev, call);
    indirect->args_count = indirect->args ? 1 : 0;
    indirect->counter_offset_B = call->counter_offset_B;
    indirect->vertex_stride_B = call->vertex_stride_B;
    indirect->instance_count = call->instance_count;
    indirect->first_instance = call->first_instance;
    indirect->most_vertices = call->count;
}

void pgs_indirect_fill(struct pgs_indirect *indirect, struct pgs_device *dev,
                       const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                       const struct pgs_draw_plan *plan, const struct pgs_draw_record *shared,
                       VkDeviceAddress records, uint32_t record_stride_B)
{
    *indirect = (struct pgs_indirect){
        .records = records,
        .indices = shared->index_address,
        .index_bound_el = shared->index_bound_el,
        .args_stride_B = call->args_stride_B,
        .record_count = plan->subdraw_count,
        .record_stride_B = record_stride_B,
        .first_draw = call->draw_index,
        .flags = (plan->stages & PGS_STAGES_STORE ? PGS_INDIRECT_STORES : 0) |
                 (pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER) ? PGS_INDIRECT_CAPTURE : 0) |
                 (pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT) ? PGS_INDIRECT_CHUNKS : 0) |
                 round_flags(call, plan),
        .progress = call->progress,
        .capture_bound_el = plan->xfb_invocations,
        .capture_el =
            plan->xfb == PGS_XFB_VS ? pgs_main_vertices(plan->topology) : shared->invocations,
    };
    uint32_t flags;
    indirect->condition = pgs_setup_condition(dev, state, &flags);
    indirect->flags |= flags;
    if (call->byte_count) {
        fill_byte_count(indirect, dev, call);
        return;
    }
    indirect->args_count = pgs_indirect_args(dev, call, &indirect->args);
    if (!call->draw_count.buffer)
        return;
    indirect->count = pgs_word_address(dev, call->draw_count.buffer, call->draw_count.offset_B);
    if (!indirect->count) {
        pgs_log_once(PGS_LOG_ERROR,
                     "the layer cannot read the draw count of an indirect draw (external or "
                     "protected memory, or out of bounds): nothing is drawn");
        indirect->args_count = 0;
    }
}
