/* SPDX-License-Identifier: MIT
 *
 * Execution of secondaries.
 */
#include "command/pass/secondary.h"
#include "command/state/graphics_state.h"
#include "command/state/queue_order.h"
#include "vulkan/hooks.h"

VKAPI_ATTR void VKAPI_CALL pgs_CmdExecuteCommands(VkCommandBuffer commandBuffer,
                                                  uint32_t commandBufferCount,
                                                  const VkCommandBuffer *pCommandBuffers)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdExecuteCommands, commandBufferCount, pCommandBuffers);
        return;
    }
    pgs_secondaries_execute(cb, commandBufferCount, pCommandBuffers);
    for (uint32_t i = 0; i < commandBufferCount; i++) {
        struct pgs_command_buffer *secondary = pgs_command_buffer_peek(pCommandBuffers[i]);
        if (secondary)
            pgs_queue_order_note_secondary(cb, secondary);
    }
    pgs_recorder_latch(&cb->recorder, pgs_compute_state_forget(&cb->compute)); /* needs the state
                                                                                * before it is
                                                                                * forgotten */
    pgs_state_reset(cb);
}
