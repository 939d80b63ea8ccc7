/* SPDX-License-Identifier: MIT */
#include "common/vkt_instance.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LAYERS 8

struct layers {
    char list[512]; /* the names, each with its end */
    const char *name[MAX_LAYERS];
    uint32_t count;
    const char *validation; /* the one that is it, or NULL */
};

/* What is no mistake of ours. */
static bool is_mistaken(const char *message)
{
    static const char *const known[] = {
        /* Mesa warns of what GLSL's `invariant gl_Position` becomes, which is allowed. */
        "Decoration not allowed on struct members: SpvDecorationInvariant",
        /* Mesa 25 warns of every samplerBuffer, which only SPIR-V 1.6 forbids. */
        "OpTypeSampledImage should not have a Dim of Buffer",
        /* The validation layer of 1.4.309 forgets the views of pipelines that discard. */
        "viewMask (0x0) must be equal to VkRenderingInfo::viewMask",
        /* The same one counts the buffers of the last call only, if they are bound one by one. */
        "but vkCmdBindTransformFeedbackBuffersEXT only bound 1 buffers",
        /* And it asks for sets where a pipeline uses none, if descriptor buffers are bound. */
        ("requires a VkDescriptorSet (because it was not created with "
         "VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)"),
        /* The validation layer of 1.4.363 adds the distances that a stage takes to those that it
         * hands on. */
        "shader [VK_SHADER_STAGE_GEOMETRY_BIT] has a ClipDistance BuiltIn array size of",
        "shader [VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT] has a ClipDistance BuiltIn array size "
        "of",
        ("shader [VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT] has a ClipDistance BuiltIn array "
         "size of"),
        /* It warns of an array without elements, which a set may have. */
        ("but no VkDescriptorSetVariableDescriptorCountAllocateInfo was provided and the effective "
         "descriptorCount for the binding is now zero"),
        /* The one of 1.4.309 loses what was acquired where several threads present with a queue. */
        "WRITE_AFTER_PRESENT hazard detected. vkQueuePresentKHR presents",
        /* Undefined by the specification, and ignored by all drivers. */
        ("writes to Layer (gl_Layer) but the framebuffer was created with "
         "VkFramebufferCreateInfo::layer of 1,"),
    };
    /* The validation layer of 1.4.363 does not see that the feature of VK_EXT_buffer_device_address
     * is enabled, which meets the other requirement that it names. */
    static const char address[] = "VkPhysicalDeviceBufferDeviceAddressFeaturesEXT::"
                                  "bufferDeviceAddress)";
    const char *profile = getenv("PGS_TEST_PROFILE");
    for (size_t i = 0; i < VKT_COUNT(known); i++) {
        if (strstr(message, known[i]))
            return true;
    }
    return profile && strncmp(profile, "ext_address", 11) == 0 && strstr(message, address);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    struct vkt *t = user;
    (void)severity;
    (void)types;
    if (is_mistaken(data->pMessage))
        return VK_FALSE;
    const unsigned shown = 20;
    const unsigned number = __atomic_add_fetch(&t->message_count, 1, __ATOMIC_RELAXED);
    if (number <= shown)
        fprintf(stderr, "validation: %s: %s\n", data->pMessageIdName ? data->pMessageIdName : "",
                data->pMessage);
    return VK_FALSE;
}

static bool has_instance_extension(const char *layer, const char *name)
{
    VkExtensionProperties list[128];
    uint32_t count = VKT_COUNT(list);
    const VkResult result = vkEnumerateInstanceExtensionProperties(layer, &count, list);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

static void split_layers(const struct vkt_options *options, struct layers *layers)
{
    *layers = (struct layers){.count = 0};
    snprintf(layers->list, sizeof(layers->list), "%s", options->layers ? options->layers : "");
    char *state = NULL;
    for (char *s = strtok_r(layers->list, ":", &state); s && layers->count < MAX_LAYERS;
         s = strtok_r(NULL, ":", &state)) {
        layers->name[layers->count++] = s;
        if (strstr(s, "validation"))
            layers->validation = s;
    }
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_of(struct vkt *t)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = t,
    };
}

/* messenger: of what happens while the instance is made and destroyed; may be NULL. */
static VkInstance create_instance(const struct vkt_options *options,
                                  const VkDebugUtilsMessengerCreateInfoEXT *messenger)
{
    struct layers layers;
    split_layers(options, &layers);
    const char *extensions[4];
    uint32_t extension_count = 0;
    if (options->surfaces && has_instance_extension(NULL, VK_KHR_SURFACE_EXTENSION_NAME))
        extensions[extension_count++] = VK_KHR_SURFACE_EXTENSION_NAME;
    if (options->surfaces && has_instance_extension(NULL, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME))
        extensions[extension_count++] = VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME;
    const bool has_features =
        layers.validation &&
        has_instance_extension(layers.validation, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    if (layers.validation)
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (has_features)
        extensions[extension_count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

    const VkValidationFeatureEnableEXT sync =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const void *next = layers.validation ? messenger : NULL;
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = next,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = &sync,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = options->name,
        .apiVersion = options->api_version ? options->api_version : VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = has_features ? &features : next,
        .pApplicationInfo = &application,
        .enabledLayerCount = layers.count,
        .ppEnabledLayerNames = layers.name,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkInstance instance;
    const VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        vkt_skip("no Vulkan driver");
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        vkt_die("no such layers: %s (VK_ADD_LAYER_PATH?)", options->layers);
    VKT_CALL(result);
    return instance;
}

static void load(void)
{
    if (volkInitialize() != VK_SUCCESS)
        vkt_skip("no Vulkan loader");
}

VkInstance vkt_instance(const struct vkt_options *options)
{
    load();
    const VkInstance instance = create_instance(options, NULL);
    volkLoadInstance(instance); /* vkDestroyInstance, too */
    return instance;
}

void vkt_instance_init(struct vkt *t)
{
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_of(t);
    struct layers layers;
    split_layers(&t->options, &layers);
    load();
    t->instance =
        t->options.instance ? t->options.instance : create_instance(&t->options, &messenger);
    volkLoadInstance(t->instance);
    if (layers.validation)
        VKT_CALL(vkCreateDebugUtilsMessengerEXT(t->instance, &messenger, NULL, &t->messenger));
}

void vkt_instance_finish(struct vkt *t)
{
    if (t->messenger)
        vkDestroyDebugUtilsMessengerEXT(t->instance, t->messenger, NULL);
    if (!t->options.instance)
        vkDestroyInstance(t->instance, NULL);
}
