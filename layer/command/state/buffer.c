/* SPDX-License-Identifier: MIT
 *
 * Layouts that a secondary keeps alive.
 */
#include "command/state/buffer.h"

#include "pipeline/bind_sets.h"
#include "pipeline/layout.h"

void pgs_command_buffer_keep_slowly(struct pgs_command_buffer *cb, VkPipelineLayout layout)
{
    for (size_t i = cb->layouts.count; i > 0; i--)
        if (pgs_layout_handle(cb->layouts.items[i - 1]) == layout)
            return;
    struct pgs_layout *known = pgs_layout_acquire(cb->dev, layout);
    if (!known || pgs_array_push(&cb->layouts, known))
        return;
    pgs_layout_release(cb->dev, known);
    pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

void pgs_command_buffer_drop_layouts(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->layouts.count; i++)
        pgs_layout_release(cb->dev, cb->layouts.items[i]);
    cb->layouts.count = 0;
}
