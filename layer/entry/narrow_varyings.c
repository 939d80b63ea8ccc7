/* SPDX-License-Identifier: MIT */
#include "entry/narrow_varyings.h"

#include "entry/extensions.h"
#include "vulkan/chain.h"

bool pgs_narrow_varyings_fit(const struct pgs_physical_device *phys,
                             const VkExtensionProperties *list, uint32_t count)
{
    VkPhysicalDeviceShaderFloat16Int8Features floats = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &floats};
    if (!phys->features.shaderInt16 || !phys->instance->vk.GetPhysicalDeviceFeatures2 ||
        phys->instance->api_version < VK_API_VERSION_1_1 ||
        (phys->api_version < VK_API_VERSION_1_2 &&
         !pgs_extension_in(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, list, count)))
        return false;
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    return floats.shaderFloat16;
}

void pgs_narrow_varyings_patch(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    if (phys->fits_narrow_varyings)
        return;
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES)
        ((VkPhysicalDeviceVulkan11Features *)node)->storageInputOutput16 = VK_FALSE;
    else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)
        ((VkPhysicalDevice16BitStorageFeatures *)node)->storageInputOutput16 = VK_FALSE;
}

bool pgs_narrow_varyings_asked(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceVulkan11Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    const VkPhysicalDevice16BitStorageFeatures *lone =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
    return (core && core->storageInputOutput16) || (lone && lone->storageInputOutput16);
}

const char *pgs_narrow_varyings_extension(const struct pgs_physical_device *phys)
{
    return phys->api_version < VK_API_VERSION_1_2 ? VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME
                                                  : NULL;
}

void pgs_narrow_varyings_enable(const void **chain, VkPhysicalDeviceFeatures *plain,
                                VkPhysicalDeviceShaderFloat16Int8Features *floats)
{
    VkPhysicalDeviceFeatures2 *features2 =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceShaderFloat16Int8Features *lone =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
    (features2 ? &features2->features : plain)->shaderInt16 = VK_TRUE;
    if (core) {
        core->shaderFloat16 = VK_TRUE;
    } else if (lone) {
        lone->shaderFloat16 = VK_TRUE;
    } else {
        *floats = (VkPhysicalDeviceShaderFloat16Int8Features){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
            .pNext = (void *)*chain,
            .shaderFloat16 = VK_TRUE,
        };
        *chain = floats;
    }
}
