/* SPDX-License-Identifier: MIT
 *
 * Queries that begin within a pass which is recorded for each layer. A query can begin once. One
 * with all draws of the pass in it goes around all layers; one without draws that choose their
 * layer is in the first layer, with what it counts. Internal to command/.
 */
#ifndef PGS_COMMAND_LAYER_QUERIES_H
#define PGS_COMMAND_LAYER_QUERIES_H

#include "base/array.h"
#include "command/fb_layers/fb_layers.h"

/* Draws of a pass: all, and those with by_layer. */
struct pgs_layer_draws {
    uint32_t all, by_layer;
};

struct pgs_layer_query {
    VkQueryPool pool;
    uint32_t query, index; /* index: of vkCmdBeginQueryIndexedEXT */
    VkQueryControlFlags flags;
    bool indexed, ended;
    struct pgs_layer_draws before, until; /* its begin, its end */
    bool around;                          /* it goes around all layers */
};

struct pgs_layer_queries {
    bool scanning; /* the queue is looked at, nothing is recorded */
    struct pgs_layer_draws draws;
    PGS_ARRAY(struct pgs_layer_query) items;
};

/* Of a dispatch table that is otherwise empty: what pgs_layer_queries_find looks at. */
void pgs_layer_scan_dispatch_init(struct pgs_device_dispatch *scan_vk);

/* Looks at the queue of the pass. */
void pgs_layer_queries_find(struct pgs_command_buffer *cb);

/* Those that go around the pass, before and after it. */
void pgs_layer_queries_begin(const struct pgs_command_buffer *cb);
void pgs_layer_queries_end(const struct pgs_command_buffer *cb);

/* Does the query go around the pass? */
bool pgs_layer_query_is_around(const struct pgs_command_buffer *cb, VkQueryPool pool,
                               uint32_t query);

#endif
