/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#define COLOR_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define LAYER_NAME "VK_LAYER_poly_gs"

static void make_image(struct bench_device *d)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = COLOR_FORMAT,
        .extent = {BENCH_SIDE_PX, BENCH_SIDE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = BENCH_LAYERS,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VKT_CALL(vkCreateImage(d->t.device, &info, NULL, &d->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(d->t.device, d->image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) ||
           !(d->t.memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
        if (++type == d->t.memory.memoryTypeCount)
            vkt_die("no device-local memory for images");
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VKT_CALL(vkAllocateMemory(d->t.device, &allocate, NULL, &d->memory));
    VKT_CALL(vkBindImageMemory(d->t.device, d->image, d->memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = d->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = COLOR_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, BENCH_LAYERS},
    };
    VKT_CALL(vkCreateImageView(d->t.device, &view, NULL, &d->view));
}

/* load: the attachment as a pass before it left it; otherwise it is cleared. */
static VkRenderPass make_pass(const struct bench_device *d, bool load)
{
    const VkAttachmentDescription attachment = {
        .format = COLOR_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout =
            load ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(d->t.device, &info, NULL, &pass));
    return pass;
}

static void make_passes(struct bench_device *d)
{
    d->pass = make_pass(d, false);
    d->load_pass = make_pass(d, true);
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = d->pass,
        .attachmentCount = 1,
        .pAttachments = &d->view,
        .width = BENCH_SIDE_PX,
        .height = BENCH_SIDE_PX,
        .layers = BENCH_LAYERS,
    };
    VKT_CALL(vkCreateFramebuffer(d->t.device, &framebuffer, NULL, &d->framebuffer));
}

/* [with the layer][forced], made when first needed. Devices come and go for each row, and a driver
 * that is loaded with each of them may run out of what it takes of the process: NVIDIA's is found
 * no more after some thirty times. */
static VkInstance instances[2][2];

static VkInstance instance_of(const struct vkt_options *options, bool layer, bool force)
{
    VkInstance *instance = &instances[layer][force];
    if (!*instance)
        *instance = vkt_instance(options);
    return *instance;
}

void bench_instances_finish(void)
{
    for (uint32_t i = 0; i < 4; i++)
        if (instances[i / 2][i % 2])
            vkDestroyInstance(instances[i / 2][i % 2], NULL);
}

void bench_device_init(struct bench_device *d, const char *name,
                       const struct bench_options *options, bool layer, bool force)
{
    *d = (struct bench_device){.name = name};
    struct vkt_options base = options->base;
    char layers[256] = "";
    snprintf(layers, sizeof(layers), "%s%s%s", layer ? LAYER_NAME : "",
             layer && base.layers ? ":" : "", base.layers ? base.layers : "");
    base.layers = layers;
    setenv("VK_POLY_GS_FORCE", force ? "1" : "0", 1);
    base.instance = instance_of(&base, layer, force);
    vkt_init(&d->t, &base);
    d->t.options.layers = NULL;
    volkLoadDeviceTable(&d->vk, d->t.device);
    if (d->t.timestamp_bits) {
        const VkQueryPoolCreateInfo queries = {
            .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
            .queryType = VK_QUERY_TYPE_TIMESTAMP,
            .queryCount = 2,
        };
        VKT_CALL(vkCreateQueryPool(d->t.device, &queries, NULL, &d->timestamps));
    }
    make_image(d);
    make_passes(d);
    d->readback = vkt_buffer(&d->t, (VkDeviceSize)BENCH_SIDE_PX * BENCH_SIDE_PX * 4 * BENCH_LAYERS,
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
}

/* Whether the driver has geometry shaders without the layer. */
static bool has_geometry(const struct bench_options *options)
{
    const VkInstance instance = instance_of(&options->base, false, false);
    VkPhysicalDevice device;
    VkPhysicalDeviceFeatures features = {0};
    uint32_t count = 1;
    volkLoadInstance(instance);
    vkEnumeratePhysicalDevices(instance, &count, &device);
    if (count == 1)
        vkGetPhysicalDeviceFeatures(device, &features);
    return features.geometryShader;
}

int bench_device_finish(struct bench_device *d)
{
    VKT_CALL(vkDeviceWaitIdle(d->t.device));
    vkDestroyFramebuffer(d->t.device, d->framebuffer, NULL);
    vkDestroyRenderPass(d->t.device, d->pass, NULL);
    vkDestroyRenderPass(d->t.device, d->load_pass, NULL);
    vkDestroyImageView(d->t.device, d->view, NULL);
    vkDestroyImage(d->t.device, d->image, NULL);
    vkFreeMemory(d->t.device, d->memory, NULL);
    vkDestroyQueryPool(d->t.device, d->timestamps, NULL);
    return vkt_finish(&d->t);
}

void bench_devices_init(struct bench_device *devices[2], const struct bench_options *options,
                        struct bench_report **report)
{
    static struct bench_device native, emulated;
    devices[0] = options->native ? &native : NULL;
    devices[1] = options->emulated ? &emulated : NULL;
    if (devices[0]) {
        struct bench_options own = *options;
        own.base.without_geometry = options->by_hand && !has_geometry(options);
        bench_device_init(&native, "native", &own, false, false);
        native.by_hand = own.base.without_geometry;
    }
    if (devices[1])
        bench_device_init(&emulated, "emulated", options, true, true);
    if (!*report)
        *report = bench_report_create(options->json_path,
                                      (devices[0] ? &native : &emulated)->t.properties.deviceName);
}

void bench_devices_finish(struct bench_device *devices[2])
{
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i])
            bench_device_finish(devices[i]);
}

void bench_begin_pass(const struct bench_device *d, VkCommandBuffer cmd, bool load)
{
    const VkClearValue clear = {{{0}}};
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = load ? d->load_pass : d->pass,
        .framebuffer = d->framebuffer,
        .renderArea = {{0, 0}, {BENCH_SIDE_PX, BENCH_SIDE_PX}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    d->vk.vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

void bench_read(struct bench_device *d)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, BENCH_LAYERS},
        .imageExtent = {BENCH_SIDE_PX, BENCH_SIDE_PX, 1},
    };
    VkCommandBuffer cmd = vkt_commands(&d->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_image_barrier(
        cmd, d->image, (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, BENCH_LAYERS},
        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(cmd, d->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, d->readback.buffer,
                           1, &region);
    vkt_barrier_all(cmd);
    vkt_submit(&d->t, cmd);
    vkFreeCommandBuffers(d->t.device, d->t.pool, 1, &cmd);
}

uint32_t bench_differing_pixels(struct bench_device *a, struct bench_device *b)
{
    bench_read(a);
    bench_read(b);
    const uint32_t *x = a->readback.map, *y = b->readback.map;
    uint32_t count = 0;
    for (uint32_t i = 0; i < BENCH_SIDE_PX * BENCH_SIDE_PX * BENCH_LAYERS; i++)
        count += x[i] != y[i];
    return count;
}
