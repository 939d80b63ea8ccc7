/* SPDX-License-Identifier: MIT
 *
 * Stores and atomics of vertex shaders in pipelines without a geometry shader: on buffers, images,
 * texel buffers and by pointer, of every topology, indexed, with restarts and instances, with
 * discard, captured and counted, in secondaries, in order with draws of the same pass that read
 * what was stored before it is overwritten; and shaders that only declare what could be written.
 * --no-pointers: without addresses of buffers, which programs below Vulkan 1.2 do not have.
 */
#include "common/vkt.h"
#include "gpu/xfb.h"

#include <string.h>

#include "stores_frag.h"
#include "stores_geom.h"
#include "stores_vert_0.h"
#include "stores_vert_1.h"
#include "stores_vert_2.h"
#include "stores_vert_3.h"
#include "stores_vert_4.h"
#include "stores_vert_5.h"
#include "value_frag.h"

#define SIDE_PX 256u
#define WORDS 4096u
#define COUNTERS 16u
#define IMAGE_PX 64u
#define VERTICES 32u
#define INDICES 28u
#define RESTART 0xffffu
#define LATER_STAGES                                                                               \
    (VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT |                 \
     VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT)

enum kind { BUFFERS, IMAGES, POINTERS, DECLARES, READS, CAPTURES };
static const char *const topology_names[] = {"points",    "lines",          "line-strip",
                                             "triangles", "triangle-strip", "triangle-fan"};
static const char cuts[] = ".....x.......x........x....x";

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkRenderPass ordered; /* as the target's; stores and reads of its draws may be ordered */
    struct vkt_buffer tags, indices, words, counters, pointed, texels, captured;
    struct vkt_image image;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkDeviceAddress pointer; /* 0: there are none */
    VkQueryPool statistics;  /* VK_NULL_HANDLE: the driver and the layer have none */
};

/* --- Draws --- */

struct push {
    uint32_t place, draw, counts, band;
    uint64_t pointer;
};

struct choice {
    enum kind kind;
    int topology;
    bool geometry, restart, discard, reads_last; /* the last: in the fragment shader, too */
    uint32_t shift;
};

static VkPipeline make_pipeline(struct suite *s, const struct choice *c)
{
    const struct vkt_code codes[] = {
        [BUFFERS] = VKT_CODE(stores_vert_0),  [IMAGES] = VKT_CODE(stores_vert_1),
        [POINTERS] = VKT_CODE(stores_vert_2), [DECLARES] = VKT_CODE(stores_vert_3),
        [READS] = VKT_CODE(stores_vert_4),    [CAPTURES] = VKT_CODE(stores_vert_5),
    };
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, &c->shift};
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = codes[c->kind],
        .vs_constants = &constants,
        .fs = c->discard      ? (struct vkt_code){0}
              : c->reads_last ? VKT_CODE(stores_frag)
                              : VKT_CODE(value_frag),
        .gs = c->geometry ? VKT_CODE(stores_geom) : (struct vkt_code){0},
        .layout = s->layout,
        .pass = s->ordered,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = (VkPrimitiveTopology)c->topology,
        .restart = c->restart,
        .discard = c->discard,
        .rasterization_next = s->t.features.bresenham_lines ? &line : NULL,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

/* Words of draw n begin at a place of their own, with room for the instances 0 to 2. */
static uint32_t place_of(uint32_t draw)
{
    return 64 * (3 * draw + 1);
}

/* counts: each vertex is shaded once. */
static void push(const struct suite *s, VkCommandBuffer cmd, uint32_t draw, bool counts,
                 uint32_t band)
{
    const struct push values = {place_of(draw), draw, counts, band, s->pointer};
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), &values);
}

static void bind_all(const struct suite *s, VkCommandBuffer cmd)
{
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->tags.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
}

static void begin_pass(const struct suite *s, VkCommandBuffer cmd, VkSubpassContents contents)
{
    struct vkt_target ordered = s->target;
    ordered.pass = s->ordered;
    vkt_barrier_all(cmd);
    vkt_target_begin(cmd, &ordered, false, contents);
}

static VkCommandBuffer begin(const struct suite *s)
{
    struct suite *own = (struct suite *)s;
    memset(s->words.map, 0, WORDS * 4);
    memset(s->counters.map, 0, COUNTERS * 16);
    memset(s->pointed.map, 0, WORDS * 4);
    memset(s->texels.map, 0, WORDS * 4);
    VkCommandBuffer cmd = vkt_commands(&own->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin_pass(s, cmd, VK_SUBPASS_CONTENTS_INLINE);
    bind_all(s, cmd);
    return cmd;
}

static void dump(struct suite *s, const char *name)
{
    xfb_dump(&s->t, s->words.map, WORDS * 4, "%s/words", name);
    xfb_dump(&s->t, s->counters.map, COUNTERS * 16, "%s/counters", name);
    xfb_dump_target(&s->t, &s->target, "%s/picture", name);
}

static void end(struct suite *s, VkCommandBuffer cmd, const char *name)
{
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, name);
}

static void expect_word(struct suite *s, const char *name, uint32_t word, uint32_t value)
{
    const uint32_t found = ((const uint32_t *)s->words.map)[word];
    VKT_EXPECT(&s->t, found == value, "%s: word %u is %u, not %u", name, word, found, value);
}

/* What vertex v of an instance stores. */
static uint32_t number_of(uint32_t v, uint32_t instance)
{
    return (100 + 3 * v) * 8 + instance + 1;
}

/* --- Scenes --- */

static void draw_plain(const struct suite *s, VkCommandBuffer cmd)
{
    push(s, cmd, 0, true, 0);
    vkCmdDraw(cmd, 24, 1, 0, 0);
    push(s, cmd, 1, true, 0);
    vkCmdDraw(cmd, 18, 2, 9, 1);
    push(s, cmd, 2, false, 4);
    vkCmdDrawIndexed(cmd, 24, 2, 0, 1, 0);
}

static void run_topology(struct suite *s, int topology)
{
    const struct choice plain = {.kind = BUFFERS, .topology = topology};
    const struct choice cut = {.kind = BUFFERS, .topology = topology, .restart = true};
    const bool strips = topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
                        topology != VK_PRIMITIVE_TOPOLOGY_LINE_LIST &&
                        topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkCommandBuffer cmd = begin(s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &plain));
    draw_plain(s, cmd);
    if (strips) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &cut));
        push(s, cmd, 3, false, 7);
        vkCmdDrawIndexed(cmd, INDICES, 2, INDICES, 0, 0);
    }
    end(s, cmd, topology_names[topology]);
    expect_word(s, topology_names[topology], place_of(0) + 23, number_of(23, 0));
    expect_word(s, topology_names[topology], place_of(1) + 2 * 64 + 26, number_of(26, 2));
}

static void order(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, LATER_STAGES, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

static void run_kinds(struct suite *s)
{
    const int strip = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    const struct choice choices[] = {
        {.kind = IMAGES, .topology = strip},
        {.kind = BUFFERS, .topology = strip, .discard = true},
        {.kind = DECLARES, .topology = strip},
        {.kind = READS, .topology = strip},
        {.kind = DECLARES, .topology = strip, .geometry = true},
        {.kind = POINTERS, .topology = strip},
    };
    const uint32_t zeros[IMAGE_PX * IMAGE_PX] = {0};
    vkt_image_upload(&s->t, &s->image, zeros, sizeof(zeros), VK_IMAGE_LAYOUT_GENERAL);
    VkCommandBuffer cmd = begin(s);
    for (uint32_t k = 2; k < 5; k++) /* what they read */
        for (uint32_t v = 0; v < VERTICES; v++)
            ((uint32_t *)s->words.map)[place_of(k) + v] = 5 * v + k;
    for (uint32_t k = 0; k < VKT_COUNT(choices) - !s->pointer; k++) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &choices[k]));
        push(s, cmd, k, true, 2 * k);
        vkCmdDraw(cmd, 20, 1, 2, 0);
        order(cmd);
    }
    vkCmdEndRenderPass(cmd);
    vkt_image_barrier(cmd, s->image.image,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                      VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, "kinds");
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->image, 4);
    xfb_dump(&s->t, pixels.map, sizeof(zeros), "kinds/image");
    xfb_dump(&s->t, s->texels.map, WORDS * 4, "kinds/texels");
    if (s->pointer)
        xfb_dump(&s->t, s->pointed.map, WORDS * 4, "opt/kinds/pointed");
    VKT_EXPECT(&s->t, ((const uint32_t *)pixels.map)[21] == number_of(21, 0), "no image store");
    expect_word(s, "kinds", place_of(1) + 21, number_of(21, 0));
}

/* One draw stores, the next one reads that, one overwrites it, and so on, within a pass. */
static void run_order(struct suite *s)
{
    struct choice stores = {.kind = BUFFERS, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    struct choice reads = {.kind = READS, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    const VkPipeline reading = make_pipeline(s, &reads);
    reads.reads_last = true;
    const VkPipeline last = make_pipeline(s, &reads);
    VkCommandBuffer cmd = begin(s);
    for (uint32_t i = 0; i < 3; i++) {
        stores.shift = 50 * i;
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &stores));
        push(s, cmd, 0, true, 2 * i);
        vkCmdDraw(cmd, 24, 1, 0, 0);
        order(cmd);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, i < 2 ? reading : last);
        push(s, cmd, 0, true, 2 * i + 1);
        vkCmdDraw(cmd, 24, 1, 0, 0);
        order(cmd);
    }
    end(s, cmd, "order");
    expect_word(s, "order", place_of(0) + 5, number_of(5, 0) + 100);
}

static void run_secondaries(struct suite *s)
{
    const struct choice choice = {.kind = BUFFERS, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    VkCommandBuffer twice =
        vkt_secondary_in(&s->t, s->ordered, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    bind_all(s, twice);
    vkCmdBindPipeline(twice, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &choice));
    draw_plain(s, twice);
    order(twice);
    VKT_CALL(vkEndCommandBuffer(twice));
    VkCommandBuffer cmd = begin(s);
    vkCmdEndRenderPass(cmd);
    begin_pass(s, cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 2, (VkCommandBuffer[]){twice, twice});
    end(s, cmd, "secondaries");
    VKT_EXPECT(&s->t, ((const uint32_t *)s->counters.map)[0] == 48, "not all vertices are shaded");
}

static void run_captured(struct suite *s)
{
    const struct choice choice = {.kind = CAPTURES,
                                  .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    memset(s->captured.map, XFB_FILL, 1024);
    VkCommandBuffer cmd = begin(s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &choice));
    xfb_bind(cmd, 0, 1, &(struct xfb_range){s->captured.buffer, 0, 1024});
    xfb_begin(cmd, 0, 0, NULL);
    push(s, cmd, 0, false, 0);
    vkCmdDraw(cmd, 21, 2, 3, 0);
    xfb_end(cmd, 0, 0, NULL);
    end(s, cmd, "captured");
    vkt_dump_buffer(&s->t, "captured/words-behind", s->captured.map, 1024);
}

static void run_counted(struct suite *s)
{
    enum { COUNTS = 6 };
    const struct choice choice = {.kind = BUFFERS, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    uint64_t counts[COUNTS];
    if (!s->statistics)
        return;
    memset(s->words.map, 0, WORDS * 4);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, s->statistics, 0, 1);
    begin_pass(s, cmd, VK_SUBPASS_CONTENTS_INLINE);
    bind_all(s, cmd);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &choice));
    vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    push(s, cmd, 0, true, 0);
    vkCmdDraw(cmd, 24, 1, 0, 0);
    push(s, cmd, 1, true, 0);
    vkCmdDraw(cmd, 18, 2, 9, 1);
    vkCmdEndQuery(cmd, s->statistics, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, sizeof(counts), counts,
                                   sizeof(counts),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    vkt_dump_buffer(&s->t, "opt/counts", counts, sizeof(counts));
    VKT_EXPECT(&s->t, counts[0] == 60 && counts[1] == 20 && counts[3] == 0,
               "%u vertices, %u primitives, %u runs of no geometry shader", (unsigned)counts[0],
               (unsigned)counts[1], (unsigned)counts[3]);
}

/* --- Resources --- */

/* As the target's pass; within it vertex shaders store for later draws. */
static void make_pass(struct suite *s)
{
    const VkAttachmentDescription color = {
        .format = s->target.color.format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkSubpassDependency own = {
        .srcStageMask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
        .dstStageMask = LATER_STAGES,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &own,
    };
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &s->ordered));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)s->ordered);
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = s->ordered,
        .attachmentCount = 1,
        .pAttachments = &s->target.color.view,
        .width = SIDE_PX,
        .height = SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(s->t.device, &framebuffer, NULL, &s->target.framebuffer));
    vkt_defer(&s->t, vkt_destroy_framebuffer, (uint64_t)s->target.framebuffer);
}

static void make_set(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, both, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
         VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, bindings, VKT_COUNT(bindings));
    s->set = vkt_set(t, set_layout, bindings, VKT_COUNT(bindings));
    s->layout = vkt_layout(t, &set_layout, 1, &range, 1);
    vkt_write_buffer(t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->words.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_buffer(t, s->set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counters.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_image(t, s->set, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, s->image.view,
                    VK_IMAGE_LAYOUT_GENERAL, VK_NULL_HANDLE);
    vkt_write_texel(t, s->set, 3, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                    vkt_buffer_view(t, s->texels.buffer, VK_FORMAT_R32_UINT));
}

static void make_statistics(struct suite *s)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 1,
        .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT,
    };
    if (!s->t.features.core.pipelineStatisticsQuery)
        return;
    VKT_CALL(vkCreateQueryPool(s->t.device, &info, NULL, &s->statistics));
    vkt_defer(&s->t, vkt_destroy_query_pool, (uint64_t)s->statistics);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    uint32_t tags[VERTICES];
    uint16_t indices[2 * INDICES];
    for (uint32_t i = 0; i < VERTICES; i++)
        tags[i] = 100 + 3 * i;
    for (uint32_t i = 0; i < 2 * INDICES; i++)
        indices[i] = i >= INDICES && cuts[i - INDICES] == 'x' ? RESTART : (uint16_t)(5 * i % 31);
    s->tags = vkt_buffer_from(t, tags, sizeof(tags), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->words = vkt_buffer(t, WORDS * 4, storage, 0);
    s->counters = vkt_buffer(t, COUNTERS * 16, storage, 0);
    s->texels = vkt_buffer(t, WORDS * 4, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, 0);
    s->captured = xfb_buffer(t, 1024);
    s->image = vkt_image(t, VK_FORMAT_R32_UINT, IMAGE_PX, IMAGE_PX,
                         VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                             VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_pass(s);
    make_set(s);
    make_statistics(s);
    const bool points = t->options.addresses;
    const VkBufferUsageFlags address = points ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
    s->pointed = vkt_buffer(t, WORDS * 4, storage | address, 0);
    const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = s->pointed.buffer};
    s->pointer = points ? vkGetBufferDeviceAddress(t->device, &asked) : 0;
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-stores", argc, argv);
    options.xfb = true;
    options.addresses = !vkt_flag(&options, "--no-pointers");
    struct suite s = {0};
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    make_resources(&s);
    for (int topology = 0; topology < (int)VKT_COUNT(topology_names); topology++)
        run_topology(&s, topology);
    run_kinds(&s);
    run_order(&s);
    run_secondaries(&s);
    run_captured(&s);
    run_counted(&s);
    return vkt_finish(&s.t);
}
