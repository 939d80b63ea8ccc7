/* SPDX-License-Identifier: MIT
 *
 * The tessellation of a draw record.
 */
#ifndef PGS_TESSELLATION_GLSL
#define PGS_TESSELLATION_GLSL

#include "poly_gs/tessellation.h"
#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_tessellation_ref
{
    pgs_tessellation tessellation;
};

#define PGS_TESSELLATION pgs_tessellation_ref(PGS_DRAW.tessellation).tessellation

#endif
