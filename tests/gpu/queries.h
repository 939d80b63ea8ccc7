/* SPDX-License-Identifier: MIT
 *
 * Results of queries in every form that the host and the GPU can ask for.
 */
#ifndef PGS_TESTS_GPU_QUERIES_H
#define PGS_TESTS_GPU_QUERIES_H

#include "common/vkt_query.h"

#define QUERIES_MAX_VALUES 12

/* What the first `available` queries of a pool hold; the one behind them was reset and never begun.
 */
struct queries_expected {
    const char *name;
    VkQueryPool pool;
    uint32_t value_count, available;
    const uint64_t (*values)[QUERIES_MAX_VALUES];
    /* Through the layer: what is not available is told apart; lavapipe mixes that up for
     * statistics. */
    bool exact;
    bool copies_unavailable; /* copy that one, too: the validation layer does not like it */
    /* Copies find what has ended, without waiting, too: what the layer counts is there by then. */
    bool copies_wait;
};

/* Fails unless the host gets what is expected, in every form. */
void queries_check_host(struct vkt *t, const struct queries_expected *expected);

/* The same with vkCmdCopyQueryPoolResults: copies of all forms to one buffer, recorded after the
 * queries ended, and then, when they have been executed, their check. */
struct vkt_buffer queries_copy_buffer(struct vkt *t, const struct queries_expected *expected);
void queries_copy(VkCommandBuffer cmd, const struct queries_expected *expected,
                  const struct vkt_buffer *buffer);
void queries_check_copies(struct vkt *t, const struct queries_expected *expected,
                          const struct vkt_buffer *buffer);

#endif
