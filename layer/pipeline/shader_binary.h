/* SPDX-License-Identifier: MIT
 *
 * Binaries of shader objects (VK_EXT_shader_object): the SPIR-V with its entry point and its
 * specialization, since the layer needs the words whatever the driver makes of them. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_SHADER_BINARY_H
#define PGS_PIPELINE_SHADER_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan.h>

/* What a binary holds. */
struct pgs_shader_code {
    VkShaderStageFlagBits stage;
    const uint32_t *words;
    size_t word_count;
    const char *name;                      /* of the entry point */
    const VkSpecializationInfo *constants; /* NULL: none */
};

/* Bytes of the binary. */
size_t pgs_shader_binary_size(const struct pgs_shader_code *code);

/* Writes as many bytes to `to`. */
void pgs_shader_binary_write(const struct pgs_shader_code *code, void *to);

/* A binary that was read. It points into the binary, except for `code.constants`. */
struct pgs_shader_binary {
    struct pgs_shader_code code;
    VkSpecializationInfo constants;
    VkSpecializationMapEntry *entries; /* owned */
};

/* VK_SUCCESS, VK_ERROR_OUT_OF_HOST_MEMORY, or VK_NOT_READY if this build of the layer did not write
 * it for such a stage. Finish it after success. */
VkResult pgs_shader_binary_read(struct pgs_shader_binary *binary, VkShaderStageFlagBits stage,
                                const void *bytes, size_t size_B);
void pgs_shader_binary_finish(struct pgs_shader_binary *binary);

#endif
