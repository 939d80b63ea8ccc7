/* SPDX-License-Identifier: MIT
 *
 * Libraries of graphics pipelines, and pipelines that are linked from them
 * (VK_EXT_graphics_pipeline_library). Internal to pipeline/.
 *
 * A library is a driver's one as long as the driver draws all of its parts. Pipelines of such
 * libraries alone are linked by the driver. A library with a part that the layer emulates is a
 * driver's object, too, but only for its handle. Its pipelines are made as if the application had
 * given everything at once, of the parts that all libraries keep. The
 * driver links their raster pipelines if it can (raster_link.h).
 */
#ifndef PGS_PIPELINE_LIBRARY_H
#define PGS_PIPELINE_LIBRARY_H

#include "pipeline/emulated.h"

/* True if the info makes a library, or links some. */
bool pgs_library_concerns(const VkGraphicsPipelineCreateInfo *info);

/* Creates the library or the pipeline of such an info. On failure nothing is left. Errors: those of
 * vkCreateGraphicsPipelines; VK_ERROR_UNKNOWN, logged, if a library contains something that the
 * layer cannot keep, and it is needed. */
VkResult pgs_library_create(const struct pgs_create_call *call, VkPipeline *pipeline);

/* Call it before the handle is destroyed; nothing is done for other handles. Thread-safe. */
void pgs_library_forget(struct pgs_device *dev, VkPipeline handle);

/* For libraries that the application did not destroy. */
struct pgs_library;
void pgs_library_free(struct pgs_device *dev, struct pgs_library *library);

#endif
