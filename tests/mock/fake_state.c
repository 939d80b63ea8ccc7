/* SPDX-License-Identifier: MIT
 *
 * The state of the fake driver and its log, and the way to it through the layer.
 */
#include "fake_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_state fake;
struct fake_call *fake_log;
size_t fake_log_count;

_Noreturn void fake_die(const char *what)
{
    fprintf(stderr, "fake driver: %s\n", what);
    abort();
}

/* -- state -- */

struct fake_config fake_default_config(void)
{
    static const VkQueueFlags families[] = {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                                            VK_QUEUE_TRANSFER_BIT};
    return (struct fake_config){
        .instance_version = VK_API_VERSION_1_3,
        .device_version = VK_API_VERSION_1_3,
        .physical_device_count = 1,
        .full_draw_index = true,
        .buffer_device_address = true,
        .families = families,
        .family_count = 1,
        .queue_count = 1,
        .limits = {.maxVertexOutputComponents = 128,
                   .maxFragmentInputComponents = 128,
                   .maxStorageBufferRange = 1u << 30,
                   .maxPushConstantsSize = 128,
                   .nonCoherentAtomSize = 64,
                   .maxPerStageDescriptorSamplers = 1u << 20,
                   .maxPerStageDescriptorUniformBuffers = 1u << 20,
                   .maxPerStageDescriptorStorageBuffers = 1u << 20,
                   .maxPerStageDescriptorSampledImages = 1u << 20,
                   .maxPerStageDescriptorStorageImages = 1u << 20,
                   .maxPerStageResources = 1u << 20,
                   .maxComputeWorkGroupCount = {65535, 65535, 65535}},
    };
}

void fake_reset(const struct fake_config *config)
{
    while (fake.objects) {
        struct fake_object *next = fake.objects->next;
        free(fake.objects);
        fake.objects = next;
    }
    free(fake_log);
    fake_log = NULL;
    fake_log_count = 0;
    fake = (struct fake_state){.config = config ? *config : fake_default_config(),
                               .next_handle = 0x1000};
    fake_instance_created = fake_device_created = (struct fake_created){0};
}

void fake_change(const struct fake_config *config)
{
    fake.config = *config;
}

struct fake_object *fake_new_object(const void *key)
{
    struct fake_object *object = calloc(1, sizeof(*object));
    if (!object)
        fake_die("out of memory");
    object->key = key ? key : object;
    object->next = fake.objects;
    fake.objects = object;
    return object;
}

void fake_free_object(void *handle)
{
    for (struct fake_object **link = &fake.objects; *link; link = &(*link)->next) {
        if (*link == handle) {
            *link = (*link)->next;
            free(handle);
            return;
        }
    }
    fake_die("an object that is not alive was destroyed");
}

size_t fake_live_handles(void)
{
    return fake.live;
}

uint64_t fake_new_handle(void)
{
    fake.live++;
    return fake.next_handle += 0x10;
}

void fake_release_handle(uint64_t handle)
{
    if (handle)
        fake.live--;
}

uint64_t fake_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* -- log and failures -- */

void fake_log_clear(void)
{
    fake_log_count = 0;
}

void fake_record(const char *name, unsigned count, const uint64_t *arguments)
{
    if (count > FAKE_MAX_ARGUMENTS)
        fake_die("too many arguments");
    if (fake_log_count == fake.log_capacity) {
        fake.log_capacity = fake.log_capacity ? 2 * fake.log_capacity : 64;
        fake_log = realloc(fake_log, fake.log_capacity * sizeof(*fake_log));
        if (!fake_log)
            fake_die("out of memory");
    }
    struct fake_call *call = &fake_log[fake_log_count++];
    *call = (struct fake_call){.name = name, .count = count};
    memcpy(call->arguments, arguments, count * sizeof(*arguments));
}

const struct fake_call *fake_log_find(const char *name, size_t n)
{
    for (size_t i = 0; i < fake_log_count; i++) {
        if (strcmp(fake_log[i].name, name) == 0 && n-- == 0)
            return &fake_log[i];
    }
    return NULL;
}

size_t fake_log_count_of(const char *name)
{
    size_t count = 0;
    while (fake_log_find(name, count))
        count++;
    return count;
}

void fake_fail_after(unsigned n, VkResult result)
{
    fake.fail_countdown = n;
    fake.fail_result = result;
    fake.failed = false;
}

bool fake_has_failed(void)
{
    return fake.failed;
}

VkResult fake_result(void)
{
    if (fake.fail_countdown == 0 || --fake.fail_countdown > 0)
        return VK_SUCCESS;
    fake.failed = true;
    return fake.fail_result;
}

/* -- through the layer -- */

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

VkDevice fake_open_geometry_device(VkInstance instance)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = &features};
    VkDevice device;
    if (fake_create_device(instance, fake_first_physical_device(instance), &info, &device) !=
        VK_SUCCESS)
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
