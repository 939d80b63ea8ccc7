/* SPDX-License-Identifier: MIT */
#include "entry/line_modes.h"

#include "entry/extensions.h"
#include "vulkan/chain.h"
#include "vulkan/replaced_primitives.h"

#define FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT
#define PROPERTIES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT

/* -- where the layer brings it -- */

/* True if the driver has something that no program could use beside lines of the layer. */
static bool hides_more(const struct pgs_physical_device *phys, const VkExtensionProperties *list,
                       uint32_t count)
{
    if (pgs_replaces_primitives(phys)) /* for which it is hidden anyway */
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (pgs_hides_for_lines(list[i].extensionName))
            return true;
    return pgs_extension_in("VK_EXT_shader_object", list, count) ||
           pgs_extension_in(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, list, count);
}

void pgs_line_modes_decide(struct pgs_physical_device *phys, const VkExtensionProperties *list,
                           uint32_t count)
{
    phys->brings_line_modes = phys->instance->settings.line_modes == PGS_BRING_EMULATE ||
                              ((phys->lacks & PGS_FEATURE_BIT(LINE_MODES)) &&
                               phys->features.sampleRateShading && !hides_more(phys, list, count));
}

/* -- reports -- */

/* The members have the same names in the structure of Vulkan 1.4. Lines of the layer are triangles,
 * or copies of thin lines of the driver, whose fragments know no coverage. */
#define PATCH(lines)                                                                               \
    do {                                                                                           \
        if (pgs_may_draw_lines(phys))                                                              \
            (lines)->smoothLines = (lines)->stippledSmoothLines = VK_FALSE;                        \
        if (phys->brings_line_modes)                                                               \
            (lines)->rectangularLines = (lines)->bresenhamLines =                                  \
                (lines)->stippledRectangularLines = (lines)->stippledBresenhamLines = VK_TRUE;     \
    } while (0)

void pgs_line_modes_patch_features(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    if (node->sType == FEATURES)
        PATCH((VkPhysicalDeviceLineRasterizationFeaturesEXT *)node);
#ifdef VK_VERSION_1_4
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES)
        PATCH((VkPhysicalDeviceVulkan14Features *)node);
#endif
}

void pgs_line_modes_patch_properties(const struct pgs_physical_device *phys,
                                     VkBaseOutStructure *node)
{
    const uint32_t bits = phys->properties.limits.subPixelPrecisionBits;
    if (!phys->brings_line_modes)
        return;
    if (node->sType == PROPERTIES)
        ((VkPhysicalDeviceLineRasterizationPropertiesEXT *)node)->lineSubPixelPrecisionBits = bits;
#ifdef VK_VERSION_1_4
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES)
        ((VkPhysicalDeviceVulkan14Properties *)node)->lineSubPixelPrecisionBits = bits;
#endif
}

/* -- what is asked -- */

#define SMOOTH(lines) ((lines)->smoothLines || (lines)->stippledSmoothLines)
#define OTHERS(lines)                                                                              \
    ((lines)->rectangularLines || (lines)->bresenhamLines || (lines)->stippledRectangularLines ||  \
     (lines)->stippledBresenhamLines)

bool pgs_line_modes_asked(const void *chain)
{
    const VkPhysicalDeviceLineRasterizationFeaturesEXT *lines = pgs_chain_find(chain, FEATURES);
    bool asked = lines && OTHERS(lines);
#ifdef VK_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    asked |= core && OTHERS(core);
#endif
    return asked;
}

bool pgs_hidden_line_mode_asked(const struct pgs_physical_device *phys, const void *chain)
{
    const VkPhysicalDeviceLineRasterizationFeaturesEXT *lines = pgs_chain_find(chain, FEATURES);
    bool asked = lines && SMOOTH(lines);
#ifdef VK_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    asked |= core && SMOOTH(core);
#endif
    return asked && pgs_may_draw_lines(phys);
}

void pgs_line_modes_patch_request(const struct pgs_physical_device *phys, const void **chain)
{
    static const VkStructureType type = FEATURES;
    if (!phys->brings_line_modes)
        return;
    pgs_chain_remove(chain, &type, 1);
#ifdef VK_VERSION_1_4
    VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    if (core)
        core->rectangularLines = core->bresenhamLines = core->stippledRectangularLines =
            core->stippledBresenhamLines = VK_FALSE;
#endif
}
