/* SPDX-License-Identifier: MIT */
#include "draw/interval.h"

#include "base/log.h"
#include "draw/record.h"

#define PGS_MAX_CAPTURED_B (UINT32_MAX & ~UINT32_C(3)) /* what a counter can count */

static void fill_counters(pgs_address out[PGS_MAX_FEEDBACK_BUFFERS], struct pgs_device *dev,
                          const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS])
{
    for (uint32_t i = 0; i < PGS_MAX_FEEDBACK_BUFFERS; i++)
        out[i] = pgs_word_address(dev, counters[i].buffer, counters[i].offset_B);
}

/* A binding without room for a word stays bound: what overflows is not what is ignored (X14,
 * X15). */
static void fill_binding(struct pgs_feedback_interval *interval, uint32_t i, struct pgs_device *dev,
                         const struct pgs_feedback_binding *binding)
{
    struct pgs_buffer_info buffer;
    if (!binding->buffer)
        return;
    if (!pgs_buffer_lookup(dev, binding->buffer, &buffer) || !buffer.address ||
        binding->offset_B % 4) {
        pgs_log_once(PGS_LOG_ERROR, "transform feedback to a buffer that the layer cannot write: "
                                    "nothing is captured there");
        return;
    }
    const VkDeviceSize size_B = pgs_bound_size(buffer.size_B, binding->offset_B, binding->size_B);
    interval->size_B[i] =
        size_B < PGS_MAX_CAPTURED_B ? (uint32_t)size_B & ~UINT32_C(3) : PGS_MAX_CAPTURED_B;
    interval->base[i] =
        buffer.address + (binding->offset_B < buffer.size_B ? binding->offset_B : 0);
}

void pgs_interval_fill(struct pgs_feedback_interval *interval, struct pgs_device *dev,
                       const struct pgs_feedback_binding bindings[PGS_MAX_FEEDBACK_BUFFERS],
                       const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS])
{
    *interval = (struct pgs_feedback_interval){0};
    for (uint32_t i = 0; i < PGS_MAX_FEEDBACK_BUFFERS; i++)
        fill_binding(interval, i, dev, &bindings[i]);
    fill_counters(interval->load, dev, counters);
}

void pgs_interval_fill_end(struct pgs_feedback_end *end, struct pgs_device *dev,
                           const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS])
{
    fill_counters(end->store, dev, counters);
}
