/* SPDX-License-Identifier: MIT
 *
 * Graphics pipelines that are bound: the application's, or one that stands in for shader objects.
 */
#ifndef PGS_COMMAND_PASS_BIND_GRAPHICS_H
#define PGS_COMMAND_PASS_BIND_GRAPHICS_H

#include "command/state/buffer.h"

/* Notes the pipeline; VK_NULL_HANDLE: none. The caller then has the driver bind
 * pgs_state_driver_pipeline, or shader objects. Ends a pass that is not queued, if the pipeline
 * needs that. */
void pgs_bind_graphics_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline);

/* Notes that the application binds the pipeline, and chooses between it and those that draw its
 * wide lines and its patches with primitive restart, by the state that is set: the choice is
 * cb->bound. The caller goes on as above. */
void pgs_bind_pipeline_of_state(struct pgs_command_buffer *cb, VkPipeline pipeline);

/* As pgs_bind_pipeline_of_state for a pipeline that the driver draws itself, whatever is set, where
 * nothing has to be restored for it; then the driver binds it. Quick. False: it is another one. */
bool pgs_bind_native_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline);

/* The same once `is`, what is known of the pipeline, has been found. */
static inline bool pgs_bind_plainly(struct pgs_command_buffer *cb, VkPipeline pipeline,
                                    const struct pgs_known_pipeline *is)
{
    if (!is->is_plain || cb->clobbered || cb->hides || cb->objects.active)
        return false;
    cb->application = cb->thin = cb->bound = cb->chosen = pipeline;
    cb->wide = cb->restarting = cb->graphics.driver_pipeline = VK_NULL_HANDLE;
    cb->topologies = NULL;
    cb->graphics.pipeline = NULL;
    cb->graphics.counted = is->found;
    cb->graphics.bind_count++;
    cb->graphics.foreign_count++;
    return true;
}

/* Likewise if the command buffer has bound the pipeline before. False means nothing. */
static inline bool pgs_bind_plain_again(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    const struct pgs_known_pipeline *is = &cb->known_pipelines[pgs_known_slot(pipeline)];
    return is->handle == pipeline &&
           cb->known_since == pgs_count_destroyed(&cb->dev->destroyed.pipelines) &&
           pgs_bind_plainly(cb, pipeline, is);
}

/* Call it when the topology has changed: another pipeline may have to draw it, for which the pass
 * must be queued. */
void pgs_bind_note_topology(struct pgs_command_buffer *cb);

void pgs_bind_by_topology_slowly(struct pgs_command_buffer *cb);

/* Call it before each draw that does not go straight to the driver: has the driver bind the
 * pipeline that draws the topology, the application's or another in its place. */
static inline void pgs_bind_by_topology(struct pgs_command_buffer *cb)
{
    if (cb->topologies && !cb->objects.active)
        pgs_bind_by_topology_slowly(cb);
}

/* Chooses anew, after that state was set, and has the driver bind the choice. */
void pgs_bind_other_pipeline(struct pgs_command_buffer *cb);

/* Has the driver bind the pipeline that draws indirectly in place of the bound one of its own,
 * which knows no first instance there; makes that, if it is the first time. False: there is none,
 * as the bound one reads no numbers of instances, or is emulated. */
bool pgs_bind_instanced_pipeline(struct pgs_command_buffer *cb);

/* Has the driver bind the application's again. */
void pgs_bind_application_pipeline(struct pgs_command_buffer *cb);

#endif
