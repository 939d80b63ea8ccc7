/* SPDX-License-Identifier: MIT */
#include "pipeline/record_inputs.h"

#include "poly_gs/abi.h"
#include "poly_gs/format.h"

#include <stddef.h>

#define MEMBER(name) offsetof(struct pgs_draw_record, name)

/* What one attribute reads lies side by side. */
_Static_assert(MEMBER(self) == 0, "the first member of a pgs_inline_draw");
_Static_assert(MEMBER(index_address) == 16 && MEMBER(index_size_B) == 24 &&
                   MEMBER(index_bound_el) == 28,
               "PGS_SPV_RECORD_INDICES, pgs_near_take");
_Static_assert(MEMBER(flags) == 32 && MEMBER(first_vertex) == 36 && MEMBER(instance_count) == 40 &&
                   MEMBER(primitive_count) == 44,
               "PGS_SPV_RECORD_NUMBERS, pgs_near_take");
_Static_assert(MEMBER(topology) == 48 && MEMBER(first_instance) == 52,
               "PGS_SPV_RECORD_REST, pgs_near_take");
_Static_assert(offsetof(struct pgs_attribute, address) == 0 &&
                   offsetof(struct pgs_attribute, stride_B) == 8 &&
                   offsetof(struct pgs_attribute, element_count_el) == 12,
               "PGS_SPV_RECORD_ATTRIBUTES");
_Static_assert(MEMBER(attributes) == PGS_RECORD_PUSH_B + 4 * PGS_MAX_PUSH_WORDS &&
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
        mask |= 1u << (pipeline->attributes[i].leader & 31);
    return mask;
}

/* Wide ones are fetched by halves. */
static bool may_join(const struct pgs_vertex_attribute *a, const struct pgs_vertex_attribute *b)
{
    const bool wide = PGS_FORMAT_LAYOUT(a->format) == PGS_LAYOUT_64 ||
                      PGS_FORMAT_LAYOUT(b->format) == PGS_LAYOUT_64;
    return a->binding == b->binding && !wide;
}

void pgs_record_join_attributes(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_vertex_attribute *all = pipeline->attributes;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++) {
        const struct pgs_vertex_attribute *first = &all[i];
        const uint32_t end_B = all[i].offset_B + all[i].size_B;
        uint32_t last_B = end_B;
        for (uint32_t k = 0; k < pipeline->attribute_count; k++) {
            if (!may_join(&all[i], &all[k]))
                continue;
            if (all[k].offset_B + all[k].size_B > last_B)
                last_B = all[k].offset_B + all[k].size_B;
            if (all[k].offset_B < first->offset_B)
                first = &all[k];
        }
        all[i].behind_B = last_B - end_B;
        all[i].leader = first->location;
    }
}

void pgs_record_near(const struct pgs_emulated_pipeline *pipeline,
                     struct pgs_spv_vertex_options *options)
{
    uint32_t first_B[PGS_MAX_ATTRIBUTES] = {0};
    options->reads_near = true;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        first_B[pipeline->attributes[i].location & 31] = pipeline->attributes[i].offset_B;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++) {
        const struct pgs_vertex_attribute *attribute = &pipeline->attributes[i];
        options->near[attribute->location & 31] = (uint8_t)attribute->leader;
        options->near_B[attribute->location & 31] =
            attribute->offset_B - first_B[attribute->leader & 31];
    }
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
    add(inputs, &count, PGS_SPV_RECORD_INDICES, words, MEMBER(index_address));
    add(inputs, &count, PGS_SPV_RECORD_NUMBERS, words, MEMBER(flags));
    add(inputs, &count, PGS_SPV_RECORD_REST, words, MEMBER(topology));
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
