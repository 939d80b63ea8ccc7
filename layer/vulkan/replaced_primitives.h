/* SPDX-License-Identifier: MIT
 *
 * Primitives that the driver does not get as they are.
 */
#ifndef PGS_VULKAN_REPLACED_PRIMITIVES_H
#define PGS_VULKAN_REPLACED_PRIMITIVES_H

#include "vulkan/device.h"

/* True if the layer may draw lines: wide ones, or those of a stated form. */
static inline bool pgs_may_draw_lines(const struct pgs_physical_device *physical)
{
    return physical->emulates_lines || physical->brings_line_modes;
}

/* True if draws of the layer may make lines or points of polygons, or polygons of lines or points:
 * the layer then has to know what is dynamic of culling, depth bias and viewports. */
static inline bool pgs_replaces_primitives(const struct pgs_physical_device *physical)
{
    return physical->emulates_fill || physical->emulates_points || pgs_may_draw_lines(physical);
}

#endif
