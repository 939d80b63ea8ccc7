/* SPDX-License-Identifier: MIT */
#include "common/vkt_features.h"

#include "common/vkt.h"

#include <string.h>

bool vkt_driver_is(const struct vkt *t, const char *part)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(t->physical, &properties);
    return strstr(driver.driverInfo, part);
}
