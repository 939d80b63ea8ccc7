/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"
#include "common/vkt_device.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAYERS 8
#define MAX_EXTENSIONS 32

struct vkt_cleanup {
    struct vkt_cleanup *next;
    void (*destroy)(struct vkt *t, uint64_t handle);
    uint64_t handle;
};

struct names {
    const char *name[MAX_EXTENSIONS];
    uint32_t count;
};

void vkt_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(VKT_EXIT_FAIL);
}

void vkt_skip(const char *why)
{
    fprintf(stderr, "skipped: %s\n", why);
    exit(VKT_EXIT_SKIP);
}

void vkt_call(VkResult result, const char *what, const char *file, int line)
{
    if (result != VK_SUCCESS)
        vkt_die("%s:%d: %s = %d", file, line, what, (int)result);
}

void vkt_fail(struct vkt *t, const char *file, int line, const char *format, ...)
{
    const unsigned shown = 20;
    if (t->failure_count++ >= shown)
        return;
    fprintf(stderr, "%s:%d: ", file, line);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

struct vkt_options vkt_parse(const char *name, int argc, char **argv)
{
    struct vkt_options options = {.name = name, .layers = getenv("PGS_TEST_LAYERS")};
    int rest = 1;
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "--dump") == 0)
            options.dump_path = argv[++i];
        else if (has_value && strcmp(argv[i], "--out") == 0)
            options.out_path = argv[++i];
        else if (has_value && strcmp(argv[i], "--layers") == 0)
            options.layers = argv[++i];
        else if (strcmp(argv[i], "--indirect") == 0)
            options.indirect = true;
        else
            argv[rest++] = argv[i];
    }
    options.rest = (const char *const *)argv + 1;
    options.rest_count = rest - 1;
    return options;
}

bool vkt_flag(const struct vkt_options *options, const char *word)
{
    for (int i = 0; i < options->rest_count; i++)
        if (strcmp(options->rest[i], word) == 0)
            return true;
    return false;
}

bool vkt_has_layer(const struct vkt_options *options, const char *part)
{
    return options->layers && strstr(options->layers, part);
}

void vkt_defer(struct vkt *t, void (*destroy)(struct vkt *, uint64_t), uint64_t handle)
{
    struct vkt_cleanup *entry = malloc(sizeof(*entry));
    if (!entry)
        vkt_die("out of memory");
    *entry = (struct vkt_cleanup){.next = t->cleanup, .destroy = destroy, .handle = handle};
    t->cleanup = entry;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    struct vkt *t = user;
    (void)severity;
    (void)types;
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

/* Splits `list` at ':' in place. */
static uint32_t split_layers(char *list, const char **layers)
{
    uint32_t count = 0;
    char *state = NULL;
    for (char *s = strtok_r(list, ":", &state); s && count < MAX_LAYERS;
         s = strtok_r(NULL, ":", &state))
        layers[count++] = s;
    return count;
}

static void create_instance(struct vkt *t)
{
    char list[512] = "";
    const char *layers[MAX_LAYERS];
    if (t->options.layers)
        snprintf(list, sizeof(list), "%s", t->options.layers);
    const uint32_t layer_count = split_layers(list, layers);

    bool validates = false, has_features = false;
    for (uint32_t i = 0; i < layer_count; i++) {
        if (strstr(layers[i], "validation") == NULL)
            continue;
        validates = true;
        has_features = has_instance_extension(layers[i], VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    }
    struct names extensions = {0};
    if (validates)
        extensions.name[extensions.count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (has_features)
        extensions.name[extensions.count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = t,
    };
    const VkValidationFeatureEnableEXT sync =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = &sync,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = t->options.name,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = has_features ? (const void *)&features
                 : validates  ? &messenger
                              : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = layer_count,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extensions.count,
        .ppEnabledExtensionNames = extensions.name,
    };
    const VkResult result = vkCreateInstance(&info, NULL, &t->instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        vkt_skip("no Vulkan driver");
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        vkt_die("no such layers: %s (VK_ADD_LAYER_PATH?)", t->options.layers);
    VKT_CALL(result);
    volkLoadInstance(t->instance);
    if (validates)
        VKT_CALL(vkCreateDebugUtilsMessengerEXT(t->instance, &messenger, NULL, &t->messenger));
}

static void choose_physical(struct vkt *t)
{
    VkPhysicalDevice devices[8];
    uint32_t count = VKT_COUNT(devices);
    const VkResult result = vkEnumeratePhysicalDevices(t->instance, &count, devices);
    if (count == 0 || (result != VK_SUCCESS && result != VK_INCOMPLETE))
        vkt_skip("no Vulkan device");
    t->physical = devices[0];
    vkGetPhysicalDeviceProperties(t->physical, &t->properties);
    vkGetPhysicalDeviceMemoryProperties(t->physical, &t->memory);

    VkQueueFamilyProperties families[16];
    uint32_t family_count = VKT_COUNT(families);
    vkGetPhysicalDeviceQueueFamilyProperties(t->physical, &family_count, families);
    const VkQueueFlags need = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t i = 0;
    while (i < family_count && (families[i].queueFlags & need) != need)
        i++;
    if (i == family_count)
        vkt_skip("no queue with graphics and compute");
    t->queue_family = i;
    t->timestamp_bits = families[i].timestampValidBits;
}

void vkt_init(struct vkt *t, const struct vkt_options *options)
{
    *t = (struct vkt){.options = *options};
    if (volkInitialize() != VK_SUCCESS)
        vkt_skip("no Vulkan loader");
    create_instance(t);
    choose_physical(t);
    vkt_device_create(t);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = t->queue_family,
    };
    VKT_CALL(vkCreateCommandPool(t->device, &pool, NULL, &t->pool));
    if (options->indirect)
        vkt_indirect_init(t);
    if (options->dump_path) {
        t->dump = fopen(options->dump_path, "wb");
        if (!t->dump)
            vkt_die("cannot write %s", options->dump_path);
        fputs("PGSD1\n", t->dump);
    }
}

int vkt_finish(struct vkt *t)
{
    VKT_CALL(vkDeviceWaitIdle(t->device));
    while (t->cleanup) {
        struct vkt_cleanup *entry = t->cleanup;
        t->cleanup = entry->next;
        entry->destroy(t, entry->handle);
        free(entry);
    }
    vkDestroyCommandPool(t->device, t->pool, NULL);
    vkDestroyDevice(t->device, NULL);
    if (t->messenger)
        vkDestroyDebugUtilsMessengerEXT(t->instance, t->messenger, NULL);
    vkDestroyInstance(t->instance, NULL);
    if (t->dump && fclose(t->dump) != 0)
        vkt_die("cannot write %s", t->options.dump_path);
    if (t->message_count || t->failure_count) {
        fprintf(stderr, "%s: %u failed expectations, %u validation messages\n", t->options.name,
                t->failure_count, t->message_count);
        return VKT_EXIT_FAIL;
    }
    return 0;
}

void vkt_dump_buffer(struct vkt *t, const char *name, const void *bytes, size_t size_B)
{
    if (!t->dump)
        return;
    fprintf(t->dump, "buffer %s %zu\n", name, size_B);
    if (fwrite(bytes, 1, size_B, t->dump) != size_B)
        vkt_die("cannot write %s", t->options.dump_path);
}

void vkt_dump_image(struct vkt *t, const char *name, const void *texels, uint32_t width_px,
                    uint32_t height_px, uint32_t texel_size_B)
{
    if (!t->dump)
        return;
    const size_t size_B = (size_t)width_px * height_px * texel_size_B;
    fprintf(t->dump, "image %s %zu %u %u %u\n", name, size_B, width_px, height_px, texel_size_B);
    if (fwrite(texels, 1, size_B, t->dump) != size_B)
        vkt_die("cannot write %s", t->options.dump_path);
}
