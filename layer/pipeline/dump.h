/* SPDX-License-Identifier: MIT
 *
 * VK_POLY_GS_DUMP: every generated module goes to files.
 */
#ifndef PGS_PIPELINE_DUMP_H
#define PGS_PIPELINE_DUMP_H

#include "spirv/spirv.h"
#include "vulkan/device.h"

/* Writes the words to settings.dump_dir, if set, as NNNN-<stage>.spv, and as NNNN-<stage>.glsl if
 * pgs_decompile can. Failures are only logged. Thread-safe. */
void pgs_dump_module(const struct pgs_device *dev, uint32_t serial, const char *stage,
                     const struct pgs_spv_blob *blob);

/* The number of the next pipeline. Thread-safe. */
uint32_t pgs_dump_next_serial(const struct pgs_device *dev);

#endif
