/* SPDX-License-Identifier: MIT
 *
 * Where captured outputs lie: types, arrays, structures, blocks, built-ins, holes, several buffers
 * of different strides, some of them not bound; from vertex and geometry shaders. And pipelines
 * that could capture, or are only decorated, drawn while nothing is captured.
 */
#include "gpu/xfb.h"

#include "xfb_layout_geom_0.h"
#include "xfb_layout_geom_1.h"
#include "xfb_layout_geom_2.h"
#include "xfb_layout_geom_3.h"
#include "xfb_layout_geom_4.h"
#include "xfb_layout_pass_vert.h"
#include "xfb_layout_vert_0.h"
#include "xfb_layout_vert_1.h"
#include "xfb_layout_vert_2.h"
#include "xfb_layout_vert_3.h"
#include "xfb_layout_vert_4.h"
#include "xfb_plain_frag.h"
#include "xfb_show_vert.h"

#include <string.h>

#define SIDE_PX 32u
#define BUFFERS 4u
#define ALL_BOUND 15u
#define CAPTURE_B 4096u
#define POINTS 5u

/* What lies in each word of a captured vertex: u, i, f as in GLSL, d the first and '-' the second
 * word of a double, '.' nothing. */
struct layout_case {
    const char *name;
    struct vkt_code vs, gs;
    const char *words[BUFFERS];
    bool doubles, clips;
};

static const struct layout_case cases[] = {
    {
        .name = "basic",
        .vs = VKT_CODE(xfb_layout_vert_0),
        .gs = VKT_CODE(xfb_layout_geom_0),
        .words = {".uuuu.ii.i..fff.f...", ".ffff.f.fff.."},
        .clips = true,
    },
    {
        .name = "arrays",
        .vs = VKT_CODE(xfb_layout_vert_1),
        .gs = VKT_CODE(xfb_layout_geom_1),
        .words = {"fff.ffff.uuuuuu.fffffffff.ffffff..iiiiii"},
    },
    {
        .name = "blocks",
        .vs = VKT_CODE(xfb_layout_vert_2),
        .gs = VKT_CODE(xfb_layout_geom_2),
        .words = {".ffffu.ffffuffffu.", ".fff.uu...fff...", "..ffffuffff."},
    },
    {
        .name = "doubles",
        .vs = VKT_CODE(xfb_layout_vert_3),
        .gs = VKT_CODE(xfb_layout_geom_3),
        .words = {"..d-d-d-..d-d-d-d-d-.f.."},
        .doubles = true,
    },
    {
        .name = "buffers",
        .vs = VKT_CODE(xfb_layout_vert_4),
        .gs = VKT_CODE(xfb_layout_geom_4),
        .words = {".uu", "ffff", "u", "..ff."},
    },
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture[BUFFERS], counters;
    VkPipelineLayout layout;
    struct vkt_target target;
};

static void expect_word(const struct layout_case *c, uint32_t buffer, uint32_t vertex,
                        uint32_t word, uint32_t out[2])
{
    const uint32_t number = vertex * 1000 + word;
    const float f = (float)number;
    const double d = number;
    switch (c->words[buffer][word]) {
    case 'f':
        memcpy(out, &f, sizeof(f));
        break;
    case 'd':
        memcpy(out, &d, sizeof(d));
        break;
    case '-':
        break;
    case '.':
        out[0] = 0x01010101u * XFB_FILL;
        break;
    default:
        out[0] = number;
    }
}

static void check_buffer(struct suite *s, const struct layout_case *c, uint32_t buffer,
                         uint32_t vertices)
{
    const uint32_t stride_w = (uint32_t)strlen(c->words[buffer]);
    for (uint32_t i = 0; i < vertices * stride_w; i++) {
        uint32_t want[2] = {0};
        if (c->words[buffer][i % stride_w] == '-')
            continue;
        expect_word(c, buffer, i / stride_w, i % stride_w, want);
        const uint32_t size_B = c->words[buffer][i % stride_w] == 'd' ? 8 : 4;
        VKT_EXPECT(&s->t, memcmp((uint32_t *)s->capture[buffer].map + i, want, size_B) == 0,
                   "%s: buffer %u vertex %u word %u is %08x, wanted %08x", c->name, buffer,
                   i / stride_w, i % stride_w, ((uint32_t *)s->capture[buffer].map)[i], want[0]);
    }
    xfb_expect_rest(&s->t, c->name, &s->capture[buffer], vertices * stride_w * 4);
}

static VkPipeline make_pipeline(struct suite *s, const struct layout_case *c, bool geometry)
{
    const struct vkt_pipeline_info info = {
        .vs = geometry ? VKT_CODE(xfb_layout_pass_vert) : c->vs,
        .gs = geometry ? c->gs : (struct vkt_code){0},
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .discard = true,
    };
    return vkt_pipeline(&s->t, &info);
}

/* bound: bit b: buffer b is. */
static void run(struct suite *s, const struct layout_case *c, bool geometry, uint32_t bound)
{
    const VkPipeline pipeline = make_pipeline(s, c, geometry);
    const uint32_t vertices = geometry ? POINTS * 2 : POINTS;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    for (uint32_t b = 0; b < BUFFERS; b++) {
        const struct xfb_range range = {s->capture[b].buffer, 0, CAPTURE_B};
        memset(s->capture[b].map, XFB_FILL, CAPTURE_B);
        if (bound >> b & 1)
            xfb_bind(cmd, b, 1, &range);
    }
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    for (uint32_t b = 0; b < BUFFERS; b++) {
        if (c->words[b] && (bound >> b & 1))
            check_buffer(s, c, b, vertices);
        else
            xfb_expect_rest(&s->t, c->name, &s->capture[b], 0);
        if (bound == ALL_BOUND)
            xfb_dump(&s->t, s->capture[b].map, CAPTURE_B, "%s%s/%s/%u", c->doubles ? "opt/" : "",
                     c->name, geometry ? "geometry" : "vertex", b);
    }
}

/* The module without what makes its entry point capture: the decorations alone stay. */
static struct vkt_code without_mode(struct vkt_code code, uint32_t *words)
{
    enum { OP_CAPABILITY = 17, OP_EXECUTION_MODE = 16, TRANSFORM_FEEDBACK = 53, XFB = 11 };
    const uint32_t count = (uint32_t)(code.size_B / 4);
    uint32_t size = 5, removed = 0;
    memcpy(words, code.words, 20);
    for (uint32_t i = 5; i < count;) {
        const uint32_t length = code.words[i] >> 16, op = code.words[i] & 0xffff;
        if (op == OP_EXECUTION_MODE && code.words[i + 2] == XFB) {
            removed++;
        } else {
            memcpy(words + size, code.words + i, (size_t)length * 4);
            size += length;
        }
        i += length;
    }
    if (removed != 1)
        vkt_die("%u execution modes Xfb", removed);
    return (struct vkt_code){words, (size_t)size * 4};
}

/* Draws one point with each of three pipelines, while buffers are bound but nothing is captured:
 * one that captures, one that is only decorated, and the first between two intervals. */
static void run_inactive(struct suite *s)
{
    static uint32_t words[4096];
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_show_vert),
        .fs = VKT_CODE(xfb_plain_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    const VkPipeline capturing = vkt_pipeline(&s->t, &info);
    if (sizeof(xfb_show_vert) > sizeof(words))
        vkt_die("the module is too large");
    info.vs = without_mode(info.vs, words);
    const VkPipeline decorated = vkt_pipeline(&s->t, &info);
    const struct xfb_range range = {s->capture[0].buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    memset(s->capture[0].map, XFB_FILL, CAPTURE_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, decorated);
    vkCmdDraw(cmd, 1, 1, 1, 0);
    xfb_bind(cmd, 0, 1, &range);
    vkCmdDraw(cmd, 1, 1, 2, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, capturing);
    vkCmdDraw(cmd, 1, 1, 3, 0);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 1, 1, 4, 0);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdDraw(cmd, 1, 1, 5, 0);
    xfb_begin(cmd, 0, 0, NULL);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 1, 1, 6, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == 4, "counter %u", xfb_word(&s->counters, 0));
    VKT_EXPECT(&s->t, xfb_word(&s->capture[0], 0) == 4, "vertex %u was captured",
               xfb_word(&s->capture[0], 0));
    xfb_expect_rest(&s->t, "inactive", &s->capture[0], 4);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    for (uint32_t i = 1; i <= 6; i++)
        VKT_EXPECT(&s->t, xfb_word(&pixels, i * 4) == i + 1, "point %u is missing", i);
    xfb_dump_target(&s->t, &s->target, "inactive");
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_layout", argc, argv);
    options.xfb = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    for (uint32_t b = 0; b < BUFFERS; b++)
        s.capture[b] = xfb_buffer(&s.t, CAPTURE_B);
    s.counters = xfb_buffer(&s.t, 16);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < VKT_COUNT(cases); i++) {
        if ((cases[i].doubles && !s.t.features.core.shaderFloat64) ||
            (cases[i].clips && !s.t.features.core.shaderClipDistance))
            continue;
        run(&s, &cases[i], false, ALL_BOUND);
        run(&s, &cases[i], true, ALL_BOUND);
    }
    /* Mesa 22.3's lavapipe captures nothing where any buffer is missing. */
    const struct layout_case *buffers = &cases[VKT_COUNT(cases) - 1];
    const bool layer = vkt_has_layer(&options, "poly_gs");
    for (uint32_t i = 0; layer && i < 4; i++)
        run(&s, buffers, i & 1, i & 2 ? 5 : 10);
    run_inactive(&s);
    return vkt_finish(&s.t);
}
