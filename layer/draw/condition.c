/* SPDX-License-Identifier: MIT
 *
 * A secondary command buffer inherits a condition that it does not know. It reads a slot of its
 * own, which the primary fills before it executes the secondary. The setup kernel writes the slot
 * as if it were the arguments of a conditional draw.
 */
#include "draw/condition.h"

#include "draw/setup.h"
#include "pipeline/kernels.h"

#include <string.h>

/* Kernels read the slot, and so does the driver if the secondary records whole passes. */
static void barrier(const struct pgs_device *dev, VkCommandBuffer cb)
{
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT;
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT,
    };
    dev->vk.CmdPipelineBarrier(cb, stages, stages, 0, 1, &memory, 0, NULL, 0, NULL);
}

VkResult pgs_condition_record(struct pgs_device *dev, VkCommandBuffer cb,
                              const struct pgs_condition *condition, VkDeviceAddress inherited,
                              VkDeviceAddress slot, struct pgs_linear *linear,
                              uint64_t *invocations)
{
    const struct pgs_graphics_state state = {.condition = *condition,
                                             .inherited_condition = inherited};
    const struct pgs_draw_call call = {.instance_count = 1};
    const struct pgs_setup_target target = {.args = slot};
    struct pgs_range root;
    VkPipeline pipeline;
    VkPipelineLayout layout;
    const enum pgs_kernel kernel =
        pgs_runs_on_cpu(dev->physical) ? PGS_KERNEL_SETUP_ARGS : PGS_KERNEL_SETUP;
    VkResult result = pgs_kernel_get(dev, kernel, &pipeline, &layout);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(linear, sizeof(struct pgs_setup), 16, &root);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_setup setup;
    pgs_setup_fill(&setup, dev, &state, &call, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, &target);
    memcpy(root.mapped, &setup, sizeof(setup));
    barrier(dev, cb); /* an earlier execution of the secondary may read the slot */
    dev->vk.CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    const struct pgs_root push = {.first = root.address};
    dev->vk.CmdPushConstants(cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
    dev->vk.CmdDispatch(cb, 1, 1, 1);
    barrier(dev, cb);
    ++*invocations;
    return VK_SUCCESS;
}
