/* SPDX-License-Identifier: MIT
 *
 * The public header of spirv/: SPIR-V words in, SPIR-V words out, no Vulkan. All functions are
 * thread-safe (they share no state). They do not trust their input: truncated, cyclic or
 * inconsistent modules give PGS_SPV_INVALID. A function that fails leaves nothing allocated and no
 * words in its output. The entry point of every generated module is "main".
 */
#ifndef PGS_SPIRV_SPIRV_H
#define PGS_SPIRV_SPIRV_H

#include "spirv/analysis/depth_replacing.h"
#include "spirv/analysis/draw_index.h"
#include "spirv/analysis/fragment_info.h"
#include "spirv/analysis/geometry_info.h"
#include "spirv/analysis/invariant.h"
#include "spirv/analysis/point_size.h"
#include "spirv/analysis/stores.h"
#include "spirv/analysis/targets.h"
#include "spirv/analysis/tessellation_info.h"
#include "spirv/analysis/vertex_info.h"
#include "spirv/io/depth_planes.h"
#include "spirv/io/distances.h"
#include "spirv/io/lacks.h"
#include "spirv/ir/device_views.h"
#include "spirv/ir/ext_addresses.h"
#include "spirv/ir/join_loads.h"
#include "spirv/stages/control.h"
#include "spirv/stages/evaluation.h"
#include "spirv/stages/evaluation_raster.h"
#include "spirv/stages/extract.h"
#include "spirv/stages/fragment.h"
#include "spirv/stages/fragment_clip.h"
#include "spirv/stages/geometry.h"
#include "spirv/stages/geometry_capture.h"
#include "spirv/stages/geometry_instanced.h"
#include "spirv/stages/geometry_pick.h"
#include "spirv/stages/geometry_raster.h"
#include "spirv/stages/geometry_sift.h"
#include "spirv/stages/held_strips.h"
#include "spirv/stages/pass_through.h"
#include "spirv/stages/raster.h"
#include "spirv/stages/vertex.h"

#endif
