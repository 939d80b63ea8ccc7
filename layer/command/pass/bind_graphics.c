/* SPDX-License-Identifier: MIT */
#include "command/pass/bind_graphics.h"

#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "pipeline/find.h"
#include "pipeline/instanced.h"
#include "pipeline/possible.h"
#include "pipeline/topologies.h"
#include "pipeline/usual_raster.h"

static bool is_plain(const struct pgs_known_pipeline *is)
{
    const struct pgs_emulated_pipeline *found = is->found;
    return (!found || (found->native_raster && !found->hidden_streams &&
                       !(found->dynamic & PGS_DYNAMIC_STREAM))) &&
           !is->topologies && !is->wide && !is->restarting;
}

static PGS_SLOW void look_up(struct pgs_command_buffer *cb, VkPipeline pipeline, uint32_t slot)
{
    struct pgs_known_pipeline *is = &cb->known_pipelines[slot];
    cb->known_mask |= UINT32_C(1) << slot;
    *is = (struct pgs_known_pipeline){
        .handle = pipeline,
        .found = pgs_emulated_pipeline_find(cb->dev, pipeline),
        .topologies = pgs_topologies_find(cb->dev, pipeline),
        .wide = pgs_wide_pipeline_find(cb->dev, pipeline),
        .restarting = pgs_restarting_pipeline_find(cb->dev, pipeline),
    };
    is->is_plain = is_plain(is);
}

/* Another pipeline may have the handle of one that was destroyed. */
static PGS_SLOW void forget_known(struct pgs_command_buffer *cb, uint32_t destroyed)
{
    for (; cb->known_mask; cb->known_mask &= cb->known_mask - 1)
        cb->known_pipelines[__builtin_ctz(cb->known_mask)].handle = VK_NULL_HANDLE;
    cb->known_since = destroyed;
}

/* Of the application's pipelines, and those that draw in their place. */
static inline const struct pgs_known_pipeline *known(struct pgs_command_buffer *cb,
                                                     VkPipeline pipeline)
{
    static const struct pgs_known_pipeline none = {.is_plain = true};
    const uint32_t slot = pgs_known_slot(pipeline);
    if (!pipeline)
        return &none;
    const uint32_t destroyed = pgs_count_destroyed(&cb->dev->destroyed.pipelines);
    if (cb->known_since != destroyed)
        forget_known(cb, destroyed);
    if (cb->known_pipelines[slot].handle != pipeline)
        look_up(cb, pipeline, slot);
    return &cb->known_pipelines[slot];
}

/* `found`: what stands behind the pipeline. */
static void bind_found(struct pgs_command_buffer *cb, const struct pgs_emulated_pipeline *found)
{
    const bool native = !found || found->native_raster;
    cb->graphics.pipeline = native ? NULL : found;
    cb->graphics.counted = native ? found : NULL;
    cb->graphics.driver_pipeline = native ? VK_NULL_HANDLE : pgs_usual_handle(found);
    cb->graphics.bind_count++;
    pgs_state_update_discard(cb);
    if (native) {
        cb->graphics.foreign_count++;
        if (cb->clobbered)
            pgs_state_restore(cb);
        return;
    }
    cb->clobbered |= PGS_CLOBBERED_STATIC | PGS_CLOBBERED_INPUT;
    if (pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
    else if (!cb->recorder.queue) /* behind a pass that was not queued: binds are kept back now */
        pgs_recorder_start_queue(&cb->recorder, cb->handle, NULL);
}

void pgs_bind_graphics_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    bind_found(cb, pgs_emulated_pipeline_find(cb->dev, pipeline));
}

static VkPipeline of_state(const struct pgs_command_buffer *cb)
{
    if (cb->wide && pgs_line_width(cb->graphics.line_width) > 1)
        return cb->wide;
    return cb->restarting && cb->graphics.primitive_restart ? cb->restarting : cb->thin;
}

static void take_thin(struct pgs_command_buffer *cb, VkPipeline thin,
                      const struct pgs_known_pipeline *is)
{
    cb->thin = thin;
    cb->wide = is->wide;
    cb->restarting = is->restarting;
}

static void take_application(struct pgs_command_buffer *cb, VkPipeline pipeline,
                             const struct pgs_known_pipeline *is)
{
    cb->application = pipeline;
    cb->topologies = is->topologies;
    take_thin(cb, pipeline, is);
}

static void bind_now(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    cb->bound = cb->chosen = pipeline;
    bind_found(cb, known(cb, pipeline)->found);
    PGS_EMIT(cb, CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, pgs_state_driver_pipeline(cb));
}

/* While no draw needs emulation, binds only note the handle. */
static void catch_up(struct pgs_command_buffer *cb)
{
    if (cb->bound == cb->chosen)
        return;
    take_application(cb, cb->bound, known(cb, cb->bound));
    cb->chosen = cb->bound;
}

/* True if not the application's pipeline draws the topology that is set. */
static bool is_other_topology(const struct pgs_command_buffer *cb)
{
    return (cb->known & PGS_KNOWN_TOPOLOGY) &&
           pgs_topologies_differ(cb->topologies, cb->graphics.topology);
}

/* The draw decides, since state may still be set; but then the pass must be queued. */
static void prepare_pass(struct pgs_command_buffer *cb)
{
    if (is_other_topology(cb) && pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
}

void pgs_bind_pipeline_of_state(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    const struct pgs_known_pipeline *is = known(cb, pipeline);
    take_application(cb, pipeline, is);
    const VkPipeline chosen = of_state(cb);
    if (chosen != pipeline)
        is = known(cb, chosen);
    cb->bound = cb->chosen = chosen;
    bind_found(cb, is->found);
    prepare_pass(cb);
}

bool pgs_bind_native_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    return pgs_bind_plainly(cb, pipeline, known(cb, pipeline));
}

void pgs_bind_note_topology(struct pgs_command_buffer *cb)
{
    if (cb->dev->geometry &&
        pgs_state_driver_topology(cb->dev, cb->graphics.topology) != cb->graphics.topology)
        pgs_pipelines_note_possible(cb->dev); /* so binds to come are tracked */
    if (cb->objects.active)
        return;
    catch_up(cb);
    prepare_pass(cb);
}

void pgs_bind_by_topology_slowly(struct pgs_command_buffer *cb)
{
    VkPipeline thin = VK_NULL_HANDLE;
    catch_up(cb);
    if (is_other_topology(cb))
        pgs_recorder_latch(&cb->recorder, pgs_topologies_get(cb->dev, cb->topologies,
                                                             cb->graphics.topology, &thin));
    if (!thin)
        thin = cb->application;
    if (thin == cb->thin)
        return;
    take_thin(cb, thin, known(cb, thin));
    bind_now(cb, of_state(cb));
}

void pgs_bind_other_pipeline(struct pgs_command_buffer *cb)
{
    if ((!cb->wide && !cb->restarting) || cb->objects.active || cb->bound == of_state(cb))
        return;
    bind_now(cb, of_state(cb));
}

bool pgs_bind_instanced_pipeline(struct pgs_command_buffer *cb)
{
    VkPipeline instanced;
    if (cb->graphics.pipeline || cb->objects.active)
        return false;
    catch_up(cb);
    pgs_recorder_latch(&cb->recorder, pgs_instanced_get(cb->dev, cb->thin, &instanced));
    if (instanced)
        bind_now(cb, instanced);
    return instanced;
}

void pgs_bind_application_pipeline(struct pgs_command_buffer *cb)
{
    bind_now(cb, cb->thin);
}
