/* SPDX-License-Identifier: MIT */
#include "command/fb_layers/fb_layer_state.h"

#include "command/state/buffer.h"
#include "pipeline/layout.h"

#include <string.h>

VkResult pgs_fb_layer_state_create(const struct pgs_device *dev, struct pgs_fb_layer_state **state)
{
    *state = NULL;
    if (!dev->commands->fb_layers)
        return VK_SUCCESS;
    *state = pgs_calloc(1, sizeof(**state));
    return *state ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_fb_layer_state_destroy(struct pgs_fb_layer_state *state)
{
    if (!state)
        return;
    pgs_array_finish(&state->queries.items);
    pgs_binds_finish(&state->binds);
    pgs_pushed_set_finish(&state->pushed);
    pgs_pushed_set_finish(&state->pushing);
    pgs_free(state);
}

void pgs_fb_layer_state_reset(struct pgs_fb_layer_state *state)
{
    if (!state)
        return;
    state->layer = 0;
    state->quiet = false;
    pgs_binds_forget(&state->binds);
    state->dynamic.known = 0;
    state->dynamic.viewport_mask = state->dynamic.scissor_mask = 0;
    state->dynamic.discard_rectangle_mask = state->dynamic.color_write_count = 0;
    state->dynamic.stencil_ops_faces = 0;
#define X(name, type) state->dynamic.name##_mask = 0;
    PGS_ATTACHMENT_STATES(X)
#undef X
#define X(name) state->dynamic.name##_faces = 0;
    PGS_FACE_STATES(X)
#undef X
}

/* -- noting -- */

static const struct pgs_device_dispatch *driver(const struct pgs_command_buffer *cb)
{
    return &cb->dev->vk;
}

/* NULL: do not note. */
static struct pgs_dynamic_state *dynamic_state(const struct pgs_command_buffer *cb)
{
    return cb->fb_layers->quiet ? NULL : &cb->fb_layers->dynamic;
}

#define X(name, type)                                                                              \
    static VKAPI_ATTR void VKAPI_CALL note_##name(VkCommandBuffer handle, type value)              \
    {                                                                                              \
        struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);                           \
        struct pgs_dynamic_state *state = dynamic_state(cb);                                       \
        if (state) {                                                                               \
            state->name = value;                                                                   \
            state->known |= 1u << PGS_DYNAMIC_##name;                                              \
        }                                                                                          \
        driver(cb)->CmdSet##name(handle, value);                                                   \
    }

PGS_SINGLE_STATES(X)
#undef X

#define X(name)                                                                                    \
    static VKAPI_ATTR void VKAPI_CALL note_##name(VkCommandBuffer handle,                          \
                                                  VkStencilFaceFlags faces, uint32_t value)        \
    {                                                                                              \
        struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);                           \
        struct pgs_dynamic_state *state = dynamic_state(cb);                                       \
        for (int i = 0; state && i < 2; i++)                                                       \
            if (faces >> i & 1)                                                                    \
                state->name[i] = value;                                                            \
        if (state)                                                                                 \
            state->name##_faces |= faces;                                                          \
        driver(cb)->CmdSet##name(handle, faces, value);                                            \
    }
PGS_FACE_STATES(X)
#undef X

static VKAPI_ATTR void VKAPI_CALL note_stencil_op(VkCommandBuffer handle, VkStencilFaceFlags faces,
                                                  VkStencilOp fail, VkStencilOp pass,
                                                  VkStencilOp depth_fail, VkCompareOp compare)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    for (int i = 0; state && i < 2; i++)
        if (faces >> i & 1)
            state->stencil_ops[i] = (struct pgs_stencil_ops){fail, pass, depth_fail, compare};
    if (state)
        state->stencil_ops_faces |= faces;
    driver(cb)->CmdSetStencilOp(handle, faces, fail, pass, depth_fail, compare);
}

static VKAPI_ATTR void VKAPI_CALL note_depth_bias(VkCommandBuffer handle, float constant,
                                                  float clamp, float slope)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->depth_bias[0] = constant;
        state->depth_bias[1] = clamp;
        state->depth_bias[2] = slope;
        state->known |= 1u << PGS_DYNAMIC_DepthBias;
    }
    driver(cb)->CmdSetDepthBias(handle, constant, clamp, slope);
}

static VKAPI_ATTR void VKAPI_CALL note_depth_bounds(VkCommandBuffer handle, float least, float most)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->depth_bounds[0] = least;
        state->depth_bounds[1] = most;
        state->known |= 1u << PGS_DYNAMIC_DepthBounds;
    }
    driver(cb)->CmdSetDepthBounds(handle, least, most);
}

static VKAPI_ATTR void VKAPI_CALL note_blend_constants(VkCommandBuffer handle,
                                                       const float constants[4])
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        memcpy(state->blend_constants, constants, sizeof(state->blend_constants));
        state->known |= 1u << PGS_DYNAMIC_BlendConstants;
    }
    driver(cb)->CmdSetBlendConstants(handle, constants);
}

static VKAPI_ATTR void VKAPI_CALL note_line_stipple(VkCommandBuffer handle, uint32_t factor,
                                                    uint16_t pattern)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->stipple_factor = factor;
        state->stipple_pattern = pattern;
        state->known |= 1u << PGS_DYNAMIC_LineStipple;
    }
    driver(cb)->CmdSetLineStippleEXT(handle, factor, pattern);
}

/* Copies the elements from number `first` on that fit; returns their bits. */
static uint32_t note_elements(void *to, const void *from, size_t size_B, uint32_t first,
                              uint32_t count, uint32_t limit)
{
    if (first >= limit)
        return 0;
    if (count > limit - first)
        count = limit - first;
    memcpy((char *)to + first * size_B, from, count * size_B);
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

#define X(name, type)                                                                              \
    static VKAPI_ATTR void VKAPI_CALL note_##name(VkCommandBuffer handle, uint32_t first,          \
                                                  uint32_t count, const type *values)              \
    {                                                                                              \
        struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);                           \
        struct pgs_dynamic_state *state = dynamic_state(cb);                                       \
        if (state)                                                                                 \
            state->name##_mask |= note_elements(state->name, values, sizeof(*values), first,       \
                                                count, PGS_MAX_COLOR_WRITES);                      \
        driver(cb)->CmdSet##name(handle, first, count, values);                                    \
    }

PGS_ATTACHMENT_STATES(X)
#undef X

static VKAPI_ATTR void VKAPI_CALL note_sample_mask(VkCommandBuffer handle,
                                                   VkSampleCountFlagBits samples,
                                                   const VkSampleMask *mask)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state && samples <= VK_SAMPLE_COUNT_64_BIT) {
        state->sample_mask_samples = samples;
        memcpy(state->sample_mask, mask, samples > 32 ? 8 : 4);
        state->known |= 1u << PGS_DYNAMIC_SampleMask;
    }
    driver(cb)->CmdSetSampleMaskEXT(handle, samples, mask);
}

static VKAPI_ATTR void VKAPI_CALL note_viewport(VkCommandBuffer handle, uint32_t first,
                                                uint32_t count, const VkViewport *viewports)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->viewport_mask |= note_elements(state->viewports, viewports, sizeof(*viewports),
                                              first, count, PGS_MAX_VIEWPORTS);
        state->known &= ~(1u << PGS_DYNAMIC_ViewportCount);
    }
    driver(cb)->CmdSetViewport(handle, first, count, viewports);
}

static VKAPI_ATTR void VKAPI_CALL note_scissor(VkCommandBuffer handle, uint32_t first,
                                               uint32_t count, const VkRect2D *scissors)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->scissor_mask |= note_elements(state->scissors, scissors, sizeof(*scissors), first,
                                             count, PGS_MAX_VIEWPORTS);
        state->known &= ~(1u << PGS_DYNAMIC_ScissorCount);
    }
    driver(cb)->CmdSetScissor(handle, first, count, scissors);
}

static VKAPI_ATTR void VKAPI_CALL note_viewport_with_count(VkCommandBuffer handle, uint32_t count,
                                                           const VkViewport *viewports)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state && count <= PGS_MAX_VIEWPORTS) {
        state->viewport_mask = note_elements(state->viewports, viewports, sizeof(*viewports), 0,
                                             count, PGS_MAX_VIEWPORTS);
        state->viewport_count = count;
        state->known |= 1u << PGS_DYNAMIC_ViewportCount;
    }
    driver(cb)->CmdSetViewportWithCount(handle, count, viewports);
}

static VKAPI_ATTR void VKAPI_CALL note_scissor_with_count(VkCommandBuffer handle, uint32_t count,
                                                          const VkRect2D *scissors)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state && count <= PGS_MAX_VIEWPORTS) {
        state->scissor_mask = note_elements(state->scissors, scissors, sizeof(*scissors), 0, count,
                                            PGS_MAX_VIEWPORTS);
        state->scissor_count = count;
        state->known |= 1u << PGS_DYNAMIC_ScissorCount;
    }
    driver(cb)->CmdSetScissorWithCount(handle, count, scissors);
}

static VKAPI_ATTR void VKAPI_CALL note_discard_rectangle(VkCommandBuffer handle, uint32_t first,
                                                         uint32_t count, const VkRect2D *rectangles)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state)
        state->discard_rectangle_mask |=
            note_elements(state->discard_rectangles, rectangles, sizeof(*rectangles), first, count,
                          PGS_MAX_DISCARD_RECTANGLES);
    driver(cb)->CmdSetDiscardRectangleEXT(handle, first, count, rectangles);
}

static VKAPI_ATTR void VKAPI_CALL note_color_write(VkCommandBuffer handle, uint32_t count,
                                                   const VkBool32 *enables)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_dynamic_state *state = dynamic_state(cb);
    if (state) {
        state->color_write_count = count < PGS_MAX_COLOR_WRITES ? count : PGS_MAX_COLOR_WRITES;
        memcpy(state->color_writes, enables, state->color_write_count * sizeof(*enables));
    }
    driver(cb)->CmdSetColorWriteEnableEXT(handle, count, enables);
}

static VKAPI_ATTR void VKAPI_CALL note_pipeline(VkCommandBuffer handle, VkPipelineBindPoint point,
                                                VkPipeline pipeline)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (point == VK_PIPELINE_BIND_POINT_GRAPHICS && !cb->fb_layers->quiet)
        cb->fb_layers->binds.pipeline = pipeline;
    driver(cb)->CmdBindPipeline(handle, point, pipeline);
}

/* Only the layout knows which dynamic offsets belong to which set. */
static VKAPI_ATTR void VKAPI_CALL note_sets(VkCommandBuffer handle, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t first, uint32_t count,
                                            const VkDescriptorSet *sets, uint32_t offset_count,
                                            const uint32_t *offsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    const bool notes = point == VK_PIPELINE_BIND_POINT_GRAPHICS && !cb->fb_layers->quiet;
    const uint32_t *rest = offsets;
    uint32_t left = offset_count;
    for (uint32_t i = 0; notes && i < count && first + i < PGS_MAX_SETS; i++) {
        uint32_t own = sets[i] ? left : 0;
        if (own && count > 1)
            own = pgs_layout_dynamic_count(cb->dev, layout, first + i);
        own = own < left ? own : left;
        pgs_recorder_latch(&cb->recorder, pgs_binds_note(&cb->fb_layers->binds, layout, first + i,
                                                         sets[i], own, rest));
        if (own) /* otherwise the array may be NULL */
            rest += own;
        left -= own;
    }
    driver(cb)->CmdBindDescriptorSets(handle, point, layout, first, count, sets, offset_count,
                                      offsets);
}

static VKAPI_ATTR void VKAPI_CALL note_push(VkCommandBuffer handle, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t index, uint32_t count,
                                            const VkWriteDescriptorSet *writes)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_fb_layer_state *state = cb->fb_layers;
    if (point == VK_PIPELINE_BIND_POINT_GRAPHICS && !state->quiet && index < PGS_MAX_SETS) {
        VkResult result =
            pgs_pushed_set_read(cb->dev, layout, index, count, writes, &state->pushing);
        if (result == VK_SUCCESS)
            result =
                pgs_binds_push(&state->binds, &state->pushed, cb->dev, layout, &state->pushing);
        pgs_recorder_latch(&cb->recorder, result);
    }
    driver(cb)->CmdPushDescriptorSetKHR(handle, point, layout, index, count, writes);
}

void pgs_fb_layer_state_dispatch_init(struct pgs_device_dispatch *dispatch,
                                      const struct pgs_device_dispatch *vk)
{
#define OVERRIDE(command, function)                                                                \
    if (vk->command)                                                                               \
        dispatch->command = function;
#define X(name, type) OVERRIDE(CmdSet##name, note_##name)
    PGS_SINGLE_STATES(X)
#undef X
#define X(name) OVERRIDE(CmdSet##name, note_##name)
    PGS_FACE_STATES(X)
#undef X
#define X(name, type) OVERRIDE(CmdSet##name, note_##name)
    PGS_ATTACHMENT_STATES(X)
#undef X
    OVERRIDE(CmdSetSampleMaskEXT, note_sample_mask)
    OVERRIDE(CmdSetStencilOp, note_stencil_op)
    OVERRIDE(CmdSetDepthBias, note_depth_bias)
    OVERRIDE(CmdSetDepthBounds, note_depth_bounds)
    OVERRIDE(CmdSetBlendConstants, note_blend_constants)
    OVERRIDE(CmdSetLineStippleEXT, note_line_stipple)
    OVERRIDE(CmdSetViewport, note_viewport)
    OVERRIDE(CmdSetScissor, note_scissor)
    OVERRIDE(CmdSetViewportWithCount, note_viewport_with_count)
    OVERRIDE(CmdSetScissorWithCount, note_scissor_with_count)
    OVERRIDE(CmdSetDiscardRectangleEXT, note_discard_rectangle)
    OVERRIDE(CmdSetColorWriteEnableEXT, note_color_write)
    OVERRIDE(CmdBindPipeline, note_pipeline)
    OVERRIDE(CmdBindDescriptorSets, note_sets)
    OVERRIDE(CmdPushDescriptorSetKHR, note_push)
#undef OVERRIDE
}

/* -- restoring -- */

static void restore_rectangles(const struct pgs_dynamic_state *s,
                               const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    const bool viewport_count = s->known >> PGS_DYNAMIC_ViewportCount & 1;
    const bool scissor_count = s->known >> PGS_DYNAMIC_ScissorCount & 1;
    if (viewport_count)
        vk->CmdSetViewportWithCount(cb, s->viewport_count, s->viewports);
    if (scissor_count)
        vk->CmdSetScissorWithCount(cb, s->scissor_count, s->scissors);
    for (uint32_t i = 0; i < PGS_MAX_VIEWPORTS; i++) {
        if (!viewport_count && (s->viewport_mask >> i & 1))
            vk->CmdSetViewport(cb, i, 1, &s->viewports[i]);
        if (!scissor_count && (s->scissor_mask >> i & 1))
            vk->CmdSetScissor(cb, i, 1, &s->scissors[i]);
    }
    for (uint32_t i = 0; i < PGS_MAX_DISCARD_RECTANGLES; i++)
        if (s->discard_rectangle_mask >> i & 1)
            vk->CmdSetDiscardRectangleEXT(cb, i, 1, &s->discard_rectangles[i]);
}

static void restore_faces(const struct pgs_dynamic_state *s, const struct pgs_device_dispatch *vk,
                          VkCommandBuffer cb)
{
    for (int i = 0; i < 2; i++) {
        const VkStencilFaceFlags face = VK_STENCIL_FACE_FRONT_BIT << i;
        const struct pgs_stencil_ops *ops = &s->stencil_ops[i];
#define X(name)                                                                                    \
    if (s->name##_faces & face)                                                                    \
        vk->CmdSet##name(cb, face, s->name[i]);
        PGS_FACE_STATES(X)
#undef X
        if (s->stencil_ops_faces & face)
            vk->CmdSetStencilOp(cb, face, ops->fail, ops->pass, ops->depth_fail, ops->compare);
    }
}

static void restore_attachments(const struct pgs_dynamic_state *s,
                                const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    for (uint32_t i = 0; i < PGS_MAX_COLOR_WRITES; i++) {
#define X(name, type)                                                                              \
    if (s->name##_mask >> i & 1)                                                                   \
        vk->CmdSet##name(cb, i, 1, &s->name[i]);
        PGS_ATTACHMENT_STATES(X)
#undef X
    }
}

static void restore_dynamic(const struct pgs_dynamic_state *s, const struct pgs_device_dispatch *vk,
                            VkCommandBuffer cb)
{
#define X(name, type)                                                                              \
    if (s->known >> PGS_DYNAMIC_##name & 1)                                                        \
        vk->CmdSet##name(cb, s->name);
    PGS_SINGLE_STATES(X)
#undef X
    if (s->known >> PGS_DYNAMIC_DepthBias & 1)
        vk->CmdSetDepthBias(cb, s->depth_bias[0], s->depth_bias[1], s->depth_bias[2]);
    if (s->known >> PGS_DYNAMIC_DepthBounds & 1)
        vk->CmdSetDepthBounds(cb, s->depth_bounds[0], s->depth_bounds[1]);
    if (s->known >> PGS_DYNAMIC_BlendConstants & 1)
        vk->CmdSetBlendConstants(cb, s->blend_constants);
    if (s->known >> PGS_DYNAMIC_LineStipple & 1)
        vk->CmdSetLineStippleEXT(cb, s->stipple_factor, s->stipple_pattern);
    if (s->known >> PGS_DYNAMIC_SampleMask & 1)
        vk->CmdSetSampleMaskEXT(cb, s->sample_mask_samples, s->sample_mask);
    restore_attachments(s, vk, cb);
    restore_rectangles(s, vk, cb);
    restore_faces(s, vk, cb);
    if (s->color_write_count)
        vk->CmdSetColorWriteEnableEXT(cb, s->color_write_count, s->color_writes);
}

/* The pipeline comes last: its static state replaces older dynamic state. */
void pgs_fb_layer_state_restore(const struct pgs_fb_layer_state *state,
                                const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    restore_dynamic(&state->dynamic, vk, cb);
    pgs_bound_sets_restore(state->binds.sets, state->binds.set_count, &state->pushed,
                           VK_PIPELINE_BIND_POINT_GRAPHICS, vk, cb);
    if (state->binds.pipeline)
        vk->CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, state->binds.pipeline);
}

uint32_t pgs_fb_layers_current(const struct pgs_command_buffer *cb)
{
    return cb->fb_layers ? cb->fb_layers->layer : 0;
}
