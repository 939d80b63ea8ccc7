/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"
#include "common/vkt_device.h"
#include "common/vkt_instance.h"
#include "common/vkt_undo.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
        else if (strcmp(argv[i], "--link") == 0)
            options.link = true;
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
    t->queue_max = families[i].queueCount;
}

void vkt_init(struct vkt *t, const struct vkt_options *options)
{
    *t = (struct vkt){.options = *options};
    vkt_instance_init(t);
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
    if (options->link)
        vkt_link_init(t);
    if (options->dump_path) {
        t->dump = fopen(options->dump_path, "wb");
        if (!t->dump)
            vkt_die("cannot write %s", options->dump_path);
        fputs("PGSD1\n", t->dump);
    }
}

int vkt_finish(struct vkt *t)
{
    vkt_undo(t, NULL);
    vkDestroyCommandPool(t->device, t->pool, NULL);
    vkDestroyDevice(t->device, NULL);
    vkt_instance_finish(t);
    if (t->dump && fclose(t->dump) != 0)
        vkt_die("cannot write %s", t->options.dump_path);
    if (t->message_count || t->failure_count) {
        fprintf(stderr, "%s: %u failed expectations, %u validation messages\n", t->options.name,
                t->failure_count, t->message_count);
        return VKT_EXIT_FAIL;
    }
    return 0;
}
