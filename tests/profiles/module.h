/* SPDX-License-Identifier: MIT
 *
 * What a driver's compiler would see in SPIR-V: capabilities, stores, the size of workgroups, the
 * precision of varyings.
 */
#ifndef PROFILES_MODULE_H
#define PROFILES_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

/* The feature behind each capability that is only there with one. */
struct module_capability {
    uint32_t capability;
    const char *feature;
};
extern const struct module_capability module_capabilities[];
extern const unsigned module_capability_count;

/* Does the module declare the capability? */
bool module_declares(const uint32_t *words, size_t count, uint32_t capability);
/* Can a vertex, tessellation or geometry shader of the module store to buffers or images? What the
 * feature vertexPipelineStoresAndAtomics allows, as VUID-RuntimeSpirv-NonWritable-06341. */
bool module_stores_before_raster(const uint32_t *words, size_t count);

struct module_workgroup {
    uint32_t size[3];
    uint64_t shared_B;
};
/* Of an entry point of compute shaders. */
struct module_workgroup module_workgroup(const uint32_t *words, size_t count, const char *entry,
                                         const VkSpecializationInfo *constants);

/* An entry point of a module. */
struct module_entry {
    const uint32_t *words; /* NULL: not known */
    size_t count;
    VkShaderStageFlagBits stage;
    const char *name;
};
/* The location of a varying that is RelaxedPrecision (mediump) in one of both stages alone; -1:
 * there is none. Members of blocks are compared by their number. */
int64_t module_mixed_precision(const struct module_entry *front,
                               const struct module_entry *fragment);

#endif
