/* SPDX-License-Identifier: MIT
 *
 * Queries of the driver that begin within a pass. If the pass has to be ended while one is active,
 * the query goes around instances of it: the pass is also ended where the query begins, and where
 * it ends.
 */
#ifndef PGS_COMMAND_PASS_OPEN_QUERY_H
#define PGS_COMMAND_PASS_OPEN_QUERY_H

#include "command/state/buffer.h"

struct pgs_open_query {
    VkQueryPool pool;
    uint32_t query;
    VkQueryControlFlags flags;
    bool fixed;  /* it would count work of the layer between instances */
    bool around; /* it began, or will begin, between instances */
    bool front;  /* if around: in front of the one in which it began */
    bool first;  /* nothing was drawn before in that instance; where passes are recorded by layer */
    bool ended;
    struct pgs_held at; /* where it begins */
    /* If around: ends the instance, begins the query and the next instance, which is `begin`. */
    struct pgs_queue queue;
    struct pgs_noted_begin begin;
};

/* What is to be set again if the pass goes on from here in another instance. */
struct pgs_held pgs_held_here(const struct pgs_command_buffer *cb);

/* Begins a query where commands of a pass are queued. Out of memory is latched. */
void pgs_open_query_begin(struct pgs_command_buffer *cb, const struct pgs_open_query *query);

/* NULL: no such query is active. */
struct pgs_open_query *pgs_open_query_find(const struct pgs_command_buffer *cb, VkQueryPool pool,
                                           uint32_t query);

/* NULL: all queries that are active may go around instances. Otherwise the reason. */
const char *pgs_open_queries_obstacle(const struct pgs_command_buffer *cb);

/* Forgets those whose begin is recorded, except what is around and active. */
void pgs_open_queries_keep(struct pgs_pass *pass);

void pgs_open_queries_finish(struct pgs_pass *pass);

#endif
