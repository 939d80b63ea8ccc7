/* SPDX-License-Identifier: MIT
 *
 * What tessellation makes of a patch: every domain, spacing and order, as primitives and as points,
 * for levels from less than nothing to more than there is. The coordinates are captured, and held
 * against what the specification says; patches have to come one after the other.
 */
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_levels_tesc.h"
#include "tessellation_levels_tese.h"
#include "tessellation_levels_vert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPTURE_B (16u << 20)
#define MAX_PATCHES 64u

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter, levels;
    VkPipelineLayout layout;
    struct vkt_target target;
    uint32_t max_level;
};

static const struct tess_levels levels[] = {
    {{1, 1, 1, 1}, {1, 1}},
    {{2, 3, 4, 5}, {4, 3}},
    {{1, 1, 1, 1}, {2, 2}},
    {{1, 1, 1, 1}, {1, 5}},
    {{1, 1, 1, 1}, {6, 1}},
    {{3, 1, 1, 1}, {1, 1}},
    {{1, 4, 1, 1}, {1, 1}},
    {{1, 1, 5, 1}, {1, 1}},
    {{1, 1, 1, 6}, {1, 1}},
    {{1.5f, 1.25f, 1.75f, 1.9f}, {1.5f, 1.1f}},
    {{2.5f, 3.25f, 1.125f, 6.75f}, {5.25f, 3.875f}},
    /* The same outer edges around different insides. */
    {{4, 4, 4, 4}, {4, 4}},
    {{4, 4, 4, 4}, {7, 6}},
    {{4.75f, 4.75f, 4.75f, 4.75f}, {1.25f, 2}},
    {{4.75f, 4.75f, 4.75f, 4.75f}, {9, 2}},
    {{4.75f, 9.5f, 4.75f, 9.5f}, {3.5f, 13.5f}},
    {{9.5f, 4.75f, 9.5f, 4.75f}, {13.5f, 3.5f}},
    {{8, 8, 8, 8}, {1, 1}},
    {{1, 1, 1, 1}, {8, 8}},
    {{1, 1, 1, 1}, {9, 9}},
    /* As far as it goes, and further. */
    {{64, 64, 64, 64}, {64, 64}},
    {{63.25f, 62.5f, 63, 64}, {61.5f, 63.5f}},
    {{65, 1000, INFINITY, 3}, {80, INFINITY}},
    {{2, 64, 3, 63}, {2, 64}},
    /* Discarded, and not: the inner levels and those that the domain does not use say nothing. */
    {{0, 2, 2, 2}, {2, 2}},
    {{2, 0, 2, 2}, {2, 2}},
    {{2, 2, 0, 2}, {2, 2}},
    {{2, 2, 2, 0}, {2, 2}},
    {{-1, 2, 2, 2}, {2, 2}},
    {{2, 2, 2, -3.5f}, {2, 2}},
    {{NAN, 2, 2, 2}, {2, 2}},
    {{2, NAN, 2, 2}, {2, 2}},
    {{2, 2, NAN, NAN}, {2, 2}},
    {{2, 2, 2, NAN}, {2, 2}},
    {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {4, 4}},
    {{3, 3, 3, 3}, {0, 0}},
    {{3, 3, 3, 3}, {-2, 5}},
    {{3, 3, 3, 3}, {5, -INFINITY}},
    {{0.25f, 0.5f, 0.75f, 0.125f}, {0.25f, 0.5f}},
    {{0.25f, 0.5f, 0.75f, 0.125f}, {3, 4}},
    {{1e-30f, 1e-30f, 1e-30f, 1e-30f}, {2.0625f, 1.9375f}},
    {{12, 10, 14, 16}, {10, 12}},
};

/* --- Drawing --- */

/* in_control: the control shader says how to subdivide, the evaluation shader says nothing. */
static VkPipeline make_pipeline(struct suite *s, const struct tess_mode *mode, bool in_control)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct tess_levels),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct tess_levels, outer)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct tess_levels, inner)},
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_levels_vert),
        .tcs = tess_modes(&s->t, VKT_CODE(tessellation_levels_tesc), in_control ? mode : NULL),
        .tes = tess_modes(&s->t, VKT_CODE(tessellation_levels_tese), in_control ? NULL : mode),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = s->target.color.width_px,
        .height_px = s->target.color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .lower_left = mode->lower_left,
        .discard = true,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, VkPipeline pipeline)
{
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    const VkDeviceSize zero = 0;
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counter.map, XFB_FILL, s->counter.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, VKT_COUNT(levels), 1, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
}

/* --- Checks --- */

/* Vertices at equal levels lie at the same places of the same edge, to the last bit: else there
 * were cracks between patches. */
static void check_seams(struct suite *s, const char *name, const struct tess_mode *mode,
                        const struct tess_vertex *const *firsts, const uint32_t *counts)
{
    if (mode->domain == TESS_ISOLINES)
        return;
    static float a[1 << 16], b[1 << 16];
    /* Rows of `levels` whose outer levels are alike. */
    static const uint32_t pairs[][2] = {{11, 12}, {13, 14}, {2, 3}, {17, 17}, {18, 19}};
    for (uint32_t i = 0; i < VKT_COUNT(pairs); i++)
        for (uint32_t edge = 0; edge < 3; edge++) {
            struct tess_patch p, q;
            tess_patch(mode, &levels[pairs[i][0]], s->max_level, &p);
            tess_patch(mode, &levels[pairs[i][1]], s->max_level, &q);
            if (p.coincident || q.coincident)
                continue;
            const uint32_t n = tess_edge(mode, edge, firsts[pairs[i][0]], counts[pairs[i][0]], a);
            const uint32_t m = tess_edge(mode, edge, firsts[pairs[i][1]], counts[pairs[i][1]], b);
            VKT_EXPECT(&s->t, n == m && memcmp(a, b, n * sizeof(*a)) == 0,
                       "%s: edge %u of patches %u and %u differs", name, edge, pairs[i][0],
                       pairs[i][1]);
        }
}

static void check(struct suite *s, const char *name, const struct tess_mode *mode)
{
    const struct tess_vertex *vertices = s->capture.map, *firsts[MAX_PATCHES];
    const uint32_t total = xfb_word(&s->counter, 0) / (uint32_t)sizeof(*vertices);
    uint32_t counts[MAX_PATCHES], at = 0;
    uint32_t facts[MAX_PATCHES][2];
    for (uint32_t i = 0; i < VKT_COUNT(levels); i++) {
        struct tess_patch patch;
        tess_patch(mode, &levels[i], s->max_level, &patch);
        firsts[i] = vertices + at;
        for (counts[i] = 0; at < total && vertices[at].patch == i; at++)
            counts[i]++;
        VKT_EXPECT(&s->t, patch.discarded == (counts[i] == 0), "%s: patch %u: %u vertices", name, i,
                   counts[i]);
        tess_check(&s->t, name, mode, &patch, firsts[i], counts[i]);
        facts[i][0] = counts[i];
        facts[i][1] = patch.discarded;
    }
    VKT_EXPECT(&s->t, at == total, "%s: %u of %u vertices come in the order of patches", name, at,
               total);
    check_seams(s, name, mode, firsts, counts);
    xfb_expect_rest(&s->t, name, &s->capture, total * sizeof(*vertices));
    xfb_dump(&s->t, facts, VKT_COUNT(levels) * sizeof(facts[0]), "%s", name);
}

static void run(struct suite *s, const struct tess_mode *mode, bool in_control)
{
    char name[96];
    snprintf(name, sizeof(name), "%s/%s/%s/%s%s%s", tess_domain_names[mode->domain],
             tess_spacing_names[mode->spacing], mode->ccw ? "ccw" : "cw",
             mode->points ? "points" : "primitives", mode->lower_left ? "/lower_left" : "",
             in_control ? "/in_control" : "");
    draw(s, make_pipeline(s, mode, in_control));
    check(s, name, mode);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_levels", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    s.max_level = s.t.properties.limits.maxTessellationGenerationLevel;
    VKT_EXPECT(&s.t, s.max_level >= 64, "maxTessellationGenerationLevel is %u", s.max_level);
    s.capture = xfb_buffer(&s.t, CAPTURE_B);
    s.counter = xfb_buffer(&s.t, 4);
    s.levels = vkt_buffer_from(&s.t, levels, sizeof(levels), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < TESS_DOMAINS * TESS_SPACINGS; i++) {
        const enum tess_domain domain = i / TESS_SPACINGS;
        const enum tess_spacing spacing = i % TESS_SPACINGS;
        run(&s, &(struct tess_mode){domain, spacing, false, false, false}, false);
        run(&s, &(struct tess_mode){domain, spacing, i & 1, true, false}, !(i & 1));
        if (domain == TESS_ISOLINES)
            continue;
        run(&s, &(struct tess_mode){domain, spacing, true, false, false}, true);
        run(&s, &(struct tess_mode){domain, spacing, i & 1, false, true}, false);
    }
    return vkt_finish(&s.t);
}
