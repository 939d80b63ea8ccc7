/* SPDX-License-Identifier: MIT
 *
 * Libraries of the layer, of which the driver links raster pipelines: vertex input, and all that is
 * in front of the rasterizer. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_FRONT_H
#define PGS_PIPELINE_RASTER_FRONT_H

#include "pipeline/record_inputs.h"
#include "pipeline/shared.h"

/* What a library depends on, besides the application's library that it stands for. Compared byte by
 * byte: padding and what is not used are zero. */
struct pgs_raster_front_key {
    struct pgs_shared *vertex; /* the module of the shader */
    uint32_t polygons, by_viewport, topology, restarts, binding_count, attribute_count;
    VkVertexInputBindingDescription bindings[3];
    VkVertexInputAttributeDescription attributes[1 + PGS_MAX_RECORD_INPUTS];
};

struct pgs_raster_front {
    struct pgs_raster_front *next;
    _Atomic uint32_t refs;
    struct pgs_raster_front_key key; /* with a reference to the module */
    VkPipeline handle;
};

/* Those that stand for a library of the application. They change under front_lock of the device. */
struct pgs_raster_fronts {
    struct pgs_raster_front *first; /* references */
};

/* The reference is the caller's; NULL: there is none. Thread-safe. */
struct pgs_raster_front *pgs_raster_front_find(struct pgs_device *dev,
                                               struct pgs_raster_fronts *fronts,
                                               const struct pgs_raster_front_key *key);

/* Adds a new library, and takes it over. Returns it, or an equal one that another thread has added
 * meanwhile; the reference is the caller's. NULL, and the library is destroyed: out of memory.
 * Thread-safe. */
struct pgs_raster_front *pgs_raster_front_add(struct pgs_device *dev,
                                              struct pgs_raster_fronts *fronts,
                                              const struct pgs_raster_front_key *key,
                                              VkPipeline library);

/* front may be NULL. Thread-safe. */
void pgs_raster_front_release(struct pgs_device *dev, struct pgs_raster_front *front);

/* When the application's library is not used any more. */
void pgs_raster_fronts_finish(struct pgs_device *dev, struct pgs_raster_fronts *fronts);

#endif
