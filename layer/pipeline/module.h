/* SPDX-License-Identifier: MIT
 *
 * Shader modules, with the SPIR-V that the application gave.
 */
#ifndef PGS_PIPELINE_MODULE_H
#define PGS_PIPELINE_MODULE_H

#include "spirv/spirv.h"
#include "vulkan/device.h"

#include <stdatomic.h>

/* The SPIR-V of one VkShaderModule. Reference-counted: pipelines whose variants are not all made
 * outlive the application's handle. */
struct pgs_module {
    _Atomic uint32_t refs;
    uint32_t *words;
    size_t word_count;
    bool placeholder; /* the driver's module is a dummy, since it would refuse the real one */
};

/* Copies the words. The reference is the caller's. NULL: out of host memory. */
struct pgs_module *pgs_module_new(const struct pgs_device *dev, const uint32_t *code,
                                  size_t size_B);

/* NULL: a handle that we do not know. Else a new reference. Thread-safe. */
struct pgs_module *pgs_module_acquire(const struct pgs_device *dev, VkShaderModule handle);
void pgs_module_release(struct pgs_module *module); /* NULL is fine */

/* Makes a driver's module of words that are ours; *module is VK_NULL_HANDLE on failure. */
VkResult pgs_module_create_driver(const struct pgs_device *dev, const uint32_t *words,
                                  size_t word_count, VkShaderModule *module);

/* What modules for the driver must do without. */
struct pgs_spv_lacks pgs_driver_lacks(const struct pgs_device *dev);

#endif
