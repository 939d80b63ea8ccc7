/* SPDX-License-Identifier: MIT
 *
 * The driver's libraries of what parts have behind the rasterizer, where the application's library
 * cannot be linked. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_LIBRARY_BEHIND_H
#define PGS_PIPELINE_LIBRARY_BEHIND_H

#include "pipeline/emulated.h"
#include "pipeline/raster_link.h"

/* Finds the library of a part, or makes it through the call's cache if `makes` says so. The part
 * keeps what is made. The reference is the caller's; NULL: there is none, or the driver does not
 * take the part alone. Errors: those of the driver after which a whole pipeline would fail, too,
 * such as out of memory. Thread-safe. */
VkResult pgs_library_behind_get(const struct pgs_create_call *call, struct pgs_library_part *part,
                                bool makes, struct pgs_raster_behind **behind);

/* The same, and adds it to what is linked unless it is there. *added is false if there is none. */
VkResult pgs_library_behind_add(const struct pgs_create_call *call, struct pgs_library_part *part,
                                bool makes, struct pgs_raster_link *link, bool *added);

#endif
