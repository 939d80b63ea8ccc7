/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering when a pass is ended early.
 */
#include "command/pass/paused_condition.h"

#include "command/pass/hazards.h"
#include "command/state/condition.h"

struct pgs_condition pgs_condition_pause(struct pgs_command_buffer *cb)
{
    struct pgs_condition paused = {0};
    if (!cb->pass.begin.open_condition)
        return paused;
    paused = cb->graphics.condition;
    cb->graphics.condition = (struct pgs_condition){0};
    pgs_state_changed(cb);
    PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    return paused;
}

void pgs_condition_unpause(struct pgs_command_buffer *cb, const struct pgs_condition *paused)
{
    if (!paused->buffer)
        return;
    const VkConditionalRenderingBeginInfoEXT info = pgs_condition_begin_info(paused);
    cb->graphics.condition = *paused;
    pgs_state_changed(cb);
    pgs_condition_leave_inherited(cb);
    pgs_reads_note_buffer(cb, paused->buffer, paused->offset_B, sizeof(uint32_t));
    PGS_EMIT(cb, CmdBeginConditionalRenderingEXT, &info);
}
