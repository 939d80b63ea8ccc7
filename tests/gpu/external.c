/* SPDX-License-Identifier: MIT
 *
 * Buffers in external memory: emulated draws read vertices, indices and arguments from them and
 * capture to them. The memory is exported and imported again, through a file descriptor, or with
 * --host it is the program's own (VK_EXT_external_memory_host).
 */
#include "gpu/xfb.h"

#include "move_capture_geom.h"
#include "move_geom.h"
#include "move_vert.h"
#include "xfb_geometry_frag.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u
#define ITEMS 24u
#define CAPTURE_B 4096u

struct item {
    uint32_t number, value, x, y;
};

/* What the draws read. */
struct input {
    struct item items[ITEMS];
    VkDrawIndexedIndirectCommand arguments;
    uint16_t indices[ITEMS];
};

/* A buffer, and the same memory as the other side sees it. */
struct shared {
    VkBuffer buffer;
    void *map;
};

struct suite {
    struct vkt t;
    bool host;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline show, capture;
    struct shared input, captured;
};

static VkExternalMemoryHandleTypeFlagBits handle_type(const struct suite *s)
{
    return s->host ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
                   : VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
}

static void expect_support(struct suite *s, VkBufferUsageFlags usage)
{
    const VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = usage,
        .handleType = handle_type(s),
    };
    VkExternalBufferProperties properties = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(s->t.physical, &info, &properties);
    const VkExternalMemoryFeatureFlags features =
        properties.externalMemoryProperties.externalMemoryFeatures;
    VKT_EXPECT(&s->t, features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
               "usage %x cannot be imported", usage);
    VKT_EXPECT(&s->t, s->host || (features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT),
               "usage %x cannot be exported", usage);
}

static VkBuffer make_buffer(struct suite *s, VkDeviceSize size_B, VkBufferUsageFlags usage,
                            VkMemoryRequirements *needs)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = handle_type(s),
    };
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = size_B,
        .usage = usage,
    };
    VkBuffer buffer;
    VKT_CALL(vkCreateBuffer(s->t.device, &info, NULL, &buffer));
    vkGetBufferMemoryRequirements(s->t.device, buffer, needs);
    return buffer;
}

/* Coherent memory that the host sees, of the types in the mask. */
static uint32_t memory_type(const struct suite *s, uint32_t types)
{
    const VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < s->t.memory.memoryTypeCount; i++)
        if ((types >> i & 1) && (s->t.memory.memoryTypes[i].propertyFlags & want) == want)
            return i;
    vkt_die("no coherent memory of these types: %x", types);
}

static VkDeviceMemory bind(struct suite *s, VkBuffer buffer, const void *next, VkDeviceSize size_B,
                           uint32_t type)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = next,
        .allocationSize = size_B,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(s->t.device, &info, NULL, &memory));
    vkt_defer(&s->t, vkt_free_memory, (uint64_t)memory);
    vkt_defer(&s->t, vkt_destroy_buffer, (uint64_t)buffer);
    VKT_CALL(vkBindBufferMemory(s->t.device, buffer, memory, 0));
    return memory;
}

static struct shared share_own(struct suite *s, VkDeviceSize size_B, VkBufferUsageFlags usage)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &host};
    vkGetPhysicalDeviceProperties2(s->t.physical, &properties);
    VkMemoryRequirements needs;
    struct shared shared = {.buffer = make_buffer(s, size_B, usage, &needs)};
    const VkDeviceSize step_B = host.minImportedHostPointerAlignment;
    const VkDeviceSize whole_B = (needs.size + step_B - 1) / step_B * step_B;
    shared.map = aligned_alloc(step_B, whole_B);
    if (!shared.map)
        vkt_die("out of memory");
    VkMemoryHostPointerPropertiesEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VKT_CALL(
        vkGetMemoryHostPointerPropertiesEXT(s->t.device, handle_type(s), shared.map, &pointer));
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = handle_type(s),
        .pHostPointer = shared.map,
    };
    bind(s, shared.buffer, &import, whole_B,
         memory_type(s, needs.memoryTypeBits & pointer.memoryTypeBits));
    return shared;
}

static struct shared share_exported(struct suite *s, VkDeviceSize size_B, VkBufferUsageFlags usage)
{
    VkMemoryRequirements needs;
    const VkBuffer other = make_buffer(s, size_B, usage, &needs);
    struct shared shared = {.buffer = make_buffer(s, size_B, usage, &needs)};
    const uint32_t type = memory_type(s, needs.memoryTypeBits);
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = handle_type(s),
    };
    const VkDeviceMemory memory = bind(s, other, &export, needs.size, type);
    VKT_CALL(vkMapMemory(s->t.device, memory, 0, VK_WHOLE_SIZE, 0, &shared.map));
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory,
        .handleType = handle_type(s),
    };
    VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = handle_type(s),
    };
    VKT_CALL(vkGetMemoryFdKHR(s->t.device, &get, &import.fd));
    bind(s, shared.buffer, &import, needs.size, type);
    return shared;
}

static struct shared share(struct suite *s, VkDeviceSize size_B, VkBufferUsageFlags usage)
{
    expect_support(s, usage);
    return s->host ? share_own(s, size_B, usage) : share_exported(s, size_B, usage);
}

static void make_input(struct suite *s)
{
    s->input = share(s, sizeof(struct input),
                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                         VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    struct input *input = s->input.map;
    for (uint32_t i = 0; i < ITEMS; i++) {
        input->items[i] = (struct item){i, 1000 + i, (i * 7) % SIDE_PX, 2 * i};
        input->indices[i] = (uint16_t)(ITEMS - 1 - i);
    }
    input->arguments = (VkDrawIndexedIndirectCommand){ITEMS - 3, 1, 1, 0, 0};
}

static VkPipeline pipeline(struct suite *s, struct vkt_code gs)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct item),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(move_vert),
        .gs = gs,
        .fs = VKT_CODE(xfb_geometry_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void record(struct suite *s, VkCommandBuffer cmd)
{
    const struct item change = {0, 5, 3, 1};
    const struct xfb_range range = {s->captured.buffer, 0, CAPTURE_B};
    const VkDeviceSize zero = 0;
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), &change);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->input.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->input.buffer, offsetof(struct input, indices),
                         VK_INDEX_TYPE_UINT16);
    xfb_bind(cmd, 0, 1, &range);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->capture);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDrawIndexed(cmd, ITEMS, 1, 0, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->show);
    vkCmdDrawIndexedIndirect(cmd, s->input.buffer, offsetof(struct input, arguments), 1,
                             sizeof(VkDrawIndexedIndirectCommand));
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    /* What was captured is drawn in another pass, where vertices are moved once more. */
    vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->captured.buffer, &zero);
    vkCmdDraw(cmd, ITEMS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
}

int main(int argc, char **argv)
{
    static struct suite s;
    static const struct vkt_extension fd[] = {{VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, NULL, 0},
                                              {NULL, NULL, 0}},
                                      host[] = {
                                          {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME, NULL, 0},
                                          {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("gpu-external", argc, argv);
    s.host = vkt_flag(&options, "--host");
    options.extensions = s.host ? host : fd;
    options.xfb = true;
    vkt_init(&s.t, &options);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct item)};
    s.target = xfb_target(&s.t, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.show = pipeline(&s, VKT_CODE(move_geom));
    s.capture = pipeline(&s, VKT_CODE(move_capture_geom));
    make_input(&s);
    s.captured = share(&s, CAPTURE_B,
                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                           VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    memset(s.captured.map, XFB_FILL, CAPTURE_B);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, 0);
    record(&s, cmd);
    vkt_submit(&s.t, cmd);
    const struct item *captured = s.captured.map;
    VKT_EXPECT(&s.t, captured[0].value >= 1000 && captured[0].value < 2000, "captured %u",
               captured[0].value);
    vkt_dump_buffer(&s.t, "captured", s.captured.map, CAPTURE_B);
    xfb_dump_target(&s.t, &s.target, "image");
    void *own[2] = {s.host ? s.input.map : NULL, s.host ? s.captured.map : NULL};
    const int status = vkt_finish(&s.t);
    free(own[0]);
    free(own[1]);
    return status;
}
