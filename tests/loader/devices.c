/* SPDX-License-Identifier: MIT
 *
 * Creates devices with geometryShader on the first physical device of the loader, in each version
 * and in each struct that the feature can come in; with the argument "feedback", devices with
 * transform feedback and with both as well. Fails when one cannot be had, or when the validation
 * layer below says a word.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static unsigned complaints;

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *user)
{
    (void)severity;
    (void)user;
    if (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) {
        fprintf(stderr, "%s\n", data->pMessage);
        complaints++;
    }
    return VK_FALSE;
}

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, (int)result);
        exit(1);
    }
}

enum form { ENABLED_FEATURES, FEATURES_2, CORE_STRUCTS, NOTHING, FORM_COUNT };

static void try_device(VkPhysicalDevice physical, uint32_t version, enum form form)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .features = {.geometryShader = VK_TRUE}};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    if ((form == FEATURES_2 && version < VK_API_VERSION_1_1) ||
        (form == CORE_STRUCTS && version < VK_API_VERSION_1_2))
        return;
    if (form == ENABLED_FEATURES)
        info.pEnabledFeatures = &features.features;
    if (form == FEATURES_2 || form == CORE_STRUCTS)
        info.pNext = &features;
    if (form == CORE_STRUCTS)
        features.pNext = &core;
    VkDevice device;
    check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice");
    const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = 64,
                                            .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
    VkBuffer buffer;
    check(vkCreateBuffer(device, &buffer_info, NULL, &buffer), "vkCreateBuffer");
    vkDestroyBuffer(device, buffer, NULL);
    vkDestroyDevice(device, NULL);
}

/* All commands of transform feedback are there. */
static void check_commands(VkDevice device, VkInstance instance)
{
    static const char *const names[] = {"vkCmdBindTransformFeedbackBuffersEXT",
                                        "vkCmdBeginTransformFeedbackEXT",
                                        "vkCmdEndTransformFeedbackEXT",
                                        "vkCmdBeginQueryIndexedEXT",
                                        "vkCmdEndQueryIndexedEXT",
                                        "vkCmdDrawIndirectByteCountEXT"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!vkGetDeviceProcAddr(device, names[i]) || !vkGetInstanceProcAddr(instance, names[i])) {
            fprintf(stderr, "%s: entry points\n", names[i]);
            exit(1);
        }
    }
}

/* Transform feedback with its queries, with and without geometry shaders. */
static void try_xfb(VkInstance instance, VkPhysicalDevice physical, VkBool32 geometry)
{
    static const char *const names[] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                        VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME,
                                        VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
        .provokingVertexLast = VK_TRUE,
        .transformFeedbackPreservesProvokingVertex = VK_TRUE};
    VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
        .pNext = &provoking,
        .primitivesGeneratedQuery = VK_TRUE,
        .primitivesGeneratedQueryWithRasterizerDiscard = VK_TRUE,
        .primitivesGeneratedQueryWithNonZeroStreams = VK_TRUE};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = &generated,
        .transformFeedback = VK_TRUE,
        .geometryStreams = geometry};
    const VkPhysicalDeviceFeatures features = {.geometryShader = geometry};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &capture,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 3,
                                     .ppEnabledExtensionNames = names,
                                     .pEnabledFeatures = &features};
    VkDevice device;
    check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice with transform feedback");
    check_commands(device, instance);
    vkDestroyDevice(device, NULL);
}

#ifdef VK_EXT_shader_object
static bool has_objects(VkPhysicalDevice physical)
{
    static VkExtensionProperties list[512];
    uint32_t count = sizeof(list) / sizeof(list[0]);
    check(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list),
          "vkEnumerateDeviceExtensionProperties");
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, VK_EXT_SHADER_OBJECT_EXTENSION_NAME) == 0)
            return true;
    return false;
}

/* VK_EXT_shader_object brings commands that set state of extensions which were not enabled. */
static void try_objects(VkPhysicalDevice physical)
{
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    static const char *const names[] = {
        "vkCmdSetColorBlendAdvancedEXT",
        "vkCmdSetConservativeRasterizationModeEXT",
        "vkCmdSetCoverageModulationModeNV",
        "vkCmdSetCoverageModulationTableEnableNV",
        "vkCmdSetCoverageModulationTableNV",
        "vkCmdSetCoverageReductionModeNV",
        "vkCmdSetCoverageToColorEnableNV",
        "vkCmdSetCoverageToColorLocationNV",
        "vkCmdSetDepthClipEnableEXT",
        "vkCmdSetDepthClipNegativeOneToOneEXT",
        "vkCmdSetExtraPrimitiveOverestimationSizeEXT",
        "vkCmdSetLineRasterizationModeEXT",
        "vkCmdSetLineStippleEnableEXT",
        "vkCmdSetPolygonModeEXT",
        "vkCmdSetProvokingVertexModeEXT",
        "vkCmdSetRasterizationSamplesEXT",
        "vkCmdSetRasterizationStreamEXT",
        "vkCmdSetRepresentativeFragmentTestEnableNV",
        "vkCmdSetSampleLocationsEnableEXT",
        "vkCmdSetShadingRateImageEnableNV",
        "vkCmdSetTessellationDomainOriginEXT",
        "vkCmdSetVertexInputEXT",
        "vkCmdSetViewportSwizzleNV",
        "vkCmdSetViewportWScalingEnableNV",
    };
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .pNext = &core,
        .shaderObject = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &objects,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = extensions,
                                     .pEnabledFeatures = &features};
    VkDevice device;
    check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice with shader objects");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!vkGetDeviceProcAddr(device, names[i])) {
            fprintf(stderr, "%s: no entry point\n", names[i]);
            complaints++;
        }
    }
    vkDestroyDevice(device, NULL);
}
#endif

/* A program that enables nothing, and calls what it finds nevertheless. */
static void try_found(void)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance;
    check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance of 1.0");
    VkPhysicalDevice physical;
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        check(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
    const PFN_vkGetPhysicalDeviceFeatures2 get_features =
        (PFN_vkGetPhysicalDeviceFeatures2)vkGetInstanceProcAddr(instance,
                                                                "vkGetPhysicalDeviceFeatures2KHR");
    const PFN_vkGetPhysicalDeviceMemoryProperties2 get_memory =
        (PFN_vkGetPhysicalDeviceMemoryProperties2)vkGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceMemoryProperties2KHR");
    const PFN_vkEnumeratePhysicalDeviceGroups enumerate =
        (PFN_vkEnumeratePhysicalDeviceGroups)vkGetInstanceProcAddr(
            instance, "vkEnumeratePhysicalDeviceGroupsKHR");
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    if (get_features)
        get_features(physical, &features);
    if (get_memory)
        get_memory(physical, &memory);
    if (enumerate)
        check(enumerate(instance, &count, NULL), "vkEnumeratePhysicalDeviceGroupsKHR");
    vkDestroyInstance(instance, NULL);
}

static void try_version(uint32_t version, bool xfb)
{
    static const char *const extensions[] = {
        VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = hear};
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = version};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &messenger,
                                       .pApplicationInfo = &app,
                                       .enabledExtensionCount = 2,
                                       .ppEnabledExtensionNames = extensions};
    VkInstance instance;
    check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
    const PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    const PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
            instance, "vkDestroyDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerEXT handle;
    check(create(instance, &messenger, NULL, &handle), "vkCreateDebugUtilsMessengerEXT");
    VkPhysicalDevice physical;
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        check(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
    for (enum form form = 0; form < FORM_COUNT; form++)
        try_device(physical, version, form);
    for (VkBool32 geometry = 0; xfb && geometry < 2; geometry++)
        try_xfb(instance, physical, geometry);
#ifdef VK_EXT_shader_object
    if (version >= VK_API_VERSION_1_3 && has_objects(physical))
        try_objects(physical);
#endif
    destroy(instance, handle, NULL);
    vkDestroyInstance(instance, NULL);
}

int main(int argc, char **argv)
{
    const bool xfb = argc > 1 && strcmp(argv[1], "feedback") == 0;
    static const uint32_t versions[] = {VK_API_VERSION_1_0, VK_API_VERSION_1_1, VK_API_VERSION_1_2,
                                        VK_API_VERSION_1_3};
    try_found();
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        try_version(versions[i], xfb);
    if (complaints > 0)
        fprintf(stderr, "%u complaints\n", complaints);
    return complaints > 0;
}
