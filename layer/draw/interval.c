/* SPDX-License-Identifier: MIT */
#include "draw/interval.h"

#include "base/log.h"
#include "draw/record.h"

#define PGS_MAX_CAPTURED_B (UINT32_MAX & ~UINT32_C(3)) /* the most that a counter can count */

static void fill_counters(pgs_address out[PGS_MAX_XFB_BUFFERS], struct pgs_device *dev,
                          const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        out[i] = pgs_word_address(dev, counters[i].buffer, counters[i].offset_B);
}

/* A binding too small for one word stays bound. Outputs to unbound buffers are ignored, but
 * overflow keeps the primitive out of every buffer. */
static void fill_binding(struct pgs_xfb_interval *interval, uint32_t i, struct pgs_device *dev,
                         const struct pgs_xfb_binding *binding)
{
    struct pgs_buffer_info buffer;
    if (!binding->buffer)
        return;
    if (!pgs_buffer_lookup(dev, binding->buffer, &buffer) || !buffer.address ||
        binding->offset_B % 4) {
        pgs_log_once(PGS_LOG_ERROR,
                     "the layer cannot write to a transform feedback buffer (external or "
                     "protected memory, or a misaligned offset): nothing is captured there");
        return;
    }
    const VkDeviceSize size_B = pgs_bound_size(buffer.size_B, binding->offset_B, binding->size_B);
    interval->size_B[i] =
        size_B < PGS_MAX_CAPTURED_B ? (uint32_t)size_B & ~UINT32_C(3) : PGS_MAX_CAPTURED_B;
    interval->base[i] =
        buffer.address + (binding->offset_B < buffer.size_B ? binding->offset_B : 0);
}

void pgs_interval_fill(struct pgs_xfb_interval *interval, struct pgs_device *dev,
                       const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS],
                       const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    *interval = (struct pgs_xfb_interval){0};
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        fill_binding(interval, i, dev, &bindings[i]);
    fill_counters(interval->load, dev, counters);
}

void pgs_interval_fill_end(struct pgs_xfb_end *end, struct pgs_device *dev,
                           const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    fill_counters(end->store, dev, counters);
}

void pgs_interval_begin(struct pgs_interval_state *state, VkDeviceAddress address,
                        const struct pgs_xfb_interval *filled)
{
    *state = (struct pgs_interval_state){.address = address, .at = *filled, .known = true};
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        state->known &= !filled->load[i];
}

/* Whole primitives that fit between the offset and the end of the buffer. */
static uint32_t space_el(const struct pgs_xfb_interval *at, uint32_t i, uint32_t offset_B,
                         uint32_t primitive_B)
{
    if (offset_B >= at->size_B[i] || (offset_B | at->base[i]) & 3)
        return 0;
    return (at->size_B[i] - offset_B) / primitive_B;
}

void pgs_interval_target(const struct pgs_interval_state *state, VkDeviceAddress interval,
                         const struct pgs_spv_xfb *xfb, uint32_t vertices_per_primitive,
                         struct pgs_xfb_target *target)
{
    *target = (struct pgs_xfb_target){.space_el = UINT32_MAX};
    if (!interval || interval != state->address)
        return;
    bool bound = false;
    target->is_known = state->known;
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++) {
        const uint32_t offset_B = state->known ? state->at.offset_B[i] : 0;
        const uint32_t primitive_B = xfb->stride_B[i] * vertices_per_primitive;
        if (!primitive_B)
            continue;
        target->is_known &= !xfb->stream[i];
        if (!state->at.base[i] || xfb->stream[i])
            continue;
        const uint32_t here_el = space_el(&state->at, i, offset_B, primitive_B);
        bound = true;
        target->address[i] = state->at.base[i] + offset_B;
        if (here_el < target->space_el)
            target->space_el = here_el;
    }
    if (!bound)
        target->space_el = 0;
}

void pgs_interval_advance(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                          uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                          uint64_t primitives)
{
    const uint32_t written =
        primitives < target->space_el ? (uint32_t)primitives : target->space_el;
    if (!target->is_known) {
        pgs_interval_lose(state);
        return;
    }
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        if (target->address[i])
            state->at.offset_B[i] += written * xfb->stride_B[i] * vertices_per_primitive;
}

void pgs_interval_follow(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                         uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                         VkDeviceAddress record, uint32_t gives_el)
{
    pgs_interval_lose(state);
    if (!target->is_known)
        return;
    state->last = (struct pgs_interval_end){.draw = record,
                                            .space_el = target->space_el,
                                            .flags = gives_el ? 0 : PGS_END_GS_INVOCATIONS,
                                            .per_primitive = gives_el};
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++) {
        state->last.offset_B[i] = state->at.offset_B[i];
        state->last.primitive_B[i] =
            target->address[i] ? xfb->stride_B[i] * vertices_per_primitive : 0;
    }
}

void pgs_interval_lose(struct pgs_interval_state *state)
{
    state->known = false;
    state->last.draw = 0;
}

bool pgs_interval_end(const struct pgs_interval_state *state, VkDeviceAddress interval,
                      const struct pgs_xfb_end *stores, struct pgs_interval_end *end)
{
    if (interval != state->address || !(state->known || state->last.draw))
        return false;
    *end = state->last;
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++) {
        end->offset_B[i] = state->at.offset_B[i];
        end->store[i] = stores->store[i];
    }
    return true;
}
