/* SPDX-License-Identifier: MIT */
#include "entry/brought_names.h"

#include <string.h>

static const struct {
    VkExtensionProperties properties;
    uint32_t bit;
} extensions[] = {
    {{VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME, VK_KHR_DRAW_INDIRECT_COUNT_SPEC_VERSION},
     PGS_BROUGHT_COUNT},
    {{VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME, VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_SPEC_VERSION},
     PGS_BROUGHT_DIVISOR},
    {{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_SPEC_VERSION},
     PGS_BROUGHT_PUSH},
    {{VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, VK_EXT_DEPTH_CLIP_ENABLE_SPEC_VERSION},
     PGS_BROUGHT_DEPTH_CLIP},
    {{VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, VK_EXT_LINE_RASTERIZATION_SPEC_VERSION},
     PGS_BROUGHT_LINE_MODES},
    {{PGS_KHR_LINES_NAME, 1}, PGS_BROUGHT_LINE_MODES},
    {{VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
      VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_SPEC_VERSION},
     PGS_BROUGHT_OUTPUTS},
    {{PGS_KHR_DIVISOR_NAME, 1}, PGS_BROUGHT_KHR_DIVISOR},
};
#define EXTENSION_COUNT (sizeof(extensions) / sizeof(extensions[0]))

uint32_t pgs_brought_extension(const char *name)
{
    for (size_t i = 0; i < EXTENSION_COUNT; i++)
        if (strcmp(name, extensions[i].properties.extensionName) == 0)
            return extensions[i].bit;
    return 0;
}

const VkExtensionProperties *pgs_brought_next(const struct pgs_physical_device *phys,
                                              uint32_t *next)
{
    const uint32_t reported = phys->brought & ~(uint32_t)PGS_BROUGHT_KHR_DIVISOR;
    while (*next < EXTENSION_COUNT) {
        const uint32_t i = (*next)++;
        if (reported & extensions[i].bit)
            return &extensions[i].properties;
    }
    return NULL;
}
