/* SPDX-License-Identifier: MIT
 *
 * Physical addresses as SPV_EXT_physical_storage_buffer has them, which is what devices with
 * VK_EXT_buffer_device_address take (appendix "Vulkan Environment for SPIR-V").
 */
#ifndef PGS_SPIRV_IR_EXT_ADDRESSES_H
#define PGS_SPIRV_IR_EXT_ADDRESSES_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* Makes a module that asks for that extension of one that asks for SPV_KHR_physical_storage_buffer.
 * The latter also casts pointers to two words and back; with the former this goes through an
 * integer of 64 bits, so the device needs shaderInt64. Opcodes and capabilities have the same
 * numbers. */
enum pgs_spv_result pgs_spv_use_ext_addresses(const uint32_t *words, size_t word_count,
                                              struct pgs_spv_blob *out);

#endif
