/* SPDX-License-Identifier: MIT
 *
 * How many descriptors one shader stage may see. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DESCRIPTOR_LIMITS_H
#define PGS_PIPELINE_DESCRIPTOR_LIMITS_H

#include "vulkan/device.h"

enum pgs_descriptor_kind {
    PGS_DESCRIPTOR_SAMPLER,
    PGS_DESCRIPTOR_UNIFORM_BUFFER,
    PGS_DESCRIPTOR_STORAGE_BUFFER,
    PGS_DESCRIPTOR_SAMPLED_IMAGE,
    PGS_DESCRIPTOR_STORAGE_IMAGE,
    PGS_DESCRIPTOR_INLINE_BLOCK, /* bindings, not bytes */
    PGS_DESCRIPTOR_RESOURCE,     /* whatever maxPerStageResources counts */
    PGS_DESCRIPTOR_KIND_COUNT
};

/* Descriptors that one stage sees. The specification limits those in set layouts without
 * UPDATE_AFTER_BIND_POOL, and besides those in all set layouts. */
struct pgs_descriptor_counts {
    uint64_t plain[PGS_DESCRIPTOR_KIND_COUNT];
    uint64_t all[PGS_DESCRIPTOR_KIND_COUNT];
};

/* The driver's maxPerStage* limits. A kind without a limit has UINT64_MAX. */
void pgs_descriptor_limits_init(const struct pgs_device *dev, struct pgs_descriptor_counts *limits);

/* Are descriptors so cheap that every stage may see all of them? True where each limit is at least
 * 2^16: such drivers keep descriptors in memory, not in slots. Inline uniform blocks are few
 * everywhere and do not count here. */
bool pgs_descriptor_limits_are_roomy(const struct pgs_descriptor_counts *limits);

/* Adds `count` descriptors (inline uniform block: bytes) of one binding. */
void pgs_descriptor_counts_add(struct pgs_descriptor_counts *counts, VkDescriptorType type,
                               uint32_t count, bool update_after_bind_pool);

bool pgs_descriptor_counts_fit(const struct pgs_descriptor_counts *counts,
                               const struct pgs_descriptor_counts *limits);

#endif
