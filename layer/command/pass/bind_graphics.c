/* SPDX-License-Identifier: MIT */
#include "command/pass/bind_graphics.h"

#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "pipeline/find.h"

void pgs_bind_graphics_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    const struct pgs_emulated_pipeline *found = pgs_emulated_pipeline_find(cb->dev, pipeline);
    const bool native = !found || found->native_raster;
    cb->graphics.pipeline = native ? NULL : found;
    cb->graphics.counted = native ? found : NULL;
    cb->graphics.driver_pipeline = native ? VK_NULL_HANDLE : pgs_usual_handle(found);
    cb->graphics.bind_count++;
    if (found)
        cb->dirty = true;
    pgs_state_update_discard(cb);
    if (native) {
        if (cb->clobbered)
            pgs_state_restore(cb);
        return;
    }
    cb->clobbered |= PGS_CLOBBERED_STATIC;
    if (cb->pass.state == PGS_PASS_UNQUEUED)
        pgs_pass_split(cb);
}
