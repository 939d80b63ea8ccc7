/* SPDX-License-Identifier: MIT */
#include "draw/bound_buffers.h"

#include "base/log.h"
#include "draw/plan.h"
#include "draw/record.h"
#include "draw/vertex_fetch.h"
#include "memory/memory.h"
#include "pipeline/bind_sets.h"
#include "pipeline/stored_ahead.h"
#include "poly_gs/digits.h"
#include "poly_gs/format.h"

/* Elements that are not there are read as the first words of the buffer. */
#define LEAST_B 16

/* A part of a buffer. */
struct part {
    VkBuffer buffer; /* VK_NULL_HANDLE: nothing is read */
    VkDeviceAddress address;
    VkDeviceSize buffer_B, begin_B, end_B;
};

/* Makes a descriptor of its whole words. False: there can be none. */
static bool describe(const struct pgs_device *dev, const struct part *part,
                     struct pgs_bound_buffer *made)
{
    const VkPhysicalDeviceLimits *limits = &dev->physical->properties.limits;
    const VkDeviceSize align_B = limits->minStorageBufferOffsetAlignment;
    const VkDeviceSize begin_B = align_B ? part->begin_B / align_B * align_B : part->begin_B;
    const VkDeviceSize end_B = part->end_B / 4 * 4;
    *made = (struct pgs_bound_buffer){.buffer = part->buffer,
                                      .offset_B = begin_B,
                                      .size_B = end_B - begin_B,
                                      .base = (uint32_t)(part->address + begin_B)};
    return end_B <= part->buffer_B && end_B - begin_B >= LEAST_B &&
           end_B - begin_B <= limits->maxStorageBufferRange && made->base % 4 == 0;
}

/* Makes the part reach to another one of a buffer. False: that is not the same buffer. */
static bool extend(struct part *part, const struct part *by)
{
    if (!part->buffer)
        *part = *by;
    if (part->buffer != by->buffer)
        return false;
    part->begin_B = by->begin_B < part->begin_B ? by->begin_B : part->begin_B;
    part->end_B = by->end_B > part->end_B ? by->end_B : part->end_B;
    return true;
}

/* What is bound there. Without an address nothing is read of it. */
static struct part part_of(struct pgs_device *dev, VkBuffer handle, VkDeviceSize offset_B,
                           VkDeviceSize size_B)
{
    struct pgs_buffer_info info;
    struct part part = {.buffer = VK_NULL_HANDLE};
    if (!handle || !pgs_buffer_lookup(dev, handle, &info) || !info.address)
        return part;
    const VkDeviceSize bound_B = pgs_bound_size(info.size_B, offset_B, size_B);
    if (bound_B)
        part = (struct part){handle, info.address, info.size_B, offset_B, offset_B + bound_B};
    return part;
}

/* Attributes of words lie in one buffer, at multiples of 4; others are read by address anyway. */
static bool find_attributes(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state, struct part *all)
{
    struct pgs_vertex_fetch fetch;
    pgs_vertex_fetch_find(&fetch, pipeline, state);
    for (uint32_t i = 0; i < fetch.attribute_count; i++) {
        const struct pgs_vertex_attribute *attribute = &fetch.attributes[i];
        if (PGS_FORMAT_LAYOUT(attribute->format) != PGS_LAYOUT_32)
            continue;
        const struct pgs_vertex_buffer *bound = &state->vertex[attribute->binding];
        const uint32_t stride_B = pgs_vertex_stride(&fetch, state, attribute->binding);
        const struct part part = part_of(dev, bound->buffer, bound->offset_B, bound->size_B);
        if (!part.buffer)
            continue;
        const VkDeviceAddress first = part.address + bound->offset_B + attribute->offset_B;
        if ((first | stride_B) % 4 != 0 || !extend(all, &part))
            return false;
    }
    return true;
}

void pgs_bound_buffers_find(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                            const struct pgs_draw_call *call, struct pgs_draw *draw)
{
    const struct pgs_emulated_pipeline *pipeline = draw->pipeline;
    struct pgs_device *dev = draw->dev;
    struct part attributes = {.buffer = VK_NULL_HANDLE}, indices = attributes;
    const struct pgs_device_class *traits = &dev->physical->traits;
    const uint32_t least_el = traits->costs.of[PGS_COST_BOUND_INVOCATIONS];
    draw->bound = NULL;
    if (!traits->binds_words || atomic_load(&dev->pushed_sets) || !least_el || !pipeline ||
        draw->plan.sizing != PGS_SIZE_CPU || draw->plan.subdraw_gs_invocations < least_el ||
        !pgs_plan_runs(&draw->plan, PGS_STAGE_GEOMETRY) ||
        pgs_plan_geometry_variant(pipeline, &draw->plan) != PGS_VARIANT_FUSED ||
        !pgs_pipeline_has(pipeline, PGS_VARIANT_BOUND))
        return;
    if (!pgs_bound_is_made(pipeline)) {
        pgs_bound_expect(pipeline);
        return;
    }
    struct pgs_bound_buffers *made =
        pgs_arena_alloc(arena, sizeof(*made), _Alignof(struct pgs_bound_buffers));
    if (!made || !find_attributes(dev, pipeline, state, &attributes))
        return;
    if (call->indexed) {
        indices = part_of(dev, state->index_buffer, state->index_offset_B, state->index_size_B);
        indices.end_B += 3; /* short ones are read of the word that they lie in */
    }
    const enum pgs_stage_group group = pgs_variant_group(pipeline, PGS_VARIANT_BOUND);
    *made = (struct pgs_bound_buffers){
        .layout = pgs_layout_bound_of_group(pipeline->layout, group),
        .set = pgs_layout_set_count(pipeline->layout),
    };
    if ((!attributes.buffer || describe(dev, &attributes, &made->of[PGS_BOUND_ATTRIBUTES])) &&
        (!indices.buffer || describe(dev, &indices, &made->of[PGS_BOUND_INDICES]))) {
        draw->bound = made;
        pgs_log(PGS_LOG_DEBUG, "a draw loads and stores by descriptors");
    }
}

bool pgs_bound_buffers_of(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw,
                          struct pgs_bound_buffers *bound)
{
    const struct pgs_range *stored = &subdraw->out_vertices;
    const struct part part = {.buffer = stored->buffer,
                              .address = stored->address - stored->offset_B,
                              .buffer_B = stored->offset_B + stored->size_B,
                              .begin_B = stored->offset_B,
                              .end_B = stored->offset_B + stored->size_B};
    if (!draw->bound || draw->call_count != 1 || !stored->buffer)
        return false;
    *bound = *draw->bound;
    if (!describe(draw->dev, &part, &bound->of[PGS_BOUND_VERTICES]))
        return false;
    for (uint32_t i = 0; i < PGS_BOUND_BUFFERS; i++)
        if (!bound->of[i].buffer)
            bound->of[i] = bound->of[PGS_BOUND_VERTICES];
    return true;
}

void pgs_bound_buffers_push(const struct pgs_bound_buffers *bound, const struct pgs_device *dev,
                            VkCommandBuffer cb)
{
    VkDescriptorBufferInfo infos[PGS_BOUND_BUFFERS];
    VkWriteDescriptorSet writes[PGS_BOUND_BUFFERS];
    uint32_t bases[PGS_BOUND_BUFFERS];
    for (uint32_t i = 0; i < PGS_BOUND_BUFFERS; i++) {
        const struct pgs_bound_buffer *buffer = &bound->of[i];
        infos[i] = (VkDescriptorBufferInfo){buffer->buffer, buffer->offset_B, buffer->size_B};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &infos[i],
        };
        bases[i] = buffer->base;
    }
    dev->vk.CmdPushDescriptorSetKHR(cb, VK_PIPELINE_BIND_POINT_COMPUTE, bound->layout, bound->set,
                                    PGS_BOUND_BUFFERS, writes);
    dev->vk.CmdPushConstants(cb, bound->layout, VK_SHADER_STAGE_COMPUTE_BIT,
                             sizeof(struct pgs_root) + PGS_ROOT_DIGITS_B, sizeof(bases), bases);
}
