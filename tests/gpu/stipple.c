/* SPDX-License-Identifier: MIT
 *
 * Stippled wide lines: lists, strips and geometry shaders' strips, rectangles and Bresenham's, with
 * static and dynamic patterns, clipped, with perspective, several samples, early tests, captures.
 * Run with VK_POLY_GS_LINES=emulate, as on a driver without wideLines.
 *
 * Lines along the axes are compared with what the specification says of each pixel, and with the
 * driver's own. Of a clipped line it says nothing: those of the layer begin where the vertex is.
 * Nor does it say what becomes of a last rectangle that is shorter than a pixel; those of the layer
 * carry it over to the next line.
 */
#include "gpu/samples.h"
#include "gpu/xfb.h"

#include "stipple_blended.h"
#include "stipple_captured_geom.h"
#include "stipple_captured_vert.h"
#include "stipple_constant.h"
#include "stipple_derived.h"
#include "stipple_early.h"
#include "stipple_geom.h"
#include "stipple_masked.h"
#include "stipple_number.h"
#include "stipple_placeless_vert.h"
#include "stipple_vert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE_PX 256u
#define RESTART 0xffffu
#define MAX_POINTS 1200u

struct point {
    float x, y, w;
};

struct line {
    struct point from, to;
    bool begins; /* its strip */
};

struct test {
    struct vkt *t;
    struct vkt_target numbers, colors, deep;
    VkPipelineLayout layout;
    bool emulated;
    bool centres; /* lines of Bresenham cover pixels by their centres, which is allowed */
};

struct pattern {
    uint32_t factor;
    uint16_t bits;
};

/* A pipeline and how it is drawn. */
struct scene {
    const char *name;
    float width_px;
    bool bresenham;
    VkPrimitiveTopology topology;
    struct pattern pattern;
    struct vkt_code vs, gs, fs;
    const struct vkt_target *target;
    const struct point *points;
    uint32_t count, instances;
    const uint16_t *indices; /* `count` of them, which restart strips */
    bool dynamic, dynamic_width, switched, secondary;
    bool ours;    /* only the layer draws it so: drivers may differ */
    bool unknown; /* pixel by pixel */
    uint32_t samples;
    bool blends, depth, last;
};

static VkPipeline make_pipeline(const struct test *s, const struct scene *of)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct point),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_SFLOAT,
                                                                0};
    VkDynamicState states[3];
    uint32_t state_count = 0;
    if (of->dynamic)
        states[state_count++] = VK_DYNAMIC_STATE_LINE_STIPPLE_EXT;
    if (of->dynamic_width)
        states[state_count++] = VK_DYNAMIC_STATE_LINE_WIDTH;
    if (of->switched)
        states[state_count++] = VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT;
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = of->last ? &provoking : NULL,
        .lineRasterizationMode = of->bresenham ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                                               : VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
        .stippledLineEnable = !of->switched,
        .lineStippleFactor = of->pattern.factor,
        .lineStipplePattern = of->pattern.bits,
    };
    const struct vkt_pipeline_info info = {
        .vs = of->vs,
        .gs = of->gs,
        .fs = of->fs,
        .layout = s->layout,
        .pass = of->samples ? VK_NULL_HANDLE : of->target->pass,
        .dynamic_format = of->target->color.format,
        .samples = of->samples,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = of->topology,
        .restart = of->indices != NULL,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .rasterization_next = &lines,
        .line_width_px = of->dynamic_width ? 0 : of->width_px,
        .blend = of->blends ? VKT_BLEND_ADD : VKT_BLEND_NONE,
        .depth_test = of->depth,
        .depth_write = of->depth,
        .depth_compare = of->depth ? VK_COMPARE_OP_LESS : 0,
        .dynamic = states,
        .dynamic_count = state_count,
    };
    return vkt_pipeline(s->t, &info);
}

static void set_pattern(VkCommandBuffer cmd, const struct scene *of, const struct pattern *pattern)
{
    if (of->dynamic)
        vkCmdSetLineStippleEXT(cmd, pattern->factor, pattern->bits);
}

/* Everything but the draw. */
static void bind(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    const struct vkt_buffer points = vkt_buffer_from(
        s->t, of->points, MAX_POINTS * sizeof(*of->points), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, of));
    vkCmdBindVertexBuffers(cmd, 0, 1, &points.buffer, &(VkDeviceSize){0});
    if (of->dynamic_width)
        vkCmdSetLineWidth(cmd, of->width_px);
    if (of->switched)
        vkCmdSetLineStippleEnableEXT(cmd, VK_TRUE);
    set_pattern(cmd, of, &of->pattern);
}

static void draws(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    bind(s, cmd, of);
    if (of->indices) {
        const struct vkt_buffer indices = vkt_buffer_from(
            s->t, of->indices, of->count * sizeof(*of->indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
        vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(cmd, of->count, of->instances, 0, 0, 0);
    } else {
        vkCmdDraw(cmd, of->count, of->instances, 0, 0);
    }
}

/* -- what the specification says -- */

static struct line line_of(struct point from, struct point to, float from_y, float to_y,
                           uint32_t instance, bool begins)
{
    struct line line = {from, to, begins};
    line.from.y += from_y + 60 * (float)instance;
    line.to.y += to_y + 60 * (float)instance;
    return line;
}

/* As stipple.geom. */
static uint32_t emit(struct line *lines, struct point a, struct point b, uint32_t instance)
{
    lines[0] = line_of(a, b, 0, 0, instance, true);
    lines[1] = line_of(b, b, 0, 100, instance, false);
    lines[2] = line_of(b, a, 100, 100, instance, false);
    lines[3] = line_of(a, b, 120, 120, instance, true);
    return 4;
}

static uint32_t lines_of(const struct scene *of, struct line *lines)
{
    const bool strip = of->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
                       of->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
    const bool adjacency = of->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
                           of->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
    const uint32_t before = adjacency, step = strip ? 1 : adjacency ? 4 : 2;
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->instances; i++) {
        uint32_t start = 0;
        for (uint32_t end = 0; end <= of->count; end++) {
            if (end < of->count && !(of->indices && of->indices[end] == RESTART))
                continue;
            for (uint32_t v = start + before; v + 1 + before < end; v += step) {
                const struct point a = of->points[of->indices ? of->indices[v] : v];
                const struct point b = of->points[of->indices ? of->indices[v + 1] : v + 1];
                if (of->gs.words)
                    count += emit(lines + count, a, b, i);
                else
                    lines[count++] = line_of(a, b, 0, 0, i, !strip || v == start + before);
            }
            start = end + 1;
        }
    }
    return count;
}

static bool has_bit(const struct pattern *pattern, float at)
{
    return pattern->bits >> ((uint32_t)at / pattern->factor & 15) & 1;
}

/* place_px: where the pattern is at the start of the line; returns where it is at the end. */
static float cover(const struct scene *of, const struct line *line, float place_px, uint8_t *pixels)
{
    const bool across = line->from.x == line->to.x; /* it goes up or down */
    const float from = across ? line->from.y : line->from.x, to = across ? line->to.y : line->to.x;
    const float beside = across ? line->from.x : line->from.y, half = of->width_px / 2;
    const float way = to < from ? -1 : 1, length_px = fabsf(to - from);
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const float x = (float)(i % SIDE_PX) + 0.5f, y = (float)(i / SIDE_PX) + 0.5f;
        const float along = ((across ? y : x) - from) * way, off = (across ? x : y) - beside;
        if (along < 0 || along > length_px || off < -half || off > half)
            continue;
        pixels[i] |= has_bit(&of->pattern, place_px + along);
    }
    return place_px + length_px;
}

/* The first pixel along a line that goes on from a place, by the diamond-exit rule. The
 * specification moves places that lie on a border a little to the left, and less upwards. */
static int first_pixel(bool centres, float along, float beside, int way, bool across)
{
    const float tiny = 1 / 1024.f, least = 1 / 8192.f;
    const float a = along - (across ? least : tiny), b = beside - (across ? tiny : least);
    const float ahead = (a - floorf(a) - 0.5f) * (float)way;
    if (centres)
        return (int)floorf(a) + (ahead > 0 ? way : 0);
    return (int)floorf(a) + (ahead + fabsf(b - floorf(b) - 0.5f) >= 0.5f ? way : 0);
}

/* Of lines of Bresenham: a column of pixels at each place. */
static float cover_pixels(const struct scene *of, const struct line *line, bool centres,
                          float place_px, uint8_t *pixels)
{
    const bool across = line->from.x == line->to.x;
    const float from = across ? line->from.y : line->from.x, to = across ? line->to.y : line->to.x;
    const float beside = (across ? line->from.x : line->from.y) - (of->width_px - 1) / 2;
    const int way = to < from ? -1 : 1, low = (int)floorf(beside);
    const int first = first_pixel(centres, from, beside, way, across);
    const int behind = first_pixel(centres, to, beside, way, across);
    for (int at = first; at != behind; at += way, place_px++) {
        for (int k = low; k < low + (int)of->width_px; k++) {
            const int x = across ? k : at, y = across ? at : k;
            if (x >= 0 && y >= 0 && x < (int)SIDE_PX && y < (int)SIDE_PX)
                pixels[y * (int)SIDE_PX + x] |= has_bit(&of->pattern, place_px);
        }
    }
    return place_px;
}

static void expect(const struct scene *of, bool centres, uint8_t *pixels)
{
    static struct line lines[4 * MAX_POINTS];
    const uint32_t count = lines_of(of, lines);
    float place_px = 0;
    memset(pixels, 0, SIDE_PX * SIDE_PX);
    for (uint32_t i = 0; i < count; i++) {
        place_px = lines[i].begins ? 0 : place_px;
        place_px = of->bresenham ? cover_pixels(of, &lines[i], centres, place_px, pixels)
                                 : cover(of, &lines[i], place_px, pixels);
    }
}

static void check(const struct test *s, const struct scene *of, const uint32_t *drawn)
{
    static uint8_t expected[SIDE_PX * SIDE_PX];
    uint32_t wrong = 0, first = 0, lit = 0;
    if (of->unknown || (of->ours && !s->emulated))
        return;
    expect(of, s->centres, expected);
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        lit += expected[i];
        if (!expected[i] == !drawn[i])
            continue;
        first = wrong++ ? first : i;
    }
    VKT_EXPECT(s->t, lit > 30, "%s: only %u pixels expected", of->name, lit);
    VKT_EXPECT(s->t, !wrong, "%s: %u of %u pixels are wrong, first %u,%u", of->name, wrong, lit,
               first % SIDE_PX, first / SIDE_PX);
}

/* -- drawing -- */

static void draw_scene(const struct test *s, const struct scene *of)
{
    VkCommandBuffer cmd = vkt_commands(s->t), secondary = VK_NULL_HANDLE;
    if (of->secondary) {
        secondary = vkt_secondary_in(s->t, of->target->pass, 0);
        draws(s, secondary, of);
        VKT_CALL(vkEndCommandBuffer(secondary));
    }
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, of->target, false,
                     secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                               : VK_SUBPASS_CONTENTS_INLINE);
    if (secondary)
        vkCmdExecuteCommands(cmd, 1, &secondary);
    else
        draws(s, cmd, of);
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
}

static void finish(const struct test *s, const struct scene *of)
{
    char name[96];
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    check(s, of, pixels.map);
    snprintf(name, sizeof(name), "opt/%s", of->name);
    if (!of->ours && !(of->bresenham && s->centres))
        vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static void run(const struct test *s, const struct scene *of)
{
    if (of->bresenham ? !s->t->features.stippled_bresenham : !s->t->features.stippled_rectangular)
        return;
    draw_scene(s, of);
    finish(s, of);
}

/* Steps along the axes, each of so many pixels. */
static void make_steps(struct point *points, uint32_t count, float right, float down)
{
    for (uint32_t i = 0; i < count; i++)
        points[i] = (struct point){9.3125f + right * (float)((i + 1) / 2),
                                   7.34375f + down * (float)(i / 2 % 4), 1};
}

static struct scene scene_of(const struct test *s, const char *name, const struct point *points)
{
    return (struct scene){.name = name,
                          .width_px = 3,
                          .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                          .pattern = {1, 0x0f35},
                          .vs = VKT_CODE(stipple_vert),
                          .fs = VKT_CODE(stipple_constant),
                          .target = &s->numbers,
                          .points = points,
                          .count = 26,
                          .instances = 2};
}

static void run_topologies(const struct test *s)
{
    static struct point points[MAX_POINTS];
    static const struct {
        const char *name;
        VkPrimitiveTopology topology;
    } kinds[] = {
        {"list", VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
        {"strip", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP},
        {"list-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY},
        {"strip-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY},
    };
    static const struct pattern patterns[] = {{1, 0x0f35}, {3, 0x5a5a}, {256, 0x0001}, {2, 0x8001}};
    static const uint16_t indices[] = {0,       1,  2,  3,  4,  RESTART, 6,  7,
                                       8,       9,  10, 11, 12, RESTART, 13, RESTART,
                                       RESTART, 15, 16, 17, 18, 19,      20};
    char name[64];
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < VKT_COUNT(kinds) * 4 * 4; i++) {
        struct scene of = scene_of(s, name, points);
        const bool indexed = i & 2 && kinds[i / 16].topology % 2 == 0;
        const bool adjacency =
            kinds[i / 16].topology >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
        of.topology = kinds[i / 16].topology;
        of.bresenham = i & 1;
        of.pattern = patterns[i / 4 % 4];
        of.dynamic = i & 4;
        of.switched = of.dynamic && i & 8 && s->t->features.dynamic_stipple;
        of.dynamic_width = i & 8;
        of.last = i & 4 && s->t->features.provoking_last;
        of.ours = adjacency; /* lavapipe begins the pattern anew at each line */
        if (indexed || (i & 2 && adjacency)) {
            of.indices = indices;
            of.count = VKT_COUNT(indices);
            if (of.topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY)
                continue;
        }
        snprintf(name, sizeof(name), "%s-%u", kinds[i / 16].name, i % 16);
        run(s, &of);
    }
}

static void run_stages(const struct test *s)
{
    static struct point points[MAX_POINTS];
    char name[64];
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < 8; i++) {
        struct scene of = scene_of(s, name, points);
        snprintf(name, sizeof(name), "geometry-%u", i);
        of.gs = VKT_CODE(stipple_geom);
        of.bresenham = i & 1;
        of.topology = i & 2 ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP : VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
        of.dynamic = i & 4;
        of.count = 12;
        of.pattern.factor = 2;
        run(s, &of);
    }
    for (uint32_t i = 0; i < 8; i++) {
        static const char *const names[] = {"early", "derived", "number", "secondary"};
        const struct vkt_code shaders[] = {VKT_CODE(stipple_early), VKT_CODE(stipple_derived),
                                           VKT_CODE(stipple_number), VKT_CODE(stipple_constant)};
        struct scene of = scene_of(s, name, points);
        snprintf(name, sizeof(name), "%s-%u", names[i / 2], i & 1);
        of.fs = shaders[i / 2];
        of.bresenham = i & 1;
        of.secondary = i / 2 == 3;
        of.ours = i / 2 == 2; /* lavapipe begins the pattern anew at each line */
        run(s, &of);
    }
}

/* More lines than a workgroup of the layer looks at, in a strip of many turns. */
static void run_long(const struct test *s)
{
    static struct point points[MAX_POINTS];
    char name[64];
    for (uint32_t i = 0; i < MAX_POINTS; i++) {
        const uint32_t row = i / 120, column = i % 120;
        points[i] = (struct point){4.25f + 2 * (float)(row % 2 ? 119 - column : column),
                                   6.25f + 24 * (float)row, 1};
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct scene of = scene_of(s, name, points);
        snprintf(name, sizeof(name), "long-%u", i);
        of.count = MAX_POINTS;
        of.instances = 1;
        of.bresenham = i & 1;
        of.pattern = (struct pattern){5, 0xac53};
        run(s, &of);
    }
}

/* Lengths that are no whole numbers, and lines that are clipped, or have any w. */
static void run_places(const struct test *s)
{
    static struct point broken[MAX_POINTS], clipped[MAX_POINTS], deep[MAX_POINTS], any[MAX_POINTS];
    char name[64];
    make_steps(broken, MAX_POINTS, 13.375f, 5.625f);
    make_steps(deep, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < MAX_POINTS; i++) {
        clipped[i] = (struct point){i & 1 ? 300.25f : -60.25f, 7.25f + 11 * (float)(i / 2), 1};
        any[i] = (struct point){3.25f + (float)(i * 37 % 241), 8.5f + (float)(i * i * 29 % 239), 1};
        deep[i].w = i % 3 ? 0.25f : 2;
    }
    for (uint32_t i = 0; i < 8; i++) {
        static const char *const names[] = {"broken", "clipped", "deep", "near/any"};
        static struct point *const all[] = {broken, clipped, deep, any};
        struct scene of = scene_of(s, name, all[i / 2]);
        snprintf(name, sizeof(name), "%s-%u", names[i / 2], i & 1);
        of.bresenham = i & 1;
        of.ours = i / 2 == 1 || i == 0;
        of.unknown = i / 2 == 3 || (i == 1 && !s->emulated);
        of.ours |= i == 1;
        of.topology = i / 2 == 1 ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST : of.topology;
        run(s, &of);
    }
    struct scene behind = scene_of(s, "behind", any);
    for (uint32_t i = 0; i < MAX_POINTS; i++)
        any[i].w = i % 4 ? 1 : -0.75f;
    behind.unknown = behind.ours = true;
    run(s, &behind);
}

/* Gaps leave no depth, also of a shader that demands early tests: another line is seen through. */
static void run_depth(const struct test *s)
{
    static struct point points[MAX_POINTS];
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < 2 && s->t->features.stippled_rectangular; i++) {
        struct scene of = scene_of(s, i ? "depth-early" : "depth", points);
        struct scene whole = of;
        VkCommandBuffer cmd = vkt_commands(s->t);
        of.depth = whole.depth = of.unknown = true;
        of.target = whole.target = &s->deep;
        of.fs = i ? VKT_CODE(stipple_early) : VKT_CODE(stipple_derived);
        whole.pattern.bits = 0xffff;
        whole.fs = i ? VKT_CODE(stipple_constant) : VKT_CODE(stipple_early);
        vkt_begin(cmd, 0);
        vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
        draws(s, cmd, &of);
        draws(s, cmd, &whole);
        vkCmdEndRenderPass(cmd);
        vkt_submit(s->t, cmd);
        finish(s, &of);
    }
}

/* Without a position nothing is drawn, and no vertex looked at. */
static void run_placeless(const struct test *s)
{
    static struct point points[MAX_POINTS];
    struct scene of = scene_of(s, "placeless", points);
    of.vs = VKT_CODE(stipple_placeless_vert);
    if (s->emulated && s->t->features.stippled_rectangular)
        draw_scene(s, &of);
}

/* Several draws with one pipeline whose state changes between them. */
static void run_changes(const struct test *s)
{
    static const struct pattern patterns[] = {{1, 0x00ff}, {2, 0x5555}, {4, 0x1111}, {1, 0xffff}};
    static struct point points[MAX_POINTS];
    static const char *const names[] = {"changes", "switches", "changes-bresenham",
                                        "switches-bresenham"};
    const bool switches = s->t->features.dynamic_stipple;
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < 2; i++) {
        struct scene of = scene_of(s, names[i * 2 + switches], points);
        VkCommandBuffer cmd = vkt_commands(s->t);
        of.bresenham = i;
        of.dynamic = of.dynamic_width = of.unknown = true;
        of.switched = switches;
        of.instances = 1;
        of.count = 18;
        if (i ? !s->t->features.stippled_bresenham : !s->t->features.stippled_rectangular)
            continue;
        vkt_begin(cmd, 0);
        vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
        draws(s, cmd, &of);
        for (uint32_t k = 0; k < 8; k++) {
            set_pattern(cmd, &of, &patterns[k % VKT_COUNT(patterns)]);
            if (switches)
                vkCmdSetLineStippleEnableEXT(cmd, k % 3 != 2);
            vkCmdSetLineWidth(cmd, k == 5 ? 1 : 2);
            vkCmdDraw(cmd, 18, 1, 0, 1 + k % 3);
            vkCmdDraw(cmd, 10, 1, 18, 1 + k % 3);
        }
        vkCmdEndRenderPass(cmd);
        vkt_submit(s->t, cmd);
        finish(s, &of);
    }
}

/* What is left of pixels with several samples: of rectangles by sample, of Bresenham's by pixel. A
 * shader sees what is left, and takes more away. */
static void run_samples(const struct test *s)
{
    static struct point points[MAX_POINTS];
    char name[64];
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < MAX_POINTS; i++)
        points[i].x += 1; /* lavapipe loses samples where a rectangle begins left of a tile */
    for (uint32_t i = 0; i < 4 && s->t->features.dynamic_rendering; i++) {
        struct scene of = scene_of(s, name, points);
        VkCommandBuffer cmd = vkt_commands(s->t);
        snprintf(name, sizeof(name), "samples-%u", i);
        of.bresenham = i & 1;
        of.target = &s->colors;
        of.fs = i & 2 ? VKT_CODE(stipple_masked) : VKT_CODE(stipple_blended);
        of.samples = 4;
        of.unknown = true;
        if (of.bresenham ? !s->t->features.stippled_bresenham
                         : !s->t->features.stippled_rectangular)
            continue;
        vkt_begin(cmd, 0);
        samples_begin(s->t, cmd, &of.target->color);
        draws(s, cmd, &of);
        samples_end(cmd, &of.target->color);
        vkt_submit(s->t, cmd);
        finish(s, &of);
    }
}

/* Captures and their counts are of lines. */
static void run_captures(const struct test *s)
{
    static struct point points[MAX_POINTS];
    make_steps(points, MAX_POINTS, 13, 5);
    for (uint32_t i = 0; i < 2 && s->t->features.stippled_rectangular; i++) {
        struct scene of = scene_of(s, i ? "captured-geometry" : "captured", points);
        const struct vkt_buffer captured = xfb_buffer(s->t, 32768), counter = xfb_buffer(s->t, 4);
        const struct xfb_range range = {captured.buffer, 0, captured.size_B},
                               end = {counter.buffer, 0, 0};
        if (i)
            of.gs = VKT_CODE(stipple_captured_geom);
        else
            of.vs = VKT_CODE(stipple_captured_vert);
        of.count = 12;
        VkCommandBuffer cmd = vkt_commands(s->t);
        vkt_begin(cmd, 0);
        vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
        bind(s, cmd, &of);
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
        vkCmdDraw(cmd, of.count, of.instances, 0, 0);
        xfb_end(cmd, 0, 1, &end);
        vkCmdEndRenderPass(cmd);
        vkt_submit(s->t, cmd);
        finish(s, &of);
        VKT_EXPECT(s->t, xfb_word(&counter, 0) > 100, "%u bytes captured", xfb_word(&counter, 0));
        xfb_dump(s->t, captured.map, captured.size_B, "opt/captured%u", i);
        xfb_dump(s->t, counter.map, 4, "opt/captured%u-end", i);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-stipple", argc, argv);
    struct vkt t;
    options.wide_lines = options.xfb = options.dynamic_states3 = true;
    vkt_init(&t, &options);
    struct test s = {.t = &t,
                     .emulated = vkt_has_layer(&options, "poly_gs"),
                     .centres = vkt_flag(&options, "--centres")};
    if (!t.features.core.wideLines ||
        (!t.features.stippled_bresenham && !t.features.stippled_rectangular))
        vkt_skip("no stippled wide lines");
    s.numbers = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.deep = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, NULL, 0);
    run_topologies(&s);
    run_stages(&s);
    run_long(&s);
    run_places(&s);
    run_depth(&s);
    run_placeless(&s);
    run_changes(&s);
    run_samples(&s);
    if (!options.link) /* lavapipe itself captures nothing then */
        run_captures(&s);
    return vkt_finish(&t);
}
