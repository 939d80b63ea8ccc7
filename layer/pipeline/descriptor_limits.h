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
    PGS_DESCRIPTOR_ACCELERATION_STRUCTURE,
    PGS_DESCRIPTOR_RESOURCE, /* everything that maxPerStageResources counts */
    PGS_DESCRIPTOR_KIND_COUNT
};

/* Number of descriptors that one stage sees. The specification limits set layouts without
 * UPDATE_AFTER_BIND_POOL and, separately, all set layouts together. */
struct pgs_descriptor_counts {
    uint64_t plain[PGS_DESCRIPTOR_KIND_COUNT];
    uint64_t all[PGS_DESCRIPTOR_KIND_COUNT];
};

/* The driver's maxPerStage* limits; UINT64_MAX for kinds without one. */
void pgs_descriptor_limits_init(const struct pgs_device *dev, struct pgs_descriptor_counts *limits);

/* True if every stage may see all descriptors: each limit is at least 2^16. Such drivers keep
 * descriptors in memory. Inline uniform blocks are scarce everywhere and ignored here. */
bool pgs_descriptor_limits_are_ample(const struct pgs_descriptor_counts *limits);

/* Adds `count` descriptors of one binding (bytes for an inline uniform block). */
void pgs_descriptor_counts_add(struct pgs_descriptor_counts *counts, VkDescriptorType type,
                               uint32_t count, bool update_after_bind_pool);

bool pgs_descriptor_counts_fit(const struct pgs_descriptor_counts *counts,
                               const struct pgs_descriptor_counts *limits);

#endif
