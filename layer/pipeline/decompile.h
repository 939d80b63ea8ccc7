/* SPDX-License-Identifier: MIT
 *
 * Generated modules as readable GLSL.
 */
#ifndef PGS_PIPELINE_DECOMPILE_H
#define PGS_PIPELINE_DECOMPILE_H

#include "spirv/spirv.h"

/* Converts a module to Vulkan GLSL; free it with pgs_free. Returns NULL, and logs the reason, if
 * the layer was built without the SPIRV-Cross headers, its C library is missing, or it does not
 * understand the module. The library is loaded at the first call and stays loaded. Thread-safe. */
char *pgs_decompile(const struct pgs_spv_blob *blob);

#endif
