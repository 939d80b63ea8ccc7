/* SPDX-License-Identifier: MIT
 *
 * What no application may do with transform feedback, or may but hardly means: hostile counters,
 * ranges that their buffers do not have, modules that capture where nothing can be, commands at the
 * wrong time. Nothing may be written outside of the bound ranges, and the device goes on. Only for
 * runs through the layer.
 */
#include "gpu/xfb.h"

#include "xfb_counters_geom.h"
#include "xfb_counters_pass_vert.h"
#include "xfb_counters_vert.h"

#include <string.h>

#define SIDE_PX 8u
/* The buffers lie in the middle of memory that is watched. */
#define BUFFER_B 1024u
#define MEMORY_B 16384u
#define BEFORE_B 4096u
#define RANGE_B 512u /* of a buffer that is bound, from OFFSET_B on */
#define OFFSET_B 64u
#define FIRST_TRIANGLES 4u

enum {
    HEADER_W = 5,
    OP_DECORATE = 71,
    DECORATION_OFFSET = 35,
    DECORATION_XFB_BUFFER = 36,
    DECORATION_XFB_STRIDE = 37,
};

struct watched {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *map; /* of the memory */
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline pipelines[2];
    struct watched capture[2];
    struct vkt_buffer counters;
};

static void make_watched(struct suite *s, struct watched *w)
{
    struct vkt *t = &s->t;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = BUFFER_B,
        .usage =
            VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
    };
    VKT_CALL(vkCreateBuffer(t->device, &info, NULL, &w->buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(t->device, w->buffer, &needs);
    const VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) ||
           (t->memory.memoryTypes[type].propertyFlags & want) != want)
        type++;
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = MEMORY_B,
        .memoryTypeIndex = type,
    };
    void *map;
    VKT_CALL(vkAllocateMemory(t->device, &allocate, NULL, &w->memory));
    VKT_CALL(vkBindBufferMemory(t->device, w->buffer, w->memory, BEFORE_B));
    VKT_CALL(vkMapMemory(t->device, w->memory, 0, VK_WHOLE_SIZE, 0, &map));
    w->map = map;
}

static void fresh(struct suite *s)
{
    for (uint32_t i = 0; i < 2; i++)
        memset(s->capture[i].map, XFB_FILL, MEMORY_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
}

/* Both buffers: nothing but what lies in [begin_B, end_B) of them was written. */
static void expect_within(struct suite *s, const char *what, uint32_t begin_B, uint32_t end_B)
{
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < MEMORY_B; k++) {
            const bool inside = k >= BEFORE_B + begin_B && k < BEFORE_B + end_B;
            if (inside || s->capture[i].map[k] == XFB_FILL)
                continue;
            VKT_EXPECT(&s->t, false, "%s: byte %d of buffer %u was written", what,
                       (int)k - (int)BEFORE_B, i);
            break;
        }
}

static void bind(const struct suite *s, VkCommandBuffer cmd, VkDeviceSize offset_B,
                 VkDeviceSize size_B)
{
    const struct xfb_range ranges[2] = {{s->capture[0].buffer, offset_B, size_B},
                                        {s->capture[1].buffer, offset_B, size_B}};
    xfb_bind(cmd, 0, 2, ranges);
}

static VkCommandBuffer begin(struct suite *s, VkPipeline pipeline)
{
    const uint32_t number = 7;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       4, &number);
    return cmd;
}

static void end(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
}

static struct xfb_range counter(const struct suite *s, uint32_t number)
{
    return (struct xfb_range){s->counters.buffer, (VkDeviceSize)number * 4, 0};
}

/* After all that was done to it the device still captures what it should. */
static void expect_sane(struct suite *s, const char *what)
{
    for (uint32_t geometry = 0; geometry < 2; geometry++) {
        fresh(s);
        VkCommandBuffer cmd = begin(s, s->pipelines[geometry]);
        bind(s, cmd, OFFSET_B, RANGE_B);
        xfb_begin(cmd, 0, 0, NULL);
        vkCmdDraw(cmd, FIRST_TRIANGLES * 3, 1, 0, 0);
        const struct xfb_range to[2] = {counter(s, 0), counter(s, 1)};
        xfb_end(cmd, 0, 2, to);
        end(s, cmd);
        /* The geometry shader makes 1 + 2 + 3 + 0 of four. */
        const uint32_t triangles = geometry ? 6 : FIRST_TRIANGLES;
        VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == triangles * 48, "after %s: counter %u", what,
                   xfb_word(&s->counters, 0));
        VKT_EXPECT(&s->t, xfb_word(&s->counters, 4) == triangles * 36, "after %s: counter %u", what,
                   xfb_word(&s->counters, 4));
        expect_within(s, what, OFFSET_B, OFFSET_B + triangles * 48);
    }
}

/* Counters that no End can have written. */
static void run_counters(struct suite *s, uint32_t geometry)
{
    const uint32_t values[] = {UINT32_MAX,  UINT32_MAX - 3, 0x80000000u, RANGE_B + 4, RANGE_B,
                               RANGE_B - 4, RANGE_B - 48,   3,           7,           RANGE_B - 1};
    for (uint32_t i = 0; i < VKT_COUNT(values); i++) {
        char what[64];
        snprintf(what, sizeof(what), "counter %u", values[i]);
        fresh(s);
        for (uint32_t k = 0; k < 2; k++)
            memcpy((uint8_t *)s->counters.map + 4 * k, &values[i], 4);
        const struct xfb_range from[2] = {counter(s, 0), counter(s, 1)};
        const struct xfb_range to[2] = {counter(s, 2), counter(s, 3)};
        VkCommandBuffer cmd = begin(s, s->pipelines[geometry]);
        bind(s, cmd, OFFSET_B, RANGE_B);
        xfb_begin(cmd, 0, 2, from);
        vkCmdDraw(cmd, 60, 1, 0, 0);
        vkCmdDraw(cmd, 3, 1, 0, 0);
        xfb_end(cmd, 0, 2, to);
        end(s, cmd);
        expect_within(s, what, OFFSET_B, OFFSET_B + RANGE_B);
        if (values[i] < RANGE_B - 36)
            continue;
        /* No space for a triangle in either buffer, or in one of them: nothing is captured. */
        expect_within(s, what, 0, 0);
        for (uint32_t k = 2; k < 4 && values[i] % 4 == 0; k++)
            VKT_EXPECT(&s->t, xfb_word(&s->counters, k * 4) == values[i], "%s became %u", what,
                       xfb_word(&s->counters, k * 4));
    }
    expect_sane(s, "hostile counters");
}

/* Ranges beyond the end of their buffers. */
static void run_ranges(struct suite *s, uint32_t geometry)
{
    const struct {
        VkDeviceSize offset_B, size_B;
    } ranges[] = {
        {BUFFER_B - 100, 4096},      {BUFFER_B, 512},       {BUFFER_B - 48, VK_WHOLE_SIZE},
        {BUFFER_B + 4096, 512},      {0, 1ull << 33},       {1ull << 40, 512},
        {BUFFER_B, VK_WHOLE_SIZE},   {UINT64_MAX - 3, 256}, {OFFSET_B, 0},
        {OFFSET_B, UINT64_MAX - 64},
    };
    for (uint32_t i = 0; i < VKT_COUNT(ranges); i++) {
        char what[64];
        snprintf(what, sizeof(what), "range %u", i);
        fresh(s);
        VkCommandBuffer cmd = begin(s, s->pipelines[geometry]);
        bind(s, cmd, ranges[i].offset_B, ranges[i].size_B);
        xfb_begin(cmd, 0, 0, NULL);
        vkCmdDraw(cmd, 300, 1, 0, 0);
        xfb_end(cmd, 0, 0, NULL);
        end(s, cmd);
        expect_within(s, what, 0, BUFFER_B);
    }
    expect_sane(s, "bad ranges");
}

/* A module with a decoration changed: of the output that is decorated nth with it. */
static bool spoil(uint32_t *words, struct vkt_code code, uint32_t decoration, uint32_t nth,
                  uint32_t value)
{
    memcpy(words, code.words, code.size_B);
    for (uint32_t i = HEADER_W; i < code.size_B / 4; i += words[i] >> 16)
        if ((words[i] & 0xffff) == OP_DECORATE && words[i + 2] == decoration && nth-- == 0) {
            words[i + 3] = value;
            return true;
        }
    return false;
}

static void run_module(struct suite *s, uint32_t geometry, uint32_t decoration, uint32_t nth,
                       uint32_t value)
{
    static uint32_t words[8192];
    char what[96];
    const struct vkt_code code =
        geometry ? VKT_CODE(xfb_counters_geom) : VKT_CODE(xfb_counters_vert);
    snprintf(what, sizeof(what), "%s with decoration %u number %u changed to %u",
             geometry ? "geometry" : "vertex", decoration, nth, value);
    if (code.size_B > sizeof(words) || !spoil(words, code, decoration, nth, value))
        vkt_die("%s: no such decoration", what);
    const struct vkt_code spoilt = {words, code.size_B};
    struct vkt_pipeline_info info = {
        .vs = geometry ? VKT_CODE(xfb_counters_pass_vert) : spoilt,
        .gs = geometry ? spoilt : (struct vkt_code){0},
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .discard = true,
    };
    VkPipeline pipeline;
    if (vkt_pipeline_try(&s->t, &info, &pipeline) != VK_SUCCESS)
        return; /* refused: well */
    fresh(s);
    VkCommandBuffer cmd = begin(s, pipeline);
    bind(s, cmd, OFFSET_B, RANGE_B);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 300, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    end(s, cmd);
    expect_within(s, what, OFFSET_B, OFFSET_B + RANGE_B);
    vkDestroyPipeline(s->t.device, pipeline, NULL);
}

static void run_modules(struct suite *s, uint32_t geometry)
{
    const uint32_t strides[] = {0, 13, 4096, 65536, 0x7ffffffc, 0xfffffffc};
    const uint32_t offsets[] = {2, 8, 600, 0x7ffffffc, 0xfffffff0, 0xffffffff};
    const uint32_t buffers[] = {1, 4, 9, 0x40000000, 0xffffffff};
    for (uint32_t nth = 0; nth < 2; nth++) {
        for (uint32_t i = 0; i < VKT_COUNT(strides); i++)
            run_module(s, geometry, DECORATION_XFB_STRIDE, nth, strides[i]);
        for (uint32_t i = 0; i < VKT_COUNT(offsets); i++)
            run_module(s, geometry, DECORATION_OFFSET, nth, offsets[i]);
        for (uint32_t i = 0; i < VKT_COUNT(buffers); i++)
            run_module(s, geometry, DECORATION_XFB_BUFFER, nth, buffers[i]);
    }
    expect_sane(s, "bad modules");
}

/* Counts of bytes that no buffer has, a stride of zero. */
static void run_byte_counts(struct suite *s, uint32_t geometry)
{
    const uint32_t values[] = {UINT32_MAX, 0x80000000u, 1};
    const uint32_t strides_B[] = {2048, 0};
    for (uint32_t i = 0; i < VKT_COUNT(values) * VKT_COUNT(strides_B); i++) {
        fresh(s);
        memcpy(s->counters.map, &values[i / VKT_COUNT(strides_B)], 4);
        VkCommandBuffer cmd = begin(s, s->pipelines[geometry]);
        bind(s, cmd, OFFSET_B, RANGE_B);
        xfb_begin(cmd, 0, 0, NULL);
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, s->counters.buffer, 0, 0,
                                      strides_B[i % VKT_COUNT(strides_B)]);
        xfb_end(cmd, 0, 0, NULL);
        end(s, cmd);
        expect_within(s, "byte count", OFFSET_B, OFFSET_B + RANGE_B);
    }
    expect_sane(s, "hostile byte counts");
}

/* Begin and End where they must not stand. */
static void run_misplaced(struct suite *s, uint32_t geometry)
{
    for (uint32_t i = 0; i < 5; i++) {
        fresh(s);
        const struct xfb_range to[2] = {counter(s, 0), counter(s, 1)};
        VkCommandBuffer cmd = begin(s, s->pipelines[geometry]);
        if (i != 4)
            bind(s, cmd, OFFSET_B, RANGE_B);
        if (i != 0) /* 0: an End alone */
            xfb_begin(cmd, 0, 0, NULL);
        if (i == 1) /* 1: two Begins */
            xfb_begin(cmd, 0, 0, NULL);
        vkCmdDraw(cmd, 30, 1, 0, 0);
        if (i == 2) /* 2: another pipeline and other buffers within */
            bind(s, cmd, 0, OFFSET_B);
        if (i == 2)
            vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[1 - geometry]);
        vkCmdDraw(cmd, 30, 1, 0, 0);
        if (i != 3) /* 3: a Begin alone; 4: nothing bound */
            xfb_end(cmd, 0, i == 4 ? 0 : 2, to);
        end(s, cmd);
        expect_within(s, "misplaced commands", 0, OFFSET_B + RANGE_B);
    }
    expect_sane(s, "misplaced commands");
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_bad", argc, argv);
    options.xfb = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    for (uint32_t i = 0; i < 2; i++)
        make_watched(&s, &s.capture[i]);
    s.counters = xfb_buffer(&s.t, 64);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       4};
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_counters_vert),
        .layout = s.layout,
        .pass = s.target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .discard = true,
    };
    s.pipelines[0] = vkt_pipeline(&s.t, &info);
    info.vs = VKT_CODE(xfb_counters_pass_vert);
    info.gs = VKT_CODE(xfb_counters_geom);
    s.pipelines[1] = vkt_pipeline(&s.t, &info);
    expect_sane(&s, "nothing");
    for (uint32_t geometry = 0; geometry < 2; geometry++) {
        run_counters(&s, geometry);
        run_ranges(&s, geometry);
        run_modules(&s, geometry);
        run_byte_counts(&s, geometry);
        run_misplaced(&s, geometry);
    }
    for (uint32_t i = 0; i < 2; i++) {
        vkDestroyBuffer(s.t.device, s.capture[i].buffer, NULL);
        vkFreeMemory(s.t.device, s.capture[i].memory, NULL);
    }
    return vkt_finish(&s.t);
}
