/* SPDX-License-Identifier: MIT
 *
 * Draws with mesh shaders. The driver draws them, and captures and counts of the layer leave them
 * out; but they may read what later draws of the pass capture to.
 */
#include "command/pass/hazards.h"
#include "command/pass/objects.h"
#include "vulkan/hooks.h"

/* Notes the arguments that the driver reads. */
static void note_arguments(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                           uint32_t max_draws, uint32_t stride_B)
{
    if (max_draws)
        pgs_reads_note_buffer(cb, buffer, offset_B,
                              (VkDeviceSize)(max_draws - 1) * stride_B +
                                  sizeof(VkDrawMeshTasksIndirectCommandEXT));
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawMeshTasksEXT(VkCommandBuffer commandBuffer,
                                                   uint32_t groupCountX, uint32_t groupCountY,
                                                   uint32_t groupCountZ)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawMeshTasksEXT, groupCountX, groupCountY, groupCountZ);
        return;
    }
    pgs_objects_settle_with_driver(cb);
    pgs_reads_note_draw(cb);
    PGS_EMIT(cb, CmdDrawMeshTasksEXT, groupCountX, groupCountY, groupCountZ);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawMeshTasksIndirectEXT(VkCommandBuffer commandBuffer,
                                                           VkBuffer buffer, VkDeviceSize offset,
                                                           uint32_t drawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawMeshTasksIndirectEXT, buffer, offset, drawCount, stride);
        return;
    }
    pgs_objects_settle_with_driver(cb);
    pgs_reads_note_draw(cb);
    note_arguments(cb, buffer, offset, drawCount, stride);
    PGS_EMIT(cb, CmdDrawMeshTasksIndirectEXT, buffer, offset, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawMeshTasksIndirectCountEXT(
    VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,
    VkDeviceSize countBufferOffset, uint32_t maxDrawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawMeshTasksIndirectCountEXT, buffer, offset, countBuffer,
                    countBufferOffset, maxDrawCount, stride);
        return;
    }
    pgs_objects_settle_with_driver(cb);
    pgs_reads_note_draw(cb);
    note_arguments(cb, buffer, offset, maxDrawCount, stride);
    pgs_reads_note_buffer(cb, countBuffer, countBufferOffset, sizeof(uint32_t));
    PGS_EMIT(cb, CmdDrawMeshTasksIndirectCountEXT, buffer, offset, countBuffer, countBufferOffset,
             maxDrawCount, stride);
}
