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

#endif
