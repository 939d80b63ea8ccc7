/* SPDX-License-Identifier: MIT
 *
 * The application's descriptor sets whose layout has mirrors: where they come from, when their
 * contents changed, and the mirrors themselves. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DESCRIPTOR_SET_H
#define PGS_PIPELINE_DESCRIPTOR_SET_H

#include "pipeline/mirror.h"

struct pgs_descriptor_pool;

/* NULL: not known, as its layout has no mirrors. Thread-safe. */
struct pgs_descriptor_set *pgs_descriptor_set_find(const struct pgs_device *dev,
                                                   VkDescriptorSet handle);

/* For the room's end: what the application left. */
void pgs_descriptor_pool_free(struct pgs_device *dev, struct pgs_descriptor_pool *pool);

#endif
