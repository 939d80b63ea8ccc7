/* SPDX-License-Identifier: MIT */
#include "command/pass/bind_graphics.h"

#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "pipeline/find.h"
#include "pipeline/instanced.h"

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
    if (pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
}

static VkPipeline of_state(const struct pgs_command_buffer *cb)
{
    if (cb->wide && pgs_line_width(cb->graphics.line_width) > 1)
        return cb->wide;
    return cb->restarting && cb->graphics.primitive_restart ? cb->restarting : cb->thin;
}

void pgs_bind_pipeline_of_state(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    cb->thin = pipeline;
    cb->wide = pgs_wide_pipeline_find(cb->dev, pipeline);
    cb->restarting = pgs_restarting_pipeline_find(cb->dev, pipeline);
    cb->bound = of_state(cb);
    pgs_bind_graphics_pipeline(cb, cb->bound);
}

void pgs_bind_other_pipeline(struct pgs_command_buffer *cb)
{
    if ((!cb->wide && !cb->restarting) || cb->objects.active || cb->bound == of_state(cb))
        return;
    cb->bound = of_state(cb);
    pgs_bind_graphics_pipeline(cb, cb->bound);
    PGS_EMIT(cb, CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, pgs_state_driver_pipeline(cb));
}

static void bind_now(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    cb->bound = pipeline;
    pgs_bind_graphics_pipeline(cb, pipeline);
    PGS_EMIT(cb, CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, pgs_state_driver_pipeline(cb));
}

bool pgs_bind_instanced_pipeline(struct pgs_command_buffer *cb)
{
    VkPipeline instanced;
    if (cb->graphics.pipeline || cb->objects.active)
        return false;
    if (!cb->thin) /* binds were not tracked yet */
        cb->thin = cb->bound;
    pgs_recorder_latch(&cb->recorder, pgs_instanced_get(cb->dev, cb->thin, &instanced));
    if (instanced)
        bind_now(cb, instanced);
    return instanced;
}

void pgs_bind_application_pipeline(struct pgs_command_buffer *cb)
{
    bind_now(cb, cb->thin);
}
