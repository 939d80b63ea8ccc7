/* SPDX-License-Identifier: MIT
 *
 * The pattern of stippled lines, for those that the layer draws. A driver that knows of it gets it,
 * too.
 */
#include "command/state/graphics_state.h"
#include "vulkan/hooks.h"

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetLineStippleEXT(VkCommandBuffer commandBuffer,
                                                    uint32_t lineStippleFactor,
                                                    uint16_t lineStipplePattern)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetLineStippleEXT, lineStippleFactor, lineStipplePattern);
        return;
    }
    /* As with viewports the last replacement takes no more draws. */
    if (cb->dev->lines || cb->dev->line_modes) {
        cb->dirty = true;
        cb->pass.replaced_to = NULL;
        cb->graphics.stipple = (struct pgs_stipple_pattern){lineStippleFactor, lineStipplePattern};
    }
    if (!cb->dev->line_modes)
        PGS_EMIT(cb, CmdSetLineStippleEXT, lineStippleFactor, lineStipplePattern);
}
