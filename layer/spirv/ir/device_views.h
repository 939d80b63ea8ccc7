/* SPDX-License-Identifier: MIT
 *
 * gl_ViewIndex that is to be gl_DeviceIndex.
 */
#ifndef PGS_SPIRV_IR_DEVICE_VIEWS_H
#define PGS_SPIRV_IR_DEVICE_VIEWS_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* Makes a module whose inputs have the index of the device where those of `words` have the view's,
 * in every entry point. out->words is NULL if there are none. */
enum pgs_spv_result pgs_spv_device_views(const uint32_t *words, size_t word_count,
                                         struct pgs_spv_blob *out);

#endif
