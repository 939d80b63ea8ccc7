/* SPDX-License-Identifier: MIT
 *
 * Index lists of strips that are equally long, for inline draws whose primitives share vertices
 * (pipeline/indexed_strips.h). A device has one for each length; it lives as long as the device. A
 * public header of draw/.
 */
#ifndef PGS_DRAW_STRIP_LIST_H
#define PGS_DRAW_STRIP_LIST_H

#include "memory/heap.h"

/* Indices of 16 bits: the primitives of strip after strip, without restart. One list serves all
 * draws, as vertexOffset says where they begin. */
struct pgs_strip_list {
    struct pgs_range range;
    uint32_t strip_el;   /* vertices of a strip */
    uint32_t kind;       /* vertices of a primitive: 2 or 3 */
    bool provoking_last; /* of odd triangles the first two vertices are swapped, not the others */
    uint32_t strip_indices; /* of each strip */
    uint32_t most_el;       /* vertices of all: a draw of more goes in parts */
};

/* Sets dev->strips. Errors: out of host memory. */
VkResult pgs_strip_lists_create(struct pgs_device *dev);
/* dev->strips may be NULL. */
void pgs_strip_lists_destroy(struct pgs_device *dev);

/* Finds the list of strips of so many vertices, more than `kind`, or makes it. Thread-safe. Errors:
 * out of host or device memory; logs them. */
VkResult pgs_strip_list_find(struct pgs_device *dev, uint32_t strip_el, uint32_t kind,
                             bool provoking_last, const struct pgs_strip_list **list);

void pgs_strip_list_bind(const struct pgs_device_dispatch *vk, const struct pgs_strip_list *list,
                         VkCommandBuffer cb);

/* Draws so many vertices, whole strips, from the vertex on: in order if there is one instance, or
 * no more than most_el of them. The list is bound. */
void pgs_strip_list_draw(const struct pgs_device_dispatch *vk, const struct pgs_strip_list *list,
                         uint32_t first_el, uint32_t count_el, uint32_t first_instance,
                         uint32_t instances, VkCommandBuffer cb);

#endif
