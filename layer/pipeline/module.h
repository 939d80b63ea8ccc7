/* SPDX-License-Identifier: MIT
 *
 * Shader modules, with the SPIR-V that the application gave.
 */
#ifndef PGS_PIPELINE_MODULE_H
#define PGS_PIPELINE_MODULE_H

#include "spirv/spirv.h"
#include "vulkan/device.h"

#include <stdatomic.h>

/* The SPIR-V of one VkShaderModule. Reference-counted: pipelines with variants still to be made
 * outlive the application's handle. */
struct pgs_module {
    _Atomic uint32_t refs;
    uint32_t *words;
    size_t word_count;
    _Atomic uint64_t hash;      /* 0: not known yet; see pgs_module_hash */
    bool has_distances;         /* clip or cull distances, which the driver lacks */
    enum pgs_spv_stores stores; /* that the driver lacks */
    bool is_invariant;          /* an output is */
    bool declares_targets;      /* capabilities of outputs that the driver lacks: targets.h */
    bool has_point_size; /* capabilities of point sizes, which only the driver's stages lack */
    bool sizes_points;   /* where the driver has no large points: a shader may want some */
    bool makes_points;   /* likewise: geometry shaders, or tessellation */
    bool replaces_depth; /* where the layer brings depth clipping: a shader writes gl_FragDepth */
    bool has_draw_index; /* where draws of the driver do not know theirs */
    bool has_instance;   /* likewise: it may read the number of an instance */
    bool placeholder;    /* the driver has a placeholder, since it would refuse the real module */
};

/* Copies the words. The caller owns the reference. NULL: out of host memory. */
struct pgs_module *pgs_module_new(const struct pgs_device *dev, const uint32_t *code,
                                  size_t size_B);

/* That of a stage, which may be NULL, without a reference: the application keeps it while it
 * creates something of the stage. NULL: the stage has none that is known. Thread-safe. */
const struct pgs_module *pgs_stage_module(const struct pgs_device *dev,
                                          const VkPipelineShaderStageCreateInfo *stage);

/* A new reference; NULL if the handle is unknown. Thread-safe. */
struct pgs_module *pgs_module_acquire(const struct pgs_device *dev, VkShaderModule handle);
struct pgs_module *pgs_module_refer(struct pgs_module *module); /* another one */
void pgs_module_release(struct pgs_module *module);             /* module may be NULL */

/* Makes another handle of a known module, which lives when the application has destroyed its own.
 * Destroy it with pgs_DestroyShaderModule. VK_NULL_HANDLE on failure. Errors: out of memory;
 * VK_ERROR_UNKNOWN if the module is not known. Thread-safe. */
VkResult pgs_module_clone(struct pgs_device *dev, VkShaderModule handle, VkShaderModule *clone);

/* Likewise of a module without a handle. */
VkResult pgs_module_open(struct pgs_device *dev, struct pgs_module *module, VkShaderModule *handle);

/* A hash of the words, which is computed when it is first wanted. Thread-safe. */
uint64_t pgs_module_hash(struct pgs_module *module);

/* Makes a driver's module from generated words; VK_NULL_HANDLE on failure. */
VkResult pgs_module_create_driver(const struct pgs_device *dev, const uint32_t *words,
                                  size_t word_count, VkShaderModule *module);

/* An empty compute shader, of which every driver makes an object whose handle can stand for
 * another. */
const uint32_t *pgs_placeholder_code(size_t *size_B);

/* Features that the driver lacks and its modules must not use. */
struct pgs_spv_lacks pgs_driver_lacks(const struct pgs_device *dev);

#endif
