/* SPDX-License-Identifier: MIT
 *
 * Strips that are not stored before it is known whether they are drawn (PGS_DRAW_HOLDS).
 */
#ifndef PGS_SPIRV_STAGES_HELD_STRIPS_H
#define PGS_SPIRV_STAGES_HELD_STRIPS_H

#include "spirv/analysis/geometry_info.h"

/* True if all strips of the shader are so short, and its vertices so small, that those of a strip
 * can wait in registers until it ends. */
bool pgs_spv_holds_strips(const struct pgs_spv_geometry_info *gs);

/* True if, moreover, each GS invocation draws one strip at most (PGS_DRAW_GATHERED), and those of a
 * workgroup may share memory. */
bool pgs_spv_gathers_strips(const struct pgs_spv_geometry_info *gs);

#endif
