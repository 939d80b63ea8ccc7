/* SPDX-License-Identifier: MIT */
#include "entry/own_extensions.h"

#include <string.h>

/* Those that the layer enables for what it does, with their commands, but for those that also come
 * with VK_KHR_swapchain. What it enables for shader objects has none that these do not bring
 * themselves. */
static const struct {
    const char *extension;
    const char *commands[8]; /* the last one is NULL */
} owns[] = {
    {"VK_KHR_device_group",
     {"vkGetDeviceGroupPeerMemoryFeaturesKHR", "vkCmdSetDeviceMaskKHR", "vkCmdDispatchBaseKHR"}},
    {"VK_KHR_buffer_device_address",
     {"vkGetBufferDeviceAddressKHR", "vkGetBufferOpaqueCaptureAddressKHR",
      "vkGetDeviceMemoryOpaqueCaptureAddressKHR"}},
    {"VK_EXT_buffer_device_address", {"vkGetBufferDeviceAddressEXT"}},
    {"VK_KHR_push_descriptor",
     {"vkCmdPushDescriptorSetKHR", "vkCmdPushDescriptorSetWithTemplateKHR"}},
};
#define OWN_COUNT (sizeof(owns) / sizeof(owns[0]))

static bool has(struct pgs_extension_names list, const char *name)
{
    uint32_t i = 0;
    while (i < list.count && strcmp(list.names[i], name) != 0)
        i++;
    return i < list.count;
}

uint32_t pgs_own_extensions(struct pgs_extension_names enabled, struct pgs_extension_names asked)
{
    uint32_t own = 0;
    for (uint32_t i = 0; i < OWN_COUNT; i++)
        if (has(enabled, owns[i].extension) && !has(asked, owns[i].extension))
            own |= UINT32_C(1) << i;
    return own;
}

bool pgs_own_extensions_bring(uint32_t own, const char *command)
{
    for (uint32_t i = 0; i < OWN_COUNT; i++)
        for (const char *const *name = owns[i].commands; (own >> i & 1) && *name; name++)
            if (strcmp(*name, command) == 0)
                return true;
    return false;
}
