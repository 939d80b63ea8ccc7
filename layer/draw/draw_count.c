/* SPDX-License-Identifier: MIT */
#include "draw/draw_count.h"

#include "base/log.h"
#include "draw/indirect.h"
#include "poly_gs/draw_count.h"

#include <stddef.h>
#include <string.h>

#define STRIDE_B (PGS_DRAW_COUNT_STRIDE_W * 4)

/* record: where it will be, which has a count for calls without one. */
static void fill(struct pgs_draw_count *filled, const struct pgs_draw *draw,
                 const struct pgs_draw_call *call, VkDeviceAddress record)
{
    *filled = (struct pgs_draw_count){
        .copies = draw->args.address,
        .args_stride_B = call->args_stride_B,
        .args_words = (uint32_t)(call->indexed ? sizeof(VkDrawIndexedIndirectCommand)
                                               : sizeof(VkDrawIndirectCommand)) /
                      4,
        .draw_count = call->max_draws,
    };
    filled->zero_word = filled->args_words - draw->dev->first_instances; /* the last one */
    filled->count = call->draw_count.buffer ? pgs_word_address(draw->dev, call->draw_count.buffer,
                                                               call->draw_count.offset_B)
                                            : record + offsetof(struct pgs_draw_count, draw_count);
    filled->args_count = pgs_indirect_args(draw->dev, call, &filled->args);
    if (filled->count && filled->args_count)
        return;
    pgs_log_once(PGS_LOG_ERROR,
                 "the layer cannot read the arguments or the count of an indirect draw (external "
                 "or protected memory, or out of bounds): nothing is drawn");
    filled->args_count = 0;
}

VkResult pgs_draw_count_prepare(struct pgs_draw *draw, const struct pgs_draw_call *call,
                                struct pgs_batch_memory *memory)
{
    struct pgs_draw_count filled;
    struct pgs_range range;
    draw->args_count = call->max_draws;
    draw->args_indexed = call->indexed;
    VkResult result = pgs_linear_alloc(memory->scratch, (uint64_t)call->max_draws * STRIDE_B,
                                       PGS_SCRATCH_ALIGN_B, &draw->args);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(memory->upload, sizeof(filled), PGS_SCRATCH_ALIGN_B, &range);
    if (result != VK_SUCCESS)
        return result;
    fill(&filled, draw, call, range.address);
    if (!filled.args_count) /* the kernel reads the count in any case */
        filled.count = draw->args.address;
    memcpy(range.mapped, &filled, sizeof(filled));
    draw->draw_count = range.address;
    return VK_SUCCESS;
}

void pgs_draw_count_replay(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_physical_device *physical = draw->dev->physical;
    const bool at_once = physical->features.multiDrawIndirect && !physical->splits_draws;
    const uint32_t step = at_once ? draw->args_count : 1;
    for (uint32_t i = 0; i < draw->args_count; i += step) {
        const VkDeviceSize at_B = draw->args.offset_B + (VkDeviceSize)i * STRIDE_B;
        if (draw->args_indexed)
            vk->CmdDrawIndexedIndirect(cb, draw->args.buffer, at_B, step, STRIDE_B);
        else
            vk->CmdDrawIndirect(cb, draw->args.buffer, at_B, step, STRIDE_B);
    }
}
