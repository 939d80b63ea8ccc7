/* SPDX-License-Identifier: MIT
 *
 * Queries that begin within a pass that is recorded once per layer. A query can begin only once. If
 * it contains all draws of the pass, it encloses all layers. If it contains no draw that selects
 * its layer, it runs in the first layer only, which has all that it counts.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_QUERIES_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_QUERIES_H

#include "vulkan/device.h"

struct pgs_command_buffer;

/* Fills the commands that pgs_fb_layer_queries_find looks at into an otherwise empty dispatch
 * table. */
void pgs_fb_layer_scan_dispatch_init(struct pgs_device_dispatch *scan_vk);

/* Scans the queue of the pass for queries. */
void pgs_fb_layer_queries_find(struct pgs_command_buffer *cb);

/* Records begin and end of the queries that enclose the pass. */
void pgs_fb_layer_queries_begin(const struct pgs_command_buffer *cb);
void pgs_fb_layer_queries_end(const struct pgs_command_buffer *cb);

/* True if the query encloses the pass. */
bool pgs_fb_layer_query_is_around(const struct pgs_command_buffer *cb, VkQueryPool pool,
                                  uint32_t query);

#endif
