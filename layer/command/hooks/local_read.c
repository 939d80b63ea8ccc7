/* SPDX-License-Identifier: MIT
 *
 * Commands of VK_KHR_dynamic_rendering_local_read.
 */
#include "command/pass/local_read.h"
#include "vulkan/hooks.h"

#ifdef VK_KHR_dynamic_rendering_local_read

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetRenderingAttachmentLocationsKHR(
    VkCommandBuffer commandBuffer, const VkRenderingAttachmentLocationInfoKHR *pLocationInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetRenderingAttachmentLocationsKHR, pLocationInfo);
        return;
    }
    pgs_local_read_note_locations(cb, pLocationInfo);
    PGS_EMIT(cb, CmdSetRenderingAttachmentLocationsKHR, pLocationInfo);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetRenderingInputAttachmentIndicesKHR(
    VkCommandBuffer commandBuffer,
    const VkRenderingInputAttachmentIndexInfoKHR *pInputAttachmentIndexInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetRenderingInputAttachmentIndicesKHR,
                    pInputAttachmentIndexInfo);
        return;
    }
    pgs_local_read_note_indices(cb, pInputAttachmentIndexInfo);
    PGS_EMIT(cb, CmdSetRenderingInputAttachmentIndicesKHR, pInputAttachmentIndexInfo);
}
#endif
