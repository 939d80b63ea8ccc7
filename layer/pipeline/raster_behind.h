/* SPDX-License-Identifier: MIT
 *
 * Libraries of the driver that have what a part of the application gives behind the rasterizer
 * (library_behind.h). Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_BEHIND_H
#define PGS_PIPELINE_RASTER_BEHIND_H

#include "vulkan/device.h"

struct pgs_raster_behind {
    _Atomic uint32_t refs;
    VkPipeline handle;
};

/* `place` is a part's, and changes under front_lock of the device. The reference is the caller's;
 * NULL: there is none. Thread-safe. */
struct pgs_raster_behind *pgs_raster_behind_find(struct pgs_device *dev,
                                                 struct pgs_raster_behind *const *place);

/* Puts a new library there, and takes it over. Returns it, or that of another thread which was
 * faster; the reference is the caller's. NULL, and the library is destroyed: out of memory.
 * Thread-safe. */
struct pgs_raster_behind *
pgs_raster_behind_add(struct pgs_device *dev, struct pgs_raster_behind **place, VkPipeline library);

struct pgs_raster_behind *pgs_raster_behind_refer(struct pgs_raster_behind *behind);
/* behind may be NULL. */
void pgs_raster_behind_release(struct pgs_device *dev, struct pgs_raster_behind *behind);

#endif
