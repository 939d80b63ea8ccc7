/* SPDX-License-Identifier: MIT */
#include "draw/vertex_fetch.h"

#include "base/log.h"
#include "pipeline/format.h"

/* Returns the mask of the bindings that are described. */
static uint32_t take_bindings(struct pgs_vertex_fetch *fetch, const struct pgs_vertex_input *input)
{
    uint32_t described = 0;
    for (uint32_t i = 0; i < input->binding_count; i++) {
        const VkVertexInputBindingDescription2EXT *from = &input->bindings[i];
        if (from->binding >= PGS_MAX_BINDINGS)
            continue;
        described |= UINT32_C(1) << from->binding;
        fetch->own_bindings[from->binding] = (struct pgs_vertex_binding_state){
            .stride_B = from->stride,
            .divisor = from->divisor,
            .instance_rate = from->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
        };
    }
    fetch->bindings = fetch->own_bindings;
    return described;
}

/* Returns how many attributes that makes, 0 or 1. */
static uint32_t take_attribute(struct pgs_vertex_attribute *to,
                               const VkVertexInputAttributeDescription2EXT *from)
{
    *to = (struct pgs_vertex_attribute){
        .location = from->location, .binding = from->binding, .offset_B = from->offset};
    to->format = pgs_format_from_vk(from->format, &to->size_B);
    if (to->format)
        return 1;
    pgs_log_once(PGS_LOG_ERROR,
                 "vertex format %d of vkCmdSetVertexInputEXT cannot be fetched: "
                 "emulated draws read zeros",
                 (int)from->format);
    return 0;
}

static void find_dynamic(struct pgs_vertex_fetch *fetch,
                         const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state)
{
    const struct pgs_vertex_input *input = &state->vertex_input;
    const uint32_t bindings = take_bindings(fetch, input);
    const VkVertexInputAttributeDescription2EXT *at[PGS_MAX_ATTRIBUTES] = {NULL};
    for (uint32_t i = 0; i < input->attribute_count; i++) {
        const VkVertexInputAttributeDescription2EXT *from = &input->attributes[i];
        if (from->location < PGS_MAX_ATTRIBUTES && from->binding < PGS_MAX_BINDINGS &&
            (bindings >> from->binding & 1))
            at[from->location] = from;
    }
    fetch->attribute_count = 0;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++) {
        const VkVertexInputAttributeDescription2EXT *from = at[pipeline->attributes[i].location];
        if (from)
            fetch->attribute_count +=
                take_attribute(&fetch->own_attributes[fetch->attribute_count], from);
    }
    fetch->attributes = fetch->own_attributes;
    fetch->dynamic_strides = pipeline->dynamic & PGS_DYNAMIC_STRIDE ? input->strided_since : 0;
}

void pgs_vertex_fetch_find(struct pgs_vertex_fetch *fetch,
                           const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state)
{
    if (pipeline->dynamic & PGS_DYNAMIC_VERTEX_INPUT) {
        find_dynamic(fetch, pipeline, state);
        return;
    }
    fetch->attribute_count = pipeline->attribute_count;
    fetch->attributes = pipeline->attributes;
    fetch->bindings = pipeline->bindings;
    fetch->dynamic_strides = pipeline->dynamic & PGS_DYNAMIC_STRIDE ? UINT32_MAX : 0;
}
