/* SPDX-License-Identifier: MIT
 *
 * The half of the fake draw module that records. To be included by fake_modules.h.
 */
#ifndef FAKE_MODULE_RECORDS_H
#define FAKE_MODULE_RECORDS_H

VkResult pgs_condition_record(struct pgs_device *d, VkCommandBuffer cb,
                              const struct pgs_condition *condition, VkDeviceAddress inherited,
                              VkDeviceAddress slot, struct pgs_linear *linear,
                              uint64_t *invocations)
{
    (void)d, (void)cb, (void)linear;
    const uintptr_t own = (uintptr_t)condition->buffer + condition->offset_B;
    fake_modules_note(FAKE_STORE_CONDITION, slot, own ? own : inherited != 0, condition->inverted);
    ++*invocations;
    return VK_SUCCESS;
}

bool pgs_batch_is_empty(const struct pgs_batch *batch)
{
    return !batch->pass_count;
}

VkResult pgs_batch_seal(struct pgs_batch *batch)
{
    (void)batch;
    return VK_SUCCESS;
}

/* As if the grids of all draws were the GPU's. */
VkResult pgs_batch_count_grids(struct pgs_batch *batch, VkCommandBuffer cb, VkDeviceAddress value,
                               struct pgs_linear *linear, uint64_t *invocations)
{
    (void)cb, (void)linear;
    if (!batch->pass_count)
        return VK_SUCCESS;
    fake_modules_note(FAKE_COUNT_GRIDS, value, 0, 0);
    ++*invocations;
    return VK_SUCCESS;
}

static _Thread_local enum pgs_batch_place fake_place; /* of the last batch of this thread */

VkResult pgs_batch_record(const struct pgs_batch *batch, VkCommandBuffer cb,
                          enum pgs_batch_place place, struct pgs_linear *linear,
                          uint64_t *invocations)
{
    (void)cb, (void)linear;
    fake_place = place;
    fake_modules_note(FAKE_BATCH, batch->draw_count, 0, 0);
    for (uint32_t i = 0; i < batch->pass_count; i++) {
        const struct pgs_draw *op = batch->pass[i];
        if (op->what != FAKE_REPLAY)
            fake_modules_note(op->what, op->a, op->b, op->c);
    }
    *invocations += batch->draw_count;
    return VK_SUCCESS;
}

VkResult pgs_batch_end_query(struct pgs_batch *batch, VkDeviceAddress query)
{
    return fake_batch_note(batch, FAKE_QUERY_ENDS, query, 0, 0);
}

#endif
