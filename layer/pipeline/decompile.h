/* SPDX-License-Identifier: MIT
 *
 * Generated modules as GLSL, for people to read.
 */
#ifndef PGS_PIPELINE_DECOMPILE_H
#define PGS_PIPELINE_DECOMPILE_H

#include "spirv/spirv.h"

/* The module as GLSL for Vulkan, to be freed with pgs_free. NULL when that cannot be had: the layer
 * was built without the headers of SPIRV-Cross, its C library is not on this machine, or it does
 * not understand the module, which is logged. The library is looked for at the first call and stays
 * loaded. Thread-safe. */
char *pgs_decompile(const struct pgs_spv_blob *blob);

#endif
