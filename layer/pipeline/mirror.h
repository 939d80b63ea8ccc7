/* SPDX-License-Identifier: MIT
 *
 * Mirrors of descriptor sets: allocating and filling them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_MIRROR_H
#define PGS_PIPELINE_MIRROR_H

#include "pipeline/set_layout.h"

/* A descriptor set of the application. */
struct pgs_descriptor_set {
    VkDescriptorSet handle;
    struct pgs_set_layout *layout;           /* a reference */
    uint32_t variable_count;                 /* count of the last binding, with layout->variable */
    struct pgs_descriptor_set *next, **link; /* in its pool */
    /* Number of writes. The application synchronises updates of the set with recording that uses
     * it. */
    _Atomic uint32_t version;
    _Atomic(struct pgs_mirror *) mirrors[PGS_GROUP_COUNT]; /* NULL until first used */
};

/* The set's mirror for a group that needs one, with the current contents. Errors: out of host or
 * device memory. Thread-safe. */
VkResult pgs_mirror_get(struct pgs_device *dev, struct pgs_descriptor_set *set,
                        enum pgs_stage_group group, VkDescriptorSet *mirror);

/* Call it when the set is freed: its mirrors can be reused. Thread-safe. */
void pgs_mirrors_give_back(struct pgs_device *dev, struct pgs_descriptor_set *set);

/* `count` descriptors were written from an element of a binding on, continuing in the next bindings
 * as the specification says. Updates mirrors for bindings that may be in use; others are updated
 * when the set is next requested. Call it with mirror_lock held. */
void pgs_mirrors_note_write_locked(struct pgs_device *dev, struct pgs_descriptor_set *set,
                                   uint32_t binding, uint32_t element, uint32_t count);

#endif
