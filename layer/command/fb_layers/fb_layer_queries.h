/* SPDX-License-Identifier: MIT
 *
 * Queries that begin within a pass which is recorded for each layer. A query can begin once.
 * One with all draws of the pass in it goes around all layers; one without draws that choose
 * their layer is in the first layer, with what it counts.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_QUERIES_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_QUERIES_H

#include "vulkan/device.h"

struct pgs_command_buffer;

/* Of a dispatch table that is otherwise empty: what pgs_fb_layer_queries_find looks at. */
void pgs_fb_layer_scan_dispatch_init(struct pgs_device_dispatch *scan_vk);

/* Looks at the queue of the pass. */
void pgs_fb_layer_queries_find(struct pgs_command_buffer *cb);

/* Those that go around the pass, before and after it. */
void pgs_fb_layer_queries_begin(const struct pgs_command_buffer *cb);
void pgs_fb_layer_queries_end(const struct pgs_command_buffer *cb);

/* Does the query go around the pass? */
bool pgs_fb_layer_query_is_around(const struct pgs_command_buffer *cb, VkQueryPool pool,
                                  uint32_t query);

#endif
