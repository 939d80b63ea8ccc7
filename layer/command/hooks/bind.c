/* SPDX-License-Identifier: MIT
 *
 * Binds and the dynamic state that emulated draws read. They are tracked and passed on.
 */
#include "base/log.h"
#include "command/pass/bind_graphics.h"
#include "command/pass/objects.h"
#include "command/state/graphics_state.h"
#include "pipeline/layout.h"
#include "vulkan/hooks.h"

#include <string.h>

static PGS_SLOW void bind_pipeline_slowly(VkCommandBuffer commandBuffer,
                                          VkPipelineBindPoint pipelineBindPoint,
                                          VkPipeline pipeline)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindPipeline, pipelineBindPoint, pipeline);
        return;
    }
    if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS) {
        cb->bound = pipeline;
        cb->objects.active = false;
        if (pgs_command_buffer_may_emulate(cb)) { /* otherwise nothing is tracked yet */
            pgs_bind_pipeline_of_state(cb, pipeline);
            pipeline = pgs_state_driver_pipeline(cb);
        } else {
            pgs_state_update_discard(cb); /* for objects */
        }
    } else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
        pgs_recorder_latch(&cb->recorder, pgs_compute_state_bind_pipeline(&cb->compute, pipeline));
    PGS_EMIT(cb, CmdBindPipeline, pipelineBindPoint, pipeline);
}

/* In a pass that is not queued: only an emulated pipeline needs a queue. */
static PGS_SLOW void bind_pipeline_anew(VkCommandBuffer commandBuffer,
                                        VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (direct && pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS &&
        pgs_bind_native_pipeline(direct, pipeline))
        pgs_recorder_memory.vk->CmdBindPipeline(commandBuffer, pipelineBindPoint, pipeline);
    else
        bind_pipeline_slowly(commandBuffer, pipelineBindPoint, pipeline);
}

static PGS_SLOW void bind_pipeline_quickly(VkCommandBuffer commandBuffer,
                                           VkPipelineBindPoint pipelineBindPoint,
                                           VkPipeline pipeline)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (!direct)
        bind_pipeline_slowly(commandBuffer, pipelineBindPoint, pipeline);
    else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS &&
             pgs_bind_plain_again(direct, pipeline))
        pgs_recorder_memory.vk->CmdBindPipeline(commandBuffer, pipelineBindPoint, pipeline);
    else
        bind_pipeline_anew(commandBuffer, pipelineBindPoint, pipeline);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdBindPipeline(VkCommandBuffer commandBuffer,
                                                       VkPipelineBindPoint pipelineBindPoint,
                                                       VkPipeline pipeline)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (PGS_LIKELY(direct && pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS &&
                   !direct->objects.active && !pgs_command_buffer_may_emulate(direct))) {
        direct->bound = pipeline;
        pgs_recorder_memory.vk->CmdBindPipeline(commandBuffer, pipelineBindPoint, pipeline);
        return;
    }
    bind_pipeline_quickly(commandBuffer, pipelineBindPoint, pipeline);
}

static void note_dynamic_set(struct pgs_command_buffer *cb, VkPipelineLayout layout, uint32_t index,
                             VkDescriptorSet set, uint32_t offset_count, const uint32_t *offsets)
{
    pgs_state_note_sets(cb, layout, index, 1, &set);
    if (pgs_dynamic_offsets_set(&cb->graphics.dynamic_offsets[index], offset_count, offsets))
        cb->graphics.dynamic_count[index] = offset_count;
    else
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

struct set_binds {
    VkPipelineBindPoint point;
    VkPipelineLayout layout;
    uint32_t first, count;
    const VkDescriptorSet *sets;
    uint32_t offset_count;
    const uint32_t *offsets;
};

static void note_sets(struct pgs_command_buffer *cb, const struct set_binds *binds)
{
    const uint32_t *offsets = binds->offsets;
    uint32_t left = binds->offset_count;
    for (uint32_t i = 0; i < binds->count && binds->first + i < PGS_MAX_SETS; i++) {
        const uint32_t index = binds->first + i;
        /* Only the layout knows which dynamic offsets belong to which set. */
        uint32_t count = binds->sets[i] ? left : 0;
        if (count && binds->count > 1)
            count = pgs_layout_dynamic_count(cb->dev, binds->layout, index);
        if (count > left)
            count = left;
        if (binds->point == VK_PIPELINE_BIND_POINT_GRAPHICS)
            note_dynamic_set(cb, binds->layout, index, binds->sets[i], count, offsets);
        else
            pgs_recorder_latch(&cb->recorder,
                               pgs_compute_state_bind_set(&cb->compute, binds->layout, index,
                                                          binds->sets[i], count, offsets));
        if (count)
            offsets += count;
        left -= count;
    }
}

/* True if the driver need not have the sets before a draw, or the next native pipeline, wants them:
 * often other ones are bound first, or the draw sees those that the layer binds. */
static inline bool keep_back_sets(struct pgs_command_buffer *cb, VkPipelineBindPoint point,
                                  uint32_t first, uint32_t count)
{
    if (!cb->graphics.pipeline || point != VK_PIPELINE_BIND_POINT_GRAPHICS ||
        count > PGS_MAX_SETS || first > PGS_MAX_SETS - count)
        return false;
    cb->sets_kept |= (uint32_t)(((UINT64_C(1) << count) - 1) << first);
    cb->clobbered |= PGS_CLOBBERED_SETS;
    return true;
}

static PGS_SLOW void
bind_descriptor_sets_slowly(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                            VkPipelineLayout layout, uint32_t firstSet, uint32_t descriptorSetCount,
                            const VkDescriptorSet *pDescriptorSets, uint32_t dynamicOffsetCount,
                            const uint32_t *pDynamicOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindDescriptorSets, pipelineBindPoint, layout, firstSet,
                    descriptorSetCount, pDescriptorSets, dynamicOffsetCount, pDynamicOffsets);
        return;
    }
    const struct set_binds binds = {
        .point = pipelineBindPoint,
        .layout = layout,
        .first = firstSet,
        .count = descriptorSetCount,
        .sets = pDescriptorSets,
        .offset_count = dynamicOffsetCount,
        .offsets = pDynamicOffsets,
    };
    if (pipelineBindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS)
        cb->plain = false;
    pgs_command_buffer_keep(cb, layout);
    if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS && !dynamicOffsetCount &&
        firstSet + descriptorSetCount <= PGS_MAX_SETS)
        pgs_state_note_sets(cb, layout, firstSet, descriptorSetCount, pDescriptorSets);
    else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS ||
             pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
        note_sets(cb, &binds);
    if (!keep_back_sets(cb, pipelineBindPoint, firstSet, descriptorSetCount))
        PGS_EMIT(cb, CmdBindDescriptorSets, pipelineBindPoint, layout, firstSet, descriptorSetCount,
                 pDescriptorSets, dynamicOffsetCount, pDynamicOffsets);
}

/* In a pass that is queued: sets that an emulated pipeline sees, without dynamic offsets. */
static PGS_SLOW void
bind_descriptor_sets_quickly(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                             VkPipelineLayout layout, uint32_t firstSet,
                             uint32_t descriptorSetCount, const VkDescriptorSet *pDescriptorSets,
                             uint32_t dynamicOffsetCount, const uint32_t *pDynamicOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (cb && !cb->continues && !dynamicOffsetCount &&
        keep_back_sets(cb, pipelineBindPoint, firstSet, descriptorSetCount))
        pgs_state_note_sets(cb, layout, firstSet, descriptorSetCount, pDescriptorSets);
    else
        bind_descriptor_sets_slowly(commandBuffer, pipelineBindPoint, layout, firstSet,
                                    descriptorSetCount, pDescriptorSets, dynamicOffsetCount,
                                    pDynamicOffsets);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdBindDescriptorSets(
    VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
    uint32_t firstSet, uint32_t descriptorSetCount, const VkDescriptorSet *pDescriptorSets,
    uint32_t dynamicOffsetCount, const uint32_t *pDynamicOffsets)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (PGS_LIKELY(direct && pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS &&
                   !dynamicOffsetCount && firstSet + descriptorSetCount <= PGS_MAX_SETS)) {
        pgs_state_note_sets(direct, layout, firstSet, descriptorSetCount, pDescriptorSets);
        pgs_recorder_memory.vk->CmdBindDescriptorSets(commandBuffer, pipelineBindPoint, layout,
                                                      firstSet, descriptorSetCount, pDescriptorSets,
                                                      dynamicOffsetCount, pDynamicOffsets);
        return;
    }
    bind_descriptor_sets_quickly(commandBuffer, pipelineBindPoint, layout, firstSet,
                                 descriptorSetCount, pDescriptorSets, dynamicOffsetCount,
                                 pDynamicOffsets);
}

/* True if the driver need not have the constants before the next native pipeline: the shaders of an
 * emulated one in front of the rasterizer have them in records. */
static bool keep_back_push(struct pgs_command_buffer *cb, VkShaderStageFlags stages)
{
    const VkShaderStageFlags front =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    if (!cb->graphics.pipeline || (stages & ~front))
        return false;
    cb->clobbered |= PGS_CLOBBERED_PUSH;
    return true;
}

/* No memcpy: the call would cost more than the copy. Without the asm, the compiler turns the loop
 * into one. */
static inline void copy_push(char *to, const char *from, uint32_t size_B)
{
    size_t left_B = size_B & ~UINT32_C(3); /* valid sizes are multiples of 4 */
    while (left_B % 16) {
        left_B -= 4;
        memcpy(to + left_B, from + left_B, 4);
        __asm__("" : "+r"(left_B));
    }
    while (left_B) {
        left_B -= 16;
        memcpy(to + left_B, from + left_B, 16);
        __asm__("" : "+r"(left_B));
    }
}

/* A push unlike the last ones. Returns the stages for the driver. */
static VkShaderStageFlags note_push(struct pgs_command_buffer *cb, VkPipelineLayout layout,
                                    VkShaderStageFlags stages, uint32_t offset_B, uint32_t size_B,
                                    const void *values)
{
    const struct pgs_pushed_range range = {
        .layout = layout,
        .stages = pgs_layout_push_stages(cb->dev, layout, stages),
        .offset_B = offset_B,
        .size_B = size_B,
        .graphics = stages & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT,
    };
    pgs_recorder_latch(&cb->recorder, pgs_compute_state_push(&cb->compute, &range, stages, values));
    return range.stages;
}

static void push(struct pgs_command_buffer *cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset_B, uint32_t size_B, const void *values)
{
    const struct pgs_push_again *again =
        pgs_compute_state_pushes_again(&cb->compute, layout, stages, offset_B, size_B);
    VkShaderStageFlags driver_stages;
    if (again) {
        copy_push(again->bytes, values, size_B);
        driver_stages = again->driver_stages;
    } else {
        driver_stages = note_push(cb, layout, stages, offset_B, size_B, values);
    }
    pgs_command_buffer_keep(cb, layout);
    pgs_state_data_changed(cb);
    /* Without stages they are for a stage alone that the driver's layout lacks. */
    if (driver_stages && !keep_back_push(cb, stages))
        PGS_EMIT(cb, CmdPushConstants, layout, driver_stages, offset_B, size_B, values);
}

static PGS_SLOW void push_constants_slowly(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                           VkShaderStageFlags stageFlags, uint32_t offset,
                                           uint32_t size, const void *pValues)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdPushConstants, layout, stageFlags, offset, size, pValues);
        return;
    }
    push(cb, layout, stageFlags, offset, size, pValues);
}

/* A push like one of the last ones, that the driver need not have now. */
static inline bool keep_back_again(struct pgs_command_buffer *cb, VkPipelineLayout layout,
                                   VkShaderStageFlags stages, uint32_t offset_B, uint32_t size_B,
                                   const void *values)
{
    const struct pgs_push_again *again =
        cb && !cb->continues
            ? pgs_compute_state_pushes_again(&cb->compute, layout, stages, offset_B, size_B)
            : NULL;
    if (!again || !keep_back_push(cb, stages))
        return false;
    copy_push(again->bytes, values, size_B);
    pgs_state_data_changed(cb);
    return true;
}

static PGS_SLOW void push_constants_queued(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                           VkShaderStageFlags stageFlags, uint32_t offset,
                                           uint32_t size, const void *pValues)
{
    if (!keep_back_again(pgs_command_buffer_last(commandBuffer), layout, stageFlags, offset, size,
                         pValues))
        push_constants_slowly(commandBuffer, layout, stageFlags, offset, size, pValues);
}

static PGS_SLOW void push_constants_quickly(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                            VkShaderStageFlags stageFlags, uint32_t offset,
                                            uint32_t size, const void *pValues)
{
    const struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    const struct pgs_push_again *again =
        direct ? pgs_compute_state_pushes_again(&direct->compute, layout, stageFlags, offset, size)
               : NULL;
    if (!again) {
        push_constants_queued(commandBuffer, layout, stageFlags, offset, size, pValues);
        return;
    }
    copy_push(again->bytes, pValues, size);
    pgs_recorder_memory.push_constants(commandBuffer, layout, again->driver_stages, offset, size,
                                       pValues);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdPushConstants(VkCommandBuffer commandBuffer,
                                                        VkPipelineLayout layout,
                                                        VkShaderStageFlags stageFlags,
                                                        uint32_t offset, uint32_t size,
                                                        const void *pValues)
{
    const struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (PGS_LIKELY(direct && direct->compute.again[0].layout == layout &&
                   direct->compute.again[0].stages == stageFlags &&
                   direct->compute.again[0].offset_B == offset && size == PGS_USUAL_PUSH_B)) {
        memcpy(direct->compute.again[0].bytes, pValues, PGS_USUAL_PUSH_B);
        pgs_recorder_memory.push_constants(commandBuffer, layout, stageFlags, offset, size,
                                           pValues);
        return;
    }
    push_constants_quickly(commandBuffer, layout, stageFlags, offset, size, pValues);
}

static inline void bind_vertex_buffer(struct pgs_command_buffer *cb, uint32_t index,
                                      VkBuffer buffer, VkDeviceSize offset_B)
{
    struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[index];
    if (vertex->buffer != buffer || vertex->offset_B > offset_B)
        cb->pass.reads_noted = false; /* else all of it from the earlier offset on is noted */
    vertex->buffer = buffer;
    vertex->offset_B = offset_B;
    vertex->size_B = VK_WHOLE_SIZE;
}

/* Returns the bits of the bindings. */
static inline uint32_t bind_vertex_buffers(struct pgs_command_buffer *cb, uint32_t first,
                                           uint32_t count, const VkBuffer *buffers,
                                           const VkDeviceSize *offsets_B)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count && first + i < PGS_MAX_BINDINGS; i++) {
        bind_vertex_buffer(cb, first + i, buffers[i], offsets_B[i]);
        bits |= UINT32_C(1) << (first + i);
    }
    cb->vertex_bound |= bits;
    return bits;
}

/* True if the driver need not have the vertex buffers before the next native pipeline: the raster
 * draws of an emulated one have their own. */
static bool keep_back_vertex(struct pgs_command_buffer *cb, uint32_t first, uint32_t count,
                             uint32_t bits)
{
    if (!cb->graphics.pipeline || first + count > PGS_MAX_BINDINGS)
        return false;
    pgs_state_clobber_vertex(cb, bits);
    return true;
}

static PGS_SLOW void bind_vertex_buffers_slowly(VkCommandBuffer commandBuffer,
                                                uint32_t firstBinding, uint32_t bindingCount,
                                                const VkBuffer *pBuffers,
                                                const VkDeviceSize *pOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindVertexBuffers, firstBinding, bindingCount, pBuffers,
                    pOffsets);
        return;
    }
    pgs_state_data_changed(cb);
    const uint32_t bits = bind_vertex_buffers(cb, firstBinding, bindingCount, pBuffers, pOffsets);
    cb->vertex_plain |= bits;
    if (!keep_back_vertex(cb, firstBinding, bindingCount, bits))
        PGS_EMIT(cb, CmdBindVertexBuffers, firstBinding, bindingCount, pBuffers, pOffsets);
}

/* One buffer that an emulated pipeline reads, as others were bound before. */
static inline bool keep_back_one(struct pgs_command_buffer *cb, uint32_t binding, VkBuffer buffer,
                                 VkDeviceSize offset_B)
{
    if (!cb || !cb->graphics.pipeline || binding >= PGS_MAX_BINDINGS ||
        !(cb->vertex_plain >> binding & 1))
        return false;
    pgs_state_data_changed(cb);
    bind_vertex_buffer(cb, binding, buffer, offset_B);
    pgs_state_clobber_vertex(cb, UINT32_C(1) << binding);
    return true;
}

/* One binding in a pass that is not queued, unlike the last one. */
static inline void note_unqueued(struct pgs_command_buffer *cb, uint32_t binding, VkBuffer buffer,
                                 VkDeviceSize offset_B)
{
    struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[binding];
    vertex->buffer = buffer;
    vertex->offset_B = offset_B;
    if (!(cb->vertex_plain >> binding & 1)) {
        cb->vertex_plain |= UINT32_C(1) << binding;
        cb->vertex_bound |= UINT32_C(1) << binding;
        vertex->size_B = VK_WHOLE_SIZE;
    }
    cb->vertex_again = binding;
    cb->vertex_again_at = vertex;
}

/* In a pass that is queued. */
static PGS_SLOW void bind_vertex_buffers_queued(VkCommandBuffer commandBuffer,
                                                uint32_t firstBinding, uint32_t bindingCount,
                                                const VkBuffer *pBuffers,
                                                const VkDeviceSize *pOffsets)
{
    if (bindingCount != 1 ||
        !keep_back_one(pgs_command_buffer_last(commandBuffer), firstBinding, *pBuffers, *pOffsets))
        bind_vertex_buffers_slowly(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets);
}

/* One binding that differs from the last one. */
static PGS_SLOW void bind_vertex_buffers_quickly(VkCommandBuffer commandBuffer,
                                                 uint32_t firstBinding, uint32_t bindingCount,
                                                 const VkBuffer *pBuffers,
                                                 const VkDeviceSize *pOffsets)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (!direct) {
        bind_vertex_buffers_queued(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets);
    } else if (bindingCount != 1 || firstBinding >= PGS_MAX_BINDINGS) {
        bind_vertex_buffers_slowly(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets);
    } else {
        note_unqueued(direct, firstBinding, *pBuffers, *pOffsets);
        pgs_recorder_memory.bind_vertex_buffers(commandBuffer, firstBinding, bindingCount, pBuffers,
                                                pOffsets);
    }
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdBindVertexBuffers(VkCommandBuffer commandBuffer,
                                                            uint32_t firstBinding,
                                                            uint32_t bindingCount,
                                                            const VkBuffer *pBuffers,
                                                            const VkDeviceSize *pOffsets)
{
    const struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (PGS_LIKELY(direct && bindingCount == 1 && firstBinding == direct->vertex_again)) {
        direct->vertex_again_at->buffer = *pBuffers;
        direct->vertex_again_at->offset_B = *pOffsets;
        pgs_recorder_memory.bind_vertex_buffers(commandBuffer, firstBinding, bindingCount, pBuffers,
                                                pOffsets);
        return;
    }
    bind_vertex_buffers_quickly(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer,
                                                     uint32_t firstBinding, uint32_t bindingCount,
                                                     const VkBuffer *pBuffers,
                                                     const VkDeviceSize *pOffsets,
                                                     const VkDeviceSize *pSizes,
                                                     const VkDeviceSize *pStrides)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindVertexBuffers2, firstBinding, bindingCount, pBuffers,
                    pOffsets, pSizes, pStrides);
        return;
    }
    pgs_state_data_changed(cb);
    const uint32_t bits = bind_vertex_buffers(cb, firstBinding, bindingCount, pBuffers, pOffsets);
    cb->vertex_again = UINT32_MAX;
    cb->vertex_plain = pSizes ? cb->vertex_plain & ~bits : cb->vertex_plain | bits;
    if (pStrides) {
        cb->clobbered |= PGS_CLOBBERED_INPUT;
        cb->vertex_strided |= bits;
        cb->graphics.vertex_input.strided_since |= bits;
    }
    for (uint32_t i = 0; i < bindingCount && firstBinding + i < PGS_MAX_BINDINGS; i++) {
        struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[firstBinding + i];
        if (pSizes)
            vertex->size_B = pSizes[i];
        if (pStrides)
            vertex->stride_B = pStrides[i];
    }
    /* The raster pipeline's stride is static. The application's strides are bound again with the
     * next native pipeline. */
    if (!keep_back_vertex(cb, firstBinding, bindingCount, bits))
        PGS_EMIT(cb, CmdBindVertexBuffers2, firstBinding, bindingCount, pBuffers, pOffsets, pSizes,
                 cb->graphics.pipeline ? NULL : pStrides);
}

VKAPI_ATTR void VKAPI_CALL
pgs_CmdSetVertexInputEXT(VkCommandBuffer commandBuffer, uint32_t vertexBindingDescriptionCount,
                         const VkVertexInputBindingDescription2EXT *pVertexBindingDescriptions,
                         uint32_t vertexAttributeDescriptionCount,
                         const VkVertexInputAttributeDescription2EXT *pVertexAttributeDescriptions)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetVertexInputEXT, vertexBindingDescriptionCount,
                    pVertexBindingDescriptions, vertexAttributeDescriptionCount,
                    pVertexAttributeDescriptions);
        return;
    }
    cb->dirty = true;
    pgs_state_data_changed(cb);
    cb->known |= PGS_KNOWN_VERTEX_INPUT;
    pgs_state_note_vertex_input(cb, vertexBindingDescriptionCount, pVertexBindingDescriptions,
                                vertexAttributeDescriptionCount, pVertexAttributeDescriptions);
    cb->clobbered |= PGS_CLOBBERED_INPUT;
    if (!cb->graphics.pipeline) /* static in the raster pipeline; see pgs_state_restore */
        PGS_EMIT(cb, CmdSetVertexInputEXT, vertexBindingDescriptionCount,
                 pVertexBindingDescriptions, vertexAttributeDescriptionCount,
                 pVertexAttributeDescriptions);
}

/* False: the bind is kept back, as those of vertex buffers are. */
static bool note_index_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                              VkDeviceSize size_B, VkIndexType type)
{
    cb->dirty = true;
    cb->pass.reads_noted = false;
    pgs_state_data_changed(cb);
    cb->known |= PGS_KNOWN_INDEX;
    cb->graphics.index_buffer = buffer;
    cb->graphics.index_offset_B = offset_B;
    cb->graphics.index_size_B = size_B;
    cb->graphics.index_type = type;
    if (cb->graphics.pipeline)
        cb->clobbered |= PGS_CLOBBERED_INDEX;
    return !cb->graphics.pipeline;
}

static PGS_SLOW void bind_index_buffer_slowly(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                              VkDeviceSize offset, VkIndexType indexType)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdBindIndexBuffer, buffer, offset, indexType);
    else if (note_index_buffer(cb, buffer, offset, VK_WHOLE_SIZE, indexType))
        PGS_EMIT(cb, CmdBindIndexBuffer, buffer, offset, indexType);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdBindIndexBuffer(VkCommandBuffer commandBuffer,
                                                          VkBuffer buffer, VkDeviceSize offset,
                                                          VkIndexType indexType)
{
    struct pgs_command_buffer *direct = pgs_command_buffer_unqueued(commandBuffer);
    if (PGS_LIKELY(direct && (direct->known & PGS_KNOWN_INDEX))) {
        direct->graphics.index_buffer = buffer;
        direct->graphics.index_offset_B = offset;
        direct->graphics.index_size_B = VK_WHOLE_SIZE;
        direct->graphics.index_type = indexType;
        pgs_recorder_memory.vk->CmdBindIndexBuffer(commandBuffer, buffer, offset, indexType);
        return;
    }
    bind_index_buffer_slowly(commandBuffer, buffer, offset, indexType);
}

#ifdef VK_KHR_maintenance5
VKAPI_ATTR void VKAPI_CALL pgs_CmdBindIndexBuffer2KHR(VkCommandBuffer commandBuffer,
                                                      VkBuffer buffer, VkDeviceSize offset,
                                                      VkDeviceSize size, VkIndexType indexType)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdBindIndexBuffer2KHR, buffer, offset, size, indexType);
    else if (note_index_buffer(cb, buffer, offset, size, indexType))
        PGS_EMIT(cb, CmdBindIndexBuffer2KHR, buffer, offset, size, indexType);
}
#endif

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer,
                                                       VkPrimitiveTopology primitiveTopology)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetPrimitiveTopology, primitiveTopology);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->known |= PGS_KNOWN_TOPOLOGY;
    cb->graphics.topology = primitiveTopology;
    pgs_objects_note_topology(cb);
    pgs_bind_note_topology(cb);
    cb->clobbered |= PGS_CLOBBERED_INPUT;
    if (!cb->graphics.pipeline) /* static in the raster pipeline; see pgs_state_restore */
        PGS_EMIT(cb, CmdSetPrimitiveTopology,
                 pgs_state_driver_topology(cb->dev, primitiveTopology));
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetPrimitiveRestartEnable(VkCommandBuffer commandBuffer,
                                                            VkBool32 primitiveRestartEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetPrimitiveRestartEnable, primitiveRestartEnable);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->known |= PGS_KNOWN_RESTART;
    cb->graphics.primitive_restart = primitiveRestartEnable;
    cb->clobbered |= PGS_CLOBBERED_INPUT;
    if (!cb->graphics.pipeline)
        PGS_EMIT(cb, CmdSetPrimitiveRestartEnable, primitiveRestartEnable);
    pgs_bind_other_pipeline(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer,
                                                             VkBool32 rasterizerDiscardEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetRasterizerDiscardEnable, rasterizerDiscardEnable);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->known |= PGS_KNOWN_DISCARD;
    cb->graphics.rasterizer_discard = rasterizerDiscardEnable;
    PGS_EMIT(cb, CmdSetRasterizerDiscardEnable, rasterizerDiscardEnable || cb->hides);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetProvokingVertexModeEXT(
    VkCommandBuffer commandBuffer, VkProvokingVertexModeEXT provokingVertexMode)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetProvokingVertexModeEXT, provokingVertexMode);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->graphics.provoking_last = provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    PGS_EMIT(cb, CmdSetProvokingVertexModeEXT, provokingVertexMode);
}

/* Like the topology, this does not reach a driver without tessellation, and the raster pipeline
 * does not depend on it. */
static bool driver_tessellates(const struct pgs_command_buffer *cb)
{
    return cb->dev->native.tessellation && !cb->graphics.pipeline;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetPatchControlPointsEXT(VkCommandBuffer commandBuffer,
                                                           uint32_t patchControlPoints)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetPatchControlPointsEXT, patchControlPoints);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->known |= PGS_KNOWN_PATCH;
    cb->graphics.patch_control_points = patchControlPoints;
    if (driver_tessellates(cb))
        PGS_EMIT(cb, CmdSetPatchControlPointsEXT, patchControlPoints);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetTessellationDomainOriginEXT(
    VkCommandBuffer commandBuffer, VkTessellationDomainOrigin domainOrigin)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetTessellationDomainOriginEXT, domainOrigin);
        return;
    }
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->known |= PGS_KNOWN_DOMAIN_ORIGIN;
    cb->graphics.tessellation_lower_left = domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
    if (driver_tessellates(cb))
        PGS_EMIT(cb, CmdSetTessellationDomainOriginEXT, domainOrigin);
}

/* Not passed on: each stream has its own driver pipeline. */
VKAPI_ATTR void VKAPI_CALL pgs_CmdSetRasterizationStreamEXT(VkCommandBuffer commandBuffer,
                                                            uint32_t rasterizationStream)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetRasterizationStreamEXT, rasterizationStream);
        return;
    }
    const VkPipeline before = pgs_state_driver_pipeline(cb);
    cb->dirty = true;
    pgs_state_changed(cb);
    cb->graphics.raster_stream = rasterizationStream;
    pgs_state_update_discard(cb);
    if (pgs_state_driver_pipeline(cb) != before)
        PGS_EMIT(cb, CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS,
                 pgs_state_driver_pipeline(cb));
}
