/* SPDX-License-Identifier: MIT */
#include "draw/setup.h"

#include "base/log.h"
#include "draw/plan.h"
#include "draw/record.h"
#include "draw/vertex_fetch.h"

#include <stddef.h>

/* Number of vertices that begin in the binding. False: the binding does not limit the number. */
static bool vertices_of_binding(struct pgs_device *dev, const struct pgs_vertex_fetch *fetch,
                                const struct pgs_graphics_state *state, uint32_t binding,
                                uint64_t *count)
{
    const struct pgs_vertex_buffer *bound = &state->vertex[binding];
    const uint64_t stride_B = pgs_vertex_stride(fetch, state, binding);
    struct pgs_buffer_info buffer;
    if (fetch->bindings[binding].instance_rate || !stride_B || !bound->buffer ||
        !pgs_buffer_lookup(dev, bound->buffer, &buffer))
        return false;
    const VkDeviceSize range_B = pgs_bound_size(buffer.size_B, bound->offset_B, bound->size_B);
    *count = range_B / stride_B + (range_B % stride_B != 0);
    return true;
}

uint32_t pgs_byte_count_bound(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call)
{
    uint64_t most = 0;
    bool known = false;
    struct pgs_vertex_fetch fetch;
    pgs_vertex_fetch_find(&fetch, pipeline, state);
    for (uint32_t i = 0; i < fetch.attribute_count; i++) {
        uint64_t count = 0;
        known |= vertices_of_binding(dev, &fetch, state, fetch.attributes[i].binding, &count);
        if (count > most)
            most = count;
    }
    if (!known && call->vertex_stride_B)
        most = pgs_buffer_largest_xfb_B(dev) / call->vertex_stride_B;
    const uint32_t limit = pgs_draw_count_limit(pipeline, call->instance_count);
    return most < limit ? (uint32_t)most : limit;
}

VkDeviceAddress pgs_setup_condition(struct pgs_device *dev, const struct pgs_graphics_state *state,
                                    uint32_t *flags)
{
    const struct pgs_condition *condition = &state->condition;
    VkDeviceAddress word = 0;
    if (condition->buffer)
        word = pgs_word_address(dev, condition->buffer, condition->offset_B);
    else if (state->inherited_condition)
        word = state->inherited_condition + offsetof(VkDrawIndirectCommand, instanceCount);
    *flags = word ? PGS_SETUP_CONDITION | (condition->inverted ? PGS_SETUP_INVERTED : 0) : 0;
    return word;
}

VkDeviceAddress pgs_counter_address(struct pgs_device *dev, const struct pgs_draw_call *call)
{
    const VkDeviceAddress counter =
        pgs_word_address(dev, call->counter.buffer, call->counter.offset_B);
    if (counter && call->vertex_stride_B)
        return counter;
    pgs_log_once(PGS_LOG_ERROR, "the layer cannot read the counter of "
                                "vkCmdDrawIndirectByteCountEXT: nothing is drawn");
    return 0;
}

/* If the layer cannot read the counter, there are no vertices. */
static void fill_byte_count(struct pgs_setup *setup, struct pgs_device *dev,
                            const struct pgs_draw_call *call)
{
    setup->counter = pgs_counter_address(dev, call);
    if (!setup->counter) {
        setup->vertex_count = 0;
        return;
    }
    setup->flags |= PGS_SETUP_BYTE_COUNT;
    setup->counter_offset_B = call->counter_offset_B;
    setup->vertex_stride_B = call->vertex_stride_B;
}

void pgs_setup_fill(struct pgs_setup *setup, struct pgs_device *dev,
                    const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                    uint32_t topology, const struct pgs_setup_target *target)
{
    *setup = (struct pgs_setup){
        .records = target->records,
        .record_count = target->record_count,
        .record_stride_B = target->record_stride_B,
        .args = target->args,
        .vertex_stride_B = 4,
        .vertex_count = call->count,
        .instance_count = call->instance_count,
        .first_instance = call->first_instance,
        .topology = topology,
    };
    if (call->byte_count)
        fill_byte_count(setup, dev, call);
    uint32_t flags;
    setup->condition = pgs_setup_condition(dev, state, &flags);
    setup->flags |= flags;
}
