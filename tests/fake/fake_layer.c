/* SPDX-License-Identifier: MIT
 *
 * The way to the fake driver through the whole layer, with the chains that the loader would put in
 * front. Only what uses it needs all of the layer.
 */
#include "fake_internal.h"

#include <string.h>

const VkNegotiateLayerInterface *fake_layer(void)
{
    static VkNegotiateLayerInterface layer;
    layer = (VkNegotiateLayerInterface){.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                        .loaderLayerInterfaceVersion = 2};
    if (vkNegotiateLoaderLayerInterfaceVersion(&layer) != VK_SUCCESS)
        fake_die("no layer");
    return &layer;
}

PFN_vkVoidFunction fake_instance_proc(VkInstance instance, const char *name)
{
    return fake_layer()->pfnGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction fake_device_proc(VkDevice device, const char *name)
{
    return fake_layer()->pfnGetDeviceProcAddr(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL physical_device_proc(VkInstance instance,
                                                                     const char *name)
{
    const bool ours =
        strncmp(name, "vkGetPhysicalDevice", 19) == 0 || strcmp(name, "vkCreateDevice") == 0;
    return ours ? fake_GetInstanceProcAddr(instance, name) : NULL;
}

VkResult fake_create_instance(const VkInstanceCreateInfo *info, VkInstance *instance)
{
    VkLayerInstanceLink driver = {.pfnNextGetInstanceProcAddr = fake_GetInstanceProcAddr,
                                  .pfnNextGetPhysicalDeviceProcAddr = physical_device_proc};
    VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                      .pNext = info->pNext,
                                      .function = VK_LAYER_LINK_INFO,
                                      .u.pLayerInfo = &driver};
    VkInstanceCreateInfo linked = *info;
    linked.pNext = &link;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)fake_instance_proc(NULL, "vkCreateInstance");
    const VkResult result = create(&linked, NULL, instance);
    if (result == VK_SUCCESS && link.u.pLayerInfo)
        fake_die("the link was not advanced");
    return result;
}

VkInstance fake_open_instance(uint32_t api_version)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = api_version};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    VkInstance instance;
    if (fake_create_instance(&info, &instance) != VK_SUCCESS)
        fake_die("no instance");
    return instance;
}

VkPhysicalDevice fake_first_physical_device(VkInstance instance)
{
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)fake_instance_proc(instance, "vkEnumeratePhysicalDevices");
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    uint32_t count = 1;
    if (enumerate(instance, &count, &physical) < 0 || count == 0)
        fake_die("no physical device");
    return physical;
}

static VKAPI_ATTR VkResult VKAPI_CALL set_device_loader_data(VkDevice device, void *object)
{
    ((struct fake_object *)object)->key = ((struct fake_object *)device)->key;
    return VK_SUCCESS;
}

VkResult fake_create_device(VkInstance instance, VkPhysicalDevice physical,
                            const VkDeviceCreateInfo *info, VkDevice *device)
{
    VkLayerDeviceLink driver = {.pfnNextGetInstanceProcAddr = fake_GetInstanceProcAddr,
                                .pfnNextGetDeviceProcAddr = fake_GetDeviceProcAddr};
    VkLayerDeviceCreateInfo callback = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                        .pNext = info->pNext,
                                        .function = VK_LOADER_DATA_CALLBACK,
                                        .u.pfnSetDeviceLoaderData = set_device_loader_data};
    VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .pNext = &callback,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &driver};
    VkDeviceCreateInfo linked = *info;
    linked.pNext = &link;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)fake_instance_proc(instance, "vkCreateDevice");
    return create(physical, &linked, NULL, device);
}

VkResult fake_create_device_with(VkInstance instance, const VkPhysicalDeviceFeatures *features,
                                 VkDevice *device)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = features};
    return fake_create_device(instance, fake_first_physical_device(instance), &info, device);
}

VkDevice fake_open_geometry_device(VkInstance instance)
{
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    VkDevice device;
    if (fake_create_device_with(instance, &features, &device) != VK_SUCCESS)
        fake_die("no device");
    return device;
}

void fake_close_device(VkDevice device)
{
    ((PFN_vkDestroyDevice)fake_device_proc(device, "vkDestroyDevice"))(device, NULL);
}

void fake_close_instance(VkInstance instance)
{
    ((PFN_vkDestroyInstance)fake_instance_proc(instance, "vkDestroyInstance"))(instance, NULL);
}
