/* SPDX-License-Identifier: MIT
 *
 * What goes into control shaders, from them to evaluation shaders, and out: patches of every size
 * becoming others, built-ins, arrays, structures and blocks, per vertex and per patch, what
 * invocations read of one another behind barriers, numbers of patches; drawn with and without
 * indices, in instances, with vertices left over, with restart indices, and with a patch size that
 * is dynamic. All coordinates are such that arithmetic is exact, and the same is computed here.
 */
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_io_tesc_1.h"
#include "tessellation_io_tesc_17.h"
#include "tessellation_io_tesc_3.h"
#include "tessellation_io_tesc_32.h"
#include "tessellation_io_tesc_4.h"
#include "tessellation_io_tese.h"
#include "tessellation_io_vert.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES 256u
#define INDICES 256u
#define PATCHES 3u /* of an instance; there are vertices for most of another */
#define POINTS 12u /* that become of a patch */
#define MAX_INSTANCES 3u
#define MAX_OUTPUTS 32u

/* As the evaluation shader captures it. */
struct point {
    float u, v;
    uint32_t patch, outputs;
    uint32_t vertices, built_ins, per_patch, w_is_zero;
    float between[4];
};

/* How it is drawn. */
struct way {
    const char *name;
    VkIndexType index_type; /* NONE_KHR: without indices */
    uint32_t first, first_instance, instances;
    int32_t offset;
};

static const struct way ways[] = {
    {"plain", VK_INDEX_TYPE_NONE_KHR, 0, 0, 1, 0},
    {"first", VK_INDEX_TYPE_NONE_KHR, 5, 2, 3, 0},
    {"index16", VK_INDEX_TYPE_UINT16, 3, 0, 2, 7},
    {"index32", VK_INDEX_TYPE_UINT32, 0, 1, 1, -2},
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counters, vertices, indices16, indices32, in_order;
    VkPipelineLayout layout;
    struct vkt_target target;
    bool restart;
};

static const struct outputs {
    uint32_t count;
    struct vkt_code tcs;
} outputs[] = {
    {1, VKT_CODE(tessellation_io_tesc_1)},   {3, VKT_CODE(tessellation_io_tesc_3)},
    {4, VKT_CODE(tessellation_io_tesc_4)},   {17, VKT_CODE(tessellation_io_tesc_17)},
    {32, VKT_CODE(tessellation_io_tesc_32)},
};

/* --- What is expected --- */

static uint32_t index_at(uint32_t place)
{
    return 2 + place * 37 % 90;
}

static uint32_t vertex_at(const struct way *way, uint32_t place)
{
    if (way->index_type == VK_INDEX_TYPE_NONE_KHR)
        return way->first + place;
    return (uint32_t)((int32_t)index_at(way->first + place) + way->offset);
}

static uint32_t tag_of(uint32_t vertex)
{
    return 11 * vertex + 1;
}

static uint32_t mixed(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

static uint32_t mixed_f(uint32_t hash, float number)
{
    uint32_t word;
    memcpy(&word, &number, sizeof(word));
    return mixed(hash, word);
}

/* input_hash of the control shader. */
static uint32_t input_hash(uint32_t vertex, uint32_t instance)
{
    const float f = (float)vertex + 64.0f * (float)instance;
    uint32_t h = mixed_f(mixed_f(1, f), (float)tag_of(vertex));
    h = mixed_f(mixed_f(mixed_f(h, 0.5f), 1), f + 0.25f);
    for (uint32_t i = 0; i < 3; i++)
        h = mixed_f(h, f + (float)i + 0.75f);
    for (uint32_t i = 0; i < 4; i++)
        h = mixed_f(h, f + (float)i);
    h = mixed(mixed(h, vertex), tag_of(vertex));
    for (uint32_t i = 0; i < 2; i++) {
        h = mixed(h, 7 * vertex + i);
        h = mixed_f(mixed_f(h, f * 0.5f + (float)i), f * 0.125f);
    }
    h = mixed(mixed(mixed(h, 0 - vertex), instance), 5);
    return mixed_f(mixed_f(mixed_f(mixed_f(h, f), 1), 2), f);
}

/* One patch, between the stages. */
struct patch {
    uint32_t number, inputs, outputs;
    uint32_t input[32], own[MAX_OUTPUTS];
};

static uint32_t mark(const struct patch *p, uint32_t i)
{
    return 1000 * p->number + i;
}

static uint32_t hash_vertices(const struct patch *p)
{
    uint32_t h = 3;
    for (uint32_t me = 0; me < p->outputs; me++) {
        const uint32_t next = (me + 1) % p->outputs, third = (next + 1) % p->outputs;
        h = mixed(mixed(mixed(h, p->own[me]), p->own[next]), next + 2);
        h = mixed_f(h, (float)next + 0.5f);
        h = mixed(h, p->own[next] ^ p->own[third]);
        h = mixed_f(mixed_f(h, (float)third + 0.5f), 1.5f);
        h = mixed(h, mark(p, (me + 3) % 5));
        h = mixed_f(mixed_f(h, (float)mark(p, me % 5)), (float)p->outputs);
    }
    return h;
}

static uint32_t hash_built_ins(const struct patch *p)
{
    uint32_t d = 4;
    for (uint32_t me = 0; me < p->outputs; me++) {
        d = mixed_f(mixed_f(d, (float)me), (float)p->number);
        d = mixed_f(mixed_f(d, (float)p->inputs), 1);
        d = mixed_f(d, (float)me + 2);
        d = mixed_f(mixed_f(d, (float)me * 0.5f), 3);
    }
    return d;
}

static uint32_t hash_patch(const struct patch *p)
{
    static const float levels[6] = {2, 4, 1, 2, 4, 2};
    uint32_t h = 5, all = 2;
    for (uint32_t i = 0; i < 5; i++)
        h = mixed(h, mark(p, i));
    for (uint32_t i = 0; i < p->inputs; i++)
        all = mixed(all, p->input[i]);
    h = mixed_f(mixed_f(mixed(h, all), (float)p->inputs), (float)p->number);
    for (uint32_t i = 0; i < p->outputs; i++)
        all = mixed(all, p->own[i]);
    h = mixed(mixed(mixed(h, all), mark(p, 2)), p->own[0]);
    h = mixed_f(mixed_f(h, 0.25f), (float)p->inputs);
    for (uint32_t i = 0; i < 6; i++)
        h = mixed_f(h, levels[i]);
    return h;
}

static void expect_patch(const struct patch *p, struct point *out)
{
    /* Two segments at u = 0, four at v = 0, one at u = 1, two at v = 1, and a grid of 4 by 2;
     * sorted by v, then u. */
    static const float places[POINTS][2] = {
        {0, 0},        {0.25f, 0},   {0.5f, 0},     {0.75f, 0}, {1, 0},    {0, 0.5f},
        {0.25f, 0.5f}, {0.5f, 0.5f}, {0.75f, 0.5f}, {0, 1},     {0.5f, 1}, {1, 1},
    };
    for (uint32_t i = 0; i < POINTS; i++)
        out[i] = (struct point){
            .u = places[i][0],
            .v = places[i][1],
            .patch = p->number,
            .outputs = p->outputs,
            .vertices = hash_vertices(p),
            .built_ins = hash_built_ins(p),
            .per_patch = hash_patch(p),
            .w_is_zero = 1,
            .between = {(float)(p->outputs - 1) * places[i][0], (float)p->number, (float)p->inputs,
                        1},
        };
}

/* Points of a draw. */
static uint32_t expect(const struct way *way, uint32_t inputs, uint32_t output_count,
                       struct point *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < way->instances * PATCHES; i++, count += POINTS) {
        struct patch p = {.number = i % PATCHES, .inputs = inputs, .outputs = output_count};
        for (uint32_t k = 0; k < inputs; k++)
            p.input[k] = input_hash(vertex_at(way, p.number * inputs + k),
                                    way->first_instance + i / PATCHES);
        for (uint32_t k = 0; k < output_count; k++)
            p.own[k] = mixed(p.input[k % inputs], k);
        expect_patch(&p, out + count);
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->v != y->v ? (x->v > y->v) - (x->v < y->v) : (x->u > y->u) - (x->u < y->u);
}

static void check(struct suite *s, const char *name, const struct way *way, uint32_t inputs,
                  uint32_t output_count, const struct xfb_range *range, uint32_t counter)
{
    static struct point want[MAX_INSTANCES * PATCHES * POINTS];
    const uint32_t count = expect(way, inputs, output_count, want);
    struct point *got = (void *)((uint8_t *)s->capture.map + range->offset_B);
    VKT_EXPECT(&s->t, xfb_word(&s->counters, counter * 4) == count * sizeof(*got),
               "%s/%s: %u bytes were captured, wanted %zu", name, way->name,
               xfb_word(&s->counters, counter * 4), count * sizeof(*got));
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % POINTS == 0)
            qsort(got + i, POINTS, sizeof(*got), by_place);
        if (memcmp(&got[i], &want[i], sizeof(*got)) != 0 && wrong++ == 0)
            first = i;
    }
    VKT_EXPECT(&s->t, wrong == 0,
               "%s/%s: %u of %u points differ; first %u at %g %g: patch %u, %u vertices; hash of "
               "vertices %d, built-ins %d, patch %d, place %d",
               name, way->name, wrong, count, first, (double)got[first].u, (double)got[first].v,
               got[first].patch, got[first].outputs, got[first].vertices == want[first].vertices,
               got[first].built_ins == want[first].built_ins,
               got[first].per_patch == want[first].per_patch,
               memcmp(got[first].between, want[first].between, sizeof(want->between)) == 0);
    xfb_dump(&s->t, got, count * sizeof(*got), "%s/%s", name, way->name);
}

/* --- Drawing --- */

static VkPipeline make_pipeline(struct suite *s, const struct outputs *out, uint32_t inputs)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    static const VkDynamicState dynamic = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_io_vert),
        .tcs = out->tcs,
        .tes = VKT_CODE(tessellation_io_tese),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = s->target.color.width_px,
        .height_px = s->target.color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .restart = s->restart,
        .patch_points = inputs ? inputs : 9,
        .discard = true,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .dynamic = inputs ? NULL : &dynamic,
        .dynamic_count = inputs ? 0 : 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, VkCommandBuffer cmd, const struct way *way, uint32_t inputs)
{
    const uint32_t count = PATCHES * inputs + inputs - 1;
    if (way->index_type == VK_INDEX_TYPE_NONE_KHR && s->in_order.buffer) {
        vkCmdBindIndexBuffer(cmd, s->in_order.buffer, 0, VK_INDEX_TYPE_UINT32);
        vkCmdDrawIndexed(cmd, count, way->instances, 0, (int32_t)way->first, way->first_instance);
        return;
    }
    if (way->index_type == VK_INDEX_TYPE_NONE_KHR) {
        vkCmdDraw(cmd, count, way->instances, way->first, way->first_instance);
        return;
    }
    const bool wide = way->index_type == VK_INDEX_TYPE_UINT32;
    vkCmdBindIndexBuffer(cmd, wide ? s->indices32.buffer : s->indices16.buffer, 0, way->index_type);
    vkCmdDrawIndexed(cmd, count, way->instances, way->first, way->offset, way->first_instance);
}

/* A piece of the capture buffer for every draw. */
static struct xfb_range piece(struct suite *s, uint32_t number)
{
    const VkDeviceSize size_B = sizeof(struct point) * MAX_INSTANCES * PATCHES * POINTS;
    return (struct xfb_range){s->capture.buffer, number * size_B, size_B};
}

static VkCommandBuffer begin(struct suite *s, VkPipeline pipeline)
{
    const VkDeviceSize zero = 0;
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &zero);
    return cmd;
}

static void draw_piece(struct suite *s, VkCommandBuffer cmd, uint32_t number, const struct way *way,
                       uint32_t inputs)
{
    const struct xfb_range range = piece(s, number);
    const struct xfb_range counter = {s->counters.buffer, number * 4, 0};
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    draw(s, cmd, way, inputs);
    xfb_end(cmd, 0, 1, &counter);
}

static void end(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
}

static void run(struct suite *s, const struct outputs *out, uint32_t inputs)
{
    char name[32];
    snprintf(name, sizeof(name), "%u_to_%u", inputs, out->count);
    VkCommandBuffer cmd = begin(s, make_pipeline(s, out, inputs));
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++)
        draw_piece(s, cmd, i, &ways[i], inputs);
    end(s, cmd);
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++) {
        const struct xfb_range range = piece(s, i);
        check(s, name, &ways[i], inputs, out->count, &range, i);
    }
}

/* One pipeline, and the patch size from the command buffer. */
static void run_dynamic(struct suite *s, const struct outputs *out)
{
    static const uint32_t sizes[] = {3, 1, 7, 32, 4};
    char name[32];
    VkCommandBuffer cmd = begin(s, make_pipeline(s, out, 0));
    for (uint32_t i = 0; i < VKT_COUNT(sizes); i++) {
        vkCmdSetPatchControlPointsEXT(cmd, sizes[i]);
        draw_piece(s, cmd, i, &ways[i % VKT_COUNT(ways)], sizes[i]);
    }
    end(s, cmd);
    for (uint32_t i = 0; i < VKT_COUNT(sizes); i++) {
        const struct xfb_range range = piece(s, i);
        snprintf(name, sizeof(name), "opt/%u_to_%u", sizes[i], out->count);
        check(s, name, &ways[i % VKT_COUNT(ways)], sizes[i], out->count, &range, i);
    }
}

/* --- Restart --- */

#define CUT UINT16_MAX
#define CUT_PATCHES 7u
/* Patches of three between restart indices, and what is left over of them. */
static const uint16_t cut_indices[] = {
    CUT, 4,  5,  6,  7,   CUT, 8,  9,  10, 20, 21, 22,  CUT, CUT, 3,  2,
    CUT, 60, 61, 62, CUT, 30,  31, 32, 33, 34, 35, CUT, 40,  41,  42, 43,
};
static const uint32_t cut_starts[CUT_PATCHES] = {1, 6, 9, 17, 21, 24, 28};

static void check_restart(struct suite *s, const struct outputs *out)
{
    struct point want[CUT_PATCHES * POINTS], *got = s->capture.map;
    const uint32_t inputs = 3, count = CUT_PATCHES * POINTS;
    for (uint32_t i = 0; i < CUT_PATCHES; i++) {
        struct patch p = {.number = i, .inputs = inputs, .outputs = out->count};
        for (uint32_t k = 0; k < inputs; k++)
            p.input[k] = input_hash(cut_indices[cut_starts[i] + k], 0);
        for (uint32_t k = 0; k < out->count; k++)
            p.own[k] = mixed(p.input[k % inputs], k);
        expect_patch(&p, want + i * POINTS);
        qsort(got + i * POINTS, POINTS, sizeof(*got), by_place);
    }
    VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == sizeof(want),
               "restart: %u bytes were captured, wanted %zu", xfb_word(&s->counters, 0),
               sizeof(want));
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&got[i], &want[i], sizeof(*got)) != 0 && wrong++ == 0)
            first = i;
    VKT_EXPECT(&s->t, wrong == 0, "restart: %u of %u points differ, first %u: patch %u", wrong,
               count, first, got[first].patch);
    xfb_dump(&s->t, got, sizeof(want), "opt/restart");
}

static void run_restart(struct suite *s, const struct outputs *out)
{
    const struct vkt_buffer indices =
        vkt_buffer_from(&s->t, cut_indices, sizeof(cut_indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    s->restart = true;
    VkCommandBuffer cmd = begin(s, make_pipeline(s, out, 3));
    s->restart = false;
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(cmd, VKT_COUNT(cut_indices), 1, 0, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
    end(s, cmd);
    check_restart(s, out);
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = &s->t;
    s->capture = xfb_buffer(t, (VkDeviceSize)8 * piece(s, 0).size_B);
    s->counters = xfb_buffer(t, 8 * 4);
    s->vertices = vkt_buffer(t, VERTICES * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    s->indices16 = vkt_buffer(t, INDICES * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    s->indices32 = vkt_buffer(t, INDICES * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    /* For lavapipe 25 itself the patches of control shaders begin at firstVertex / patch size, but
     * those of indexed draws do not: the same vertices, then. Our layer shall draw as it is told.
     */
    if (!vkt_has_layer(&t->options, "poly_gs"))
        s->in_order = vkt_buffer(t, VERTICES * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < VERTICES; i++) {
        ((uint32_t *)s->vertices.map)[i] = tag_of(i);
        if (s->in_order.buffer)
            ((uint32_t *)s->in_order.map)[i] = i;
    }
    for (uint32_t i = 0; i < INDICES; i++) {
        ((uint16_t *)s->indices16.map)[i] = (uint16_t)index_at(i);
        ((uint32_t *)s->indices32.map)[i] = index_at(i);
    }
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 16, 31, 32};
    struct vkt_options options = vkt_parse("gpu-tessellation_io", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < VKT_COUNT(sizes); i++)
        for (uint32_t k = 0; k < VKT_COUNT(outputs); k++)
            if (outputs[k].count == 4 || sizes[i] == 3 || sizes[i] == 32)
                run(&s, &outputs[k], sizes[i]);
    if (s.t.features.dynamic_patch_points)
        run_dynamic(&s, &outputs[1]);
    /* For Mesa 22.3 numbers of patches begin anew behind a restart index. */
    if (s.t.features.patch_restart && options.layers && strstr(options.layers, "poly_gs"))
        run_restart(&s, &outputs[2]);
    return vkt_finish(&s.t);
}
