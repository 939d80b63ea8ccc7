/* SPDX-License-Identifier: MIT
 *
 * Slices of large raster draws. lavapipe keeps what a pass draws for its rasterizer until the pass
 * ends, but hands it over at a timestamp and goes on with the next vertices meanwhile: one thread
 * does these, others the fragments. So with timestamps between its slices, of which nobody reads
 * the values, a draw takes as long as the longer of both instead of their sum. A public header of
 * draw/.
 */
#ifndef PGS_DRAW_SLICES_H
#define PGS_DRAW_SLICES_H

#include "vulkan/device.h"

struct pgs_batch_memory;
struct pgs_draw;

/* Sets dev->slices if the class has slices, and all queues that draw have timestamps. Errors: as
 * vkCreateQueryPool. */
VkResult pgs_slices_create(struct pgs_device *dev);
/* dev->slices may be NULL. */
void pgs_slices_destroy(struct pgs_device *dev);

/* Vertices beyond which draws have slices; 0: none has. */
uint32_t pgs_slices_from(const struct pgs_device *dev, const struct pgs_batch_memory *memory);

/* Takes queries for draws of a pass, which gets no more of them. If there are too few, slices
 * follow each other without. */
void pgs_slices_seal(struct pgs_draw *draws, struct pgs_batch_memory *memory);
/* Resets them: in front of the pass. */
void pgs_slices_reset(const struct pgs_draw *pass, VkCommandBuffer cb);

/* Call it before each slice of the draw, inside the pass. number: of the slices of all its calls.
 */
void pgs_slices_next(const struct pgs_draw *draw, uint32_t number, VkCommandBuffer cb);

#endif
