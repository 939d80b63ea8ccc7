/* SPDX-License-Identifier: MIT
 *
 * What native draws read, where it could be captured to later in the same pass: capture is compute
 * work, which is done before the pass, and with it before those draws.
 */
#include "command/buffer.h"
#include "command/split.h"

/* Draws mostly read what the last ones have read. */
#define LOOK_BACK 16

void pgs_reads_note_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B)
{
    struct pgs_pass *pass = &cb->pass;
    const size_t count = pass->reads.count;
    for (size_t i = count; i > 0 && count - i < LOOK_BACK; i--) {
        struct pgs_read *read = &pass->reads.items[i - 1];
        if (read->buffer != buffer)
            continue;
        if (read->offset_B > offset_B)
            read->offset_B = offset_B;
        return;
    }
    if (!pgs_array_push(&pass->reads, ((struct pgs_read){buffer, offset_B})))
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

void pgs_reads_note_bound(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *graphics = &cb->graphics;
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS && cb->vertex_bound >> i; i++)
        if (graphics->vertex[i].buffer)
            pgs_reads_note_buffer(cb, graphics->vertex[i].buffer, graphics->vertex[i].offset_B);
    if (graphics->index_buffer)
        pgs_reads_note_buffer(cb, graphics->index_buffer, graphics->index_offset_B);
    cb->pass.reads_noted = true;
}

static bool overlaps(const struct pgs_read *read, const struct pgs_feedback_binding *binding)
{
    return binding->buffer && read->buffer == binding->buffer &&
           (binding->size_B == VK_WHOLE_SIZE ||
            read->offset_B < binding->offset_B + binding->size_B);
}

bool pgs_reads_will_be_captured_to(const struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->pass.reads_ordered; i++)
        for (int k = 0; k < PGS_MAX_FEEDBACK_BUFFERS; k++)
            if (overlaps(&cb->pass.reads.items[i], &cb->feedback[k]))
                return true;
    return false;
}
