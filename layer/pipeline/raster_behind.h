/* SPDX-License-Identifier: MIT
 *
 * Libraries of the driver that have what a part gives behind the rasterizer, where the
 * application's own library cannot be linked: it also has what the layer emulates. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_BEHIND_H
#define PGS_PIPELINE_RASTER_BEHIND_H

#include "vulkan/device.h"

struct pgs_library_part;

struct pgs_raster_behind {
    _Atomic uint32_t refs;
    VkPipeline handle;
};

/* Finds the library of a part, or makes it through the cache if `makes` says so. The part keeps
 * what is made. The reference is the caller's; NULL: there is none, as the driver does not take the
 * part as it is. Errors: out of memory, and those of the driver. Thread-safe. */
VkResult pgs_raster_behind_get(struct pgs_device *dev, VkPipelineCache cache,
                               struct pgs_library_part *part, bool makes,
                               struct pgs_raster_behind **behind);

struct pgs_raster_behind *pgs_raster_behind_refer(struct pgs_raster_behind *behind);
void pgs_raster_behind_release(struct pgs_device *dev,
                               struct pgs_raster_behind *behind); /* or NULL */

#endif
