/* SPDX-License-Identifier: MIT
 *
 * Mirrors of descriptor sets: allocating and filling them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_MIRROR_H
#define PGS_PIPELINE_MIRROR_H

#include "pipeline/set_layout.h"

/* One of the application's. */
struct pgs_descriptor_set {
    VkDescriptorSet handle;
    struct pgs_set_layout *layout; /* a reference */
    uint32_t variable_count;       /* descriptors of the last binding, with layout->variable */
    struct pgs_descriptor_set *next, **link; /* in its pool */
    /* Counts writes. Written by whoever updates the set, read by whoever records with it: the
     * application keeps the two apart. */
    _Atomic uint32_t version;
    _Atomic(struct pgs_mirror *) mirrors[PGS_GROUP_COUNT]; /* NULL: not wanted yet */
};

/* The set's mirror for the group, which its layout has, with the contents that the set has now.
 * Errors: out of host or device memory. Thread-safe. */
VkResult pgs_mirror_get(struct pgs_device *dev, struct pgs_descriptor_set *set,
                        enum pgs_stage_group group, VkDescriptorSet *mirror);

/* The set is freed: others may have its mirrors. Thread-safe. */
void pgs_mirrors_give_back(struct pgs_device *dev, struct pgs_descriptor_set *set);

/* `count` descriptors were written from an element of a binding on, and as the specification has
 * it went on in the next binding where they did not fit. Brings all mirrors up to date as far as
 * the bindings may be in use; the others are when the set is next asked for. Under mirror_lock. */
void pgs_mirrors_note_write_locked(struct pgs_device *dev, struct pgs_descriptor_set *set,
                                   uint32_t binding, uint32_t element, uint32_t count);

#endif
