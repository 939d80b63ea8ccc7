/* SPDX-License-Identifier: MIT
 *
 * What the driver made of a compute shader of the layer, kept on disk for the next run. Internal to
 * pipeline/.
 *
 * Programs save their VkPipelineCache, but nobody saves what goes through none of theirs: the
 * kernels, and what draws make. Where the driver keeps nothing itself, as on most phones, each run
 * would compile that again. A binary is found by the words of the shader and the driver that made
 * it. It is the data of a VkPipelineCache, so the driver checks whether it still fits.
 */
#ifndef PGS_PIPELINE_KEPT_BINARY_H
#define PGS_PIPELINE_KEPT_BINARY_H

#include "vulkan/device.h"

struct pgs_kept_binary {
    const uint32_t *words;
    size_t word_count;
    VkPipelineCache cache; /* to compile the shader with; VK_NULL_HANDLE: nothing is kept */
    size_t data_B;         /* of the data in it; 0: none was kept */
};

/* Reads what was kept of a shader, whose words must live until pgs_kept_binary_end. False: nothing
 * is kept on this device, and there is nothing to end. Thread-safe. */
bool pgs_kept_binary_begin(const struct pgs_device *dev, const uint32_t *words, size_t word_count,
                           struct pgs_kept_binary *kept);

/* compiled: the shader was, with the cache; what is new in it is kept. Thread-safe. */
void pgs_kept_binary_end(const struct pgs_device *dev, struct pgs_kept_binary *kept, bool compiled);

#endif
