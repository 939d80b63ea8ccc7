/* SPDX-License-Identifier: MIT
 *
 * The application's descriptor sets whose layout has mirrors: their pool, the version of their
 * contents, and the mirrors. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DESCRIPTOR_SET_H
#define PGS_PIPELINE_DESCRIPTOR_SET_H

#include "pipeline/mirror.h"

struct pgs_descriptor_pool;

/* NULL: untracked, as its layout has no mirrors. Thread-safe. */
struct pgs_descriptor_set *pgs_descriptor_set_find(const struct pgs_device *dev,
                                                   VkDescriptorSet handle);

/* Frees a pool that the application did not destroy. For the end of the device. */
void pgs_descriptor_pool_free(struct pgs_device *dev, struct pgs_descriptor_pool *pool);

#endif
