/* SPDX-License-Identifier: MIT */
#include "pipeline/record_inputs.h"

#include "poly_gs/abi.h"

#include <stddef.h>

#define MEMBER(name) offsetof(struct pgs_draw_record, name)

/* What one attribute reads lies side by side. */
_Static_assert(MEMBER(self) == 0 && MEMBER(index_address) == 8,
               "the first members of a pgs_inline_draw, and what stands behind its address");
_Static_assert(MEMBER(index_bound_el) - MEMBER(flags) == 12 &&
                   MEMBER(topology) - MEMBER(flags) == 4 &&
                   MEMBER(index_size_B) - MEMBER(flags) == 8,
               "PGS_SPV_RECORD_ASSEMBLY");
_Static_assert(MEMBER(instance_count) - MEMBER(first_vertex) == 4 &&
                   MEMBER(first_instance) - MEMBER(first_vertex) == 8 &&
                   MEMBER(primitive_count) - MEMBER(first_vertex) == 12,
               "PGS_SPV_RECORD_NUMBERS");
_Static_assert(offsetof(struct pgs_attribute, address) == 0 &&
                   offsetof(struct pgs_attribute, stride_B) == 8 &&
                   offsetof(struct pgs_attribute, element_count_el) == 12,
               "PGS_SPV_RECORD_ATTRIBUTES");
_Static_assert(MEMBER(flags) == 32 && MEMBER(first_vertex) == 48 &&
                   MEMBER(attributes) == PGS_RECORD_PUSH_B + 4 * PGS_MAX_PUSH_WORDS &&
                   sizeof(struct pgs_attribute) == 32,
               "pgs_geometry_take_record");

uint32_t pgs_record_size(const struct pgs_emulated_pipeline *pipeline)
{
    uint32_t locations = 0;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        if (pipeline->attributes[i].location >= locations)
            locations = pipeline->attributes[i].location + 1;
    const size_t size_B = MEMBER(attributes) + locations * sizeof(struct pgs_attribute);
    return (uint32_t)((size_B + PGS_RECORD_LINE_B - 1) / PGS_RECORD_LINE_B * PGS_RECORD_LINE_B);
}

uint32_t pgs_record_attributes(const struct pgs_emulated_pipeline *pipeline)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        mask |= 1u << (pipeline->attributes[i].location & 31);
    return mask;
}

static void add(VkVertexInputAttributeDescription inputs[], uint32_t *count, uint32_t location,
                VkFormat format, size_t offset_B)
{
    inputs[(*count)++] = (VkVertexInputAttributeDescription){
        .location = location,
        .binding = 0,
        .format = format,
        .offset = (uint32_t)offset_B,
    };
}

uint32_t pgs_record_inputs(const struct pgs_emulated_pipeline *pipeline,
                           VkVertexInputAttributeDescription inputs[PGS_MAX_RECORD_INPUTS])
{
    const VkFormat words = VK_FORMAT_R32G32B32A32_UINT;
    const uint32_t mask = pgs_record_attributes(pipeline);
    uint32_t count = 0, location = PGS_SPV_RECORD_ATTRIBUTES;
    add(inputs, &count, PGS_SPV_RECORD_ASSEMBLY, words, MEMBER(flags));
    add(inputs, &count, PGS_SPV_RECORD_NUMBERS, words, MEMBER(first_vertex));
    for (uint32_t i = 0; i < 32; i++)
        if (mask >> i & 1)
            add(inputs, &count, location++, words,
                MEMBER(attributes) + i * sizeof(struct pgs_attribute));
    return count;
}

bool pgs_may_take_record(const struct pgs_physical_device *physical,
                         const struct pgs_emulated_pipeline *pipeline)
{
    const VkPhysicalDeviceLimits *limits = &physical->properties.limits;
    VkVertexInputAttributeDescription inputs[PGS_MAX_RECORD_INPUTS];
    if (!pgs_runs_on_cpu(physical) || pipeline->tessellated || pipeline->native_raster ||
        pipeline->by_layer || pipeline->by_view || pipeline->by_viewport ||
        (pipeline->dynamic & (PGS_DYNAMIC_VERTEX_INPUT | PGS_DYNAMIC_STREAM)))
        return false;
    const uint32_t count = pgs_record_inputs(pipeline, inputs);
    return inputs[count - 1].location < limits->maxVertexInputAttributes &&
           inputs[count - 1].offset <= limits->maxVertexInputAttributeOffset &&
           pgs_record_size(pipeline) <= limits->maxVertexInputBindingStride;
}
