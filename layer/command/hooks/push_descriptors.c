/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_push_descriptor. What is pushed is kept as what is bound is: draws push it again for the
 * shaders that the layer runs elsewhere, and it is restored after the layer's dispatches.
 */
#include "command/state/graphics_state.h"
#include "pipeline/layout.h"
#include "pipeline/set_update.h"
#include "vulkan/hooks.h"

#include <string.h>

/* What is pushed is in cb->pushing. */
static VkResult note_graphics(struct pgs_command_buffer *cb, VkPipelineLayout layout)
{
    struct pgs_graphics_state *state = &cb->graphics;
    struct pgs_pushed_set *pushed = &cb->pushed;
    const uint32_t index = cb->pushing.index;
    const VkDescriptorSet set = PGS_PUSHED_SET;
    const bool valid = state->sets[pushed->index] == PGS_PUSHED_SET;
    if (!valid || pushed->index != index ||
        !pgs_layouts_share_set(cb->dev, state->set_layouts[index], layout, index)) {
        if (valid)
            state->sets[pushed->index] = VK_NULL_HANDLE;
        pushed->descriptors.count = 0;
        pushed->index = index;
    }
    pgs_state_note_sets(cb, layout, index, 1, &set);
    return pgs_pushed_set_write(pushed, &cb->pushing);
}

static void note(struct pgs_command_buffer *cb, VkPipelineBindPoint point, VkPipelineLayout layout)
{
    pgs_command_buffer_keep(cb, layout);
    if (point == VK_PIPELINE_BIND_POINT_GRAPHICS)
        pgs_state_bind_kept_sets(cb);
    if (cb->pushing.index >= PGS_MAX_SETS)
        return;
    if (point == VK_PIPELINE_BIND_POINT_GRAPHICS)
        pgs_recorder_latch(&cb->recorder, note_graphics(cb, layout));
    else if (point == VK_PIPELINE_BIND_POINT_COMPUTE)
        pgs_recorder_latch(&cb->recorder,
                           pgs_compute_state_push_set(&cb->compute, cb->dev, layout, &cb->pushing));
}

/* The driver has no push descriptors: what cb->pushing makes of them is bound as a set. */
static void bind_kept(struct pgs_command_buffer *cb, VkPipelineBindPoint point,
                      VkPipelineLayout layout)
{
    VkDescriptorSet set;
    const VkResult result =
        pgs_kept_pushes_add(&cb->kept_pushes, cb->dev, point, layout, &cb->pushing, &set);
    pgs_recorder_latch(&cb->recorder, result);
    if (result == VK_SUCCESS)
        pgs_CmdBindDescriptorSets(cb->handle, point, layout, cb->pushing.index, 1, &set, 0, NULL);
}

/* -- in a queue -- */

struct queued_push {
    VkPipelineBindPoint point;
    VkPipelineLayout layout;
    struct pgs_pushed_set set; /* descriptors.items is not valid */
    struct pgs_pushed_descriptor descriptors[];
};

/* A dispatch table for scanning a queue lacks some commands. */
static void replay_push(void *payload, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                        void *context)
{
    struct queued_push *push = payload;
    struct pgs_pushed_set set = push->set;
    (void)context;
    set.descriptors.items = push->descriptors;
    if (vk->CmdPushDescriptorSetKHR)
        pgs_pushed_set_record(&set, push->point, push->layout, vk, cb);
}

static VkResult enqueue(struct pgs_command_buffer *cb, VkPipelineBindPoint point,
                        VkPipelineLayout layout)
{
    const size_t count = cb->pushing.descriptors.count;
    const size_t size_B = sizeof(struct queued_push) + count * sizeof(struct pgs_pushed_descriptor);
    pgs_arena_reset(&cb->scratch);
    struct queued_push *push = pgs_arena_alloc(&cb->scratch, size_B, _Alignof(struct queued_push));
    if (!push)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    push->point = point;
    push->layout = layout;
    push->set = cb->pushing;
    if (count)
        memcpy(push->descriptors, cb->pushing.descriptors.items,
               count * sizeof(push->descriptors[0]));
    return pgs_enqueue_custom(cb->recorder.queue, replay_push, push, size_B);
}

/* -- hooks -- */

VKAPI_ATTR void VKAPI_CALL pgs_CmdPushDescriptorSetKHR(
    VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
    uint32_t set, uint32_t descriptorWriteCount, const VkWriteDescriptorSet *pDescriptorWrites)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdPushDescriptorSetKHR, pipelineBindPoint, layout, set,
                    descriptorWriteCount, pDescriptorWrites);
        return;
    }
    const VkResult result = pgs_pushed_set_read(cb->dev, layout, set, descriptorWriteCount,
                                                pDescriptorWrites, &cb->pushing);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    if (cb->dev->keeps_pushes) {
        bind_kept(cb, pipelineBindPoint, layout);
        return;
    }
    note(cb, pipelineBindPoint, layout);
    if (cb->recorder.queue)
        pgs_recorder_latch(&cb->recorder, enqueue(cb, pipelineBindPoint, layout));
    else
        cb->recorder.vk->CmdPushDescriptorSetKHR(commandBuffer, pipelineBindPoint, layout, set,
                                                 descriptorWriteCount, pDescriptorWrites);
}

/* The driver gets the descriptors one by one: the template is not needed any more when a queue is
 * replayed, and the layer's own tables know one way to push. */
VKAPI_ATTR void VKAPI_CALL pgs_CmdPushDescriptorSetWithTemplateKHR(
    VkCommandBuffer commandBuffer, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
    VkPipelineLayout layout, uint32_t set, const void *pData)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    const struct pgs_update_template *template =
        cb ? pgs_update_template_find(cb->dev, descriptorUpdateTemplate) : NULL;
    if (!template) {
        PGS_FORWARD(commandBuffer, CmdPushDescriptorSetWithTemplateKHR, descriptorUpdateTemplate,
                    layout, set, pData);
        return;
    }
    const VkResult result = pgs_pushed_set_read_entries(cb->dev, layout, set, template->entry_count,
                                                        template->entries, pData, &cb->pushing);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    if (cb->dev->keeps_pushes) {
        bind_kept(cb, template->point, layout);
        return;
    }
    note(cb, template->point, layout);
    if (cb->recorder.queue)
        pgs_recorder_latch(&cb->recorder, enqueue(cb, template->point, layout));
    else
        pgs_pushed_set_record(&cb->pushing, template->point, layout, cb->recorder.vk,
                              commandBuffer);
}
