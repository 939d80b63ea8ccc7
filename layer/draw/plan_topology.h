/* SPDX-License-Identifier: MIT
 *
 * What primitives a draw has, of which some may be dynamic state. Internal to draw/. Pure.
 */
#ifndef PGS_DRAW_PLAN_TOPOLOGY_H
#define PGS_DRAW_PLAN_TOPOLOGY_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Control points of a patch; 0: the application did not set them. */
uint32_t pgs_patch_control_points(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state);

/* The topology as records have it, with the control points of a patch. */
uint32_t pgs_record_topology(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_plan *plan);

/* Primitives of so many vertices, without restart. */
uint32_t pgs_draw_primitives(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state, VkPrimitiveTopology topology,
                             uint32_t count);

#endif
