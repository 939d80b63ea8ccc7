/* SPDX-License-Identifier: MIT */
#include "draw/compute.h"

#include "base/alloc.h"
#include "base/log.h"
#include "memory/memory.h"

struct pgs_batch {
    struct pgs_device *dev;
    struct pgs_linear *upload;  /* records: each lives until the reset */
    struct pgs_linear *scratch; /* reused by every pass */
    struct pgs_arena arena;     /* the draws since the reset */
    struct pgs_draw *pass;      /* those of the pass, in order */
    struct pgs_draw **pass_end;
    struct pgs_kernels kernels;
};

VkResult pgs_batch_create(struct pgs_device *dev, struct pgs_batch **batch)
{
    struct pgs_batch *b = pgs_calloc(1, sizeof(*b));
    if (!b)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    b->dev = dev;
    b->pass_end = &b->pass;
    pgs_arena_init(&b->arena);
    VkResult result = pgs_linear_create(dev, PGS_MEMORY_UPLOAD, &b->upload);
    if (result == VK_SUCCESS)
        result = pgs_linear_create(dev, PGS_MEMORY_SCRATCH, &b->scratch);
    if (result != VK_SUCCESS) {
        pgs_batch_destroy(b);
        return result;
    }
    *batch = b;
    return VK_SUCCESS;
}

static void forget_pass(struct pgs_batch *batch)
{
    batch->pass = NULL;
    batch->pass_end = &batch->pass;
}

void pgs_batch_destroy(struct pgs_batch *batch)
{
    if (!batch)
        return;
    pgs_arena_finish(&batch->arena);
    pgs_linear_destroy(batch->scratch);
    pgs_linear_destroy(batch->upload);
    pgs_free(batch);
}

void pgs_batch_reset(struct pgs_batch *batch)
{
    forget_pass(batch);
    pgs_arena_reset(&batch->arena);
    pgs_linear_reset(batch->scratch);
    pgs_linear_reset(batch->upload);
}

void pgs_batch_next_pass(struct pgs_batch *batch)
{
    forget_pass(batch);
    pgs_linear_rewind(batch->scratch);
}

bool pgs_batch_is_empty(const struct pgs_batch *batch)
{
    return !batch->pass;
}

VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, struct pgs_draw **draw)
{
    *draw = NULL;
    struct pgs_draw_plan plan;
    bool too_large;
    const enum pgs_plan wish = batch->dev->physical->instance->settings.plan;
    if (!pgs_draw_plan(state->pipeline, state, call, wish, &plan, &too_large)) {
        if (!too_large)
            return VK_SUCCESS;
        pgs_log(PGS_LOG_ERROR,
                "a draw of %u vertices in %u instances needs more than 2^32 shader "
                "invocations",
                call->count, call->instance_count);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = pgs_kernels_fetch(batch->dev, &plan, &batch->kernels);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_draw *added = pgs_draw_new(&batch->arena, batch->dev, state, &plan);
    if (!added)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = pgs_compute_prepare(added, state, call, batch->upload, batch->scratch);
    if (result != VK_SUCCESS)
        return result;
    *batch->pass_end = added;
    batch->pass_end = &added->next;
    *draw = added;
    return VK_SUCCESS;
}

void pgs_batch_record(struct pgs_batch *batch, VkCommandBuffer cb)
{
    if (batch->pass)
        pgs_compute_record(batch->dev, cb, batch->pass, &batch->kernels);
}

void pgs_draw_replay(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    if (draw->plan.discard)
        return;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    for (uint32_t i = 0; i < draw->plan.part_count; i++) {
        const struct pgs_draw_part *part = &draw->parts[i];
        vk->CmdBindVertexBuffers(cb, 0, 1, &part->record.buffer, &part->record.offset_B);
        vk->CmdBindIndexBuffer(cb, part->indices.buffer, pgs_index_bind_offset(&part->indices),
                               VK_INDEX_TYPE_UINT32);
        vk->CmdDrawIndexedIndirect(cb, part->draw_args.buffer, part->draw_args.offset_B, 1,
                                   sizeof(VkDrawIndexedIndirectCommand));
    }
}
