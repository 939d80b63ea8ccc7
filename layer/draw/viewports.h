/* SPDX-License-Identifier: MIT
 *
 * gl_ViewportIndex of emulated draws, for drivers that take none from a vertex shader. The
 * framebuffer is divided into parts, in each of which the same viewports of the application can
 * draw. A draw is repeated for each part, with the part as scissor and the primitives of its
 * viewports. If there are several, the raster vertex shader moves their vertices to the driver's
 * viewport, so that primitives of all of them keep their order. Internal to draw/.
 */
#ifndef PGS_DRAW_VIEWPORTS_H
#define PGS_DRAW_VIEWPORTS_H

#include "draw/compute.h"

#define PGS_MAX_VIEWPORT_PARTS 1024 /* more than 16 rectangles can make */

/* A rectangle of pixels, with the viewports that draw there. */
struct pgs_viewport_rect {
    int32_t x0, y0, x1, y1; /* without x1, y1 */
    uint32_t mask;
};

/* Divides rectangles into parts that do not overlap. rects[i].mask is not read: the viewport is i.
 * Empty ones are skipped. Returns how many there are; mask: the rectangles that cover a part. A
 * part that one rectangle alone covers is not divided further than overlaps with others demand.
 * parts: [PGS_MAX_VIEWPORT_PARTS]. */
uint32_t pgs_viewport_divide(const struct pgs_viewport_rect *rects, uint32_t count,
                             struct pgs_viewport_rect *parts);

struct pgs_viewport_part {
    VkViewport viewport;
    VkRect2D scissor;
};

struct pgs_viewport_parts {
    VkBuffer selects; /* struct pgs_viewport_select [count], in upload memory */
    VkDeviceSize selects_B;
    /* The raster pipeline has dynamic counts, as the application's. */
    bool with_viewport_count, with_scissor_count;
    /* What is dynamic state of the application, and is set again after the draw: all of them with a
     * count, else the first one. 0: nothing. */
    uint32_t viewport_count, scissor_count;
    struct pgs_viewports before;
    uint32_t count;
    struct pgs_viewport_part parts[];
};

/* For a draw of state->pipeline, which has by_viewport. Lives in the memory's arena and upload
 * memory. NULL: out of memory. */
const struct pgs_viewport_parts *pgs_viewport_parts_new(struct pgs_device *dev,
                                                        struct pgs_batch_memory *memory,
                                                        const struct pgs_graphics_state *state);

/* Sets viewport, scissor and vertex buffer 2 for a part; and viewport and scissor as before. */
void pgs_viewport_part_begin(const struct pgs_viewport_parts *parts, uint32_t part,
                             const struct pgs_device_dispatch *vk, VkCommandBuffer cb);
void pgs_viewport_parts_end(const struct pgs_viewport_parts *parts,
                            const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
