/* SPDX-License-Identifier: MIT
 *
 * What the feature geometryShader allows in pipelines without a geometry shader: every topology
 * with adjacency, and gl_PrimitiveID in the fragment shader of every topology, with the provoking
 * vertex first and last, indexed, with restarts, instanced, with dynamic topology, also of another
 * class than the pipeline's and without input assembly; gl_Layer in a fragment shader.
 */
#include "common/vkt.h"

#include <string.h>

#include "nogs_layer.h"
#include "nogs_number.h"
#include "nogs_plain.h"
#include "nogs_vert.h"

#define SIDE_PX 256u
#define MAX_INDICES 32u
#define RESTART 0xffffu
#define TOPOLOGIES 10

static const char *const names[TOPOLOGIES] = {"points",
                                              "lines",
                                              "line-strip",
                                              "triangles",
                                              "triangle-strip",
                                              "triangle-fan",
                                              "lines-adjacency",
                                              "line-strip-adjacency",
                                              "triangles-adjacency",
                                              "triangle-strip-adjacency"};

struct test {
    struct vkt *t;
    struct vkt_target target;
    VkPipelineLayout layout;
    struct vkt_buffer indices; /* one restart pattern after the other, MAX_INDICES each */
};

/* 'x' is a restart, '.' an index. */
static const char *const patterns[] = {
    ".........................",    ".....x.......x........x....", "x......xx....x.x..........x",
    "..........x.........x......x", ".......x......x........",
};

static void make_indices(struct test *s)
{
    uint16_t indices[VKT_COUNT(patterns) * MAX_INDICES];
    for (uint32_t p = 0; p < VKT_COUNT(patterns); p++)
        for (uint32_t i = 0; i < MAX_INDICES; i++) {
            const bool cut = i < strlen(patterns[p]) && patterns[p][i] == 'x';
            indices[p * MAX_INDICES + i] = cut ? RESTART : (uint16_t)((i * 5 + p) % 31);
        }
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

static bool is_list(int topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
}

#define NO_TOPOLOGY VK_PRIMITIVE_TOPOLOGY_MAX_ENUM /* no input assembly */

struct variant {
    int topology;
    struct vkt_code fs;
    bool last, restart;
    uint32_t dynamic; /* states: 1, the topology, or 2, primitive restart, too */
};

static VkPipeline make_pipeline(struct test *s, const struct variant *v)
{
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                             VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = v->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                       : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    const void *next = s->t->features.provoking_last ? &provoking : NULL;
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = (void *)next,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(nogs_vert),
        .fs = v->fs,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = (VkPrimitiveTopology)v->topology,
        .restart = v->restart,
        .rasterization_next = s->t->features.bresenham_lines ? &line : next,
        .dynamic = dynamic,
        .dynamic_count = v->dynamic,
    };
    return vkt_pipeline(s->t, &info);
}

static VkCommandBuffer begin(struct test *s)
{
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    return cmd;
}

static void end(struct test *s, VkCommandBuffer cmd, const char *name, uint32_t least)
{
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(s->t, &s->target.color, 4);
    vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, drawn >= least, "%s: only %u pixels", name, drawn);
}

/* Bands 0 to 9 of the picture. */
static void draw_plain(VkCommandBuffer cmd)
{
    vkCmdDraw(cmd, 26, 1, 0, 0);
    vkCmdDraw(cmd, 17, 2, 9, 1);
    for (uint32_t count = 3; count < 7; count++)
        vkCmdDraw(cmd, count, 1, count, count); /* bands 3 to 6 */
    vkCmdDrawIndexed(cmd, 25, 2, 0, 1, 7);
    vkCmdDrawIndexed(cmd, 20, 1, 4, 3, 9);
}

/* Bands 10 to 15. */
static void draw_cut(VkCommandBuffer cmd)
{
    for (uint32_t p = 0; p < VKT_COUNT(patterns); p++)
        vkCmdDrawIndexed(cmd, (uint32_t)strlen(patterns[p]), p == 4 ? 2 : 1, p * MAX_INDICES, 1,
                         10 + p);
}

static void run_topology(struct test *s, int topology, bool last)
{
    const bool adjacency = topology >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    const bool number = !adjacency || last;
    struct variant v = {.topology = topology,
                        .fs = number ? VKT_CODE(nogs_number) : VKT_CODE(nogs_plain),
                        .last = last};
    char name[64];
    snprintf(name, sizeof(name), "%s%s/%s", last ? "opt/" : "", names[topology],
             last ? "last" : "first");
    VkCommandBuffer cmd = begin(s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &v));
    draw_plain(cmd);
    if (!is_list(topology)) {
        v.restart = true;
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &v));
        draw_cut(cmd);
    }
    end(s, cmd, name, 300);
}

/* One pipeline, a topology of its class after the other. */
static void run_dynamic(struct test *s, const int *topologies, uint32_t count, const char *name)
{
    const struct variant v = {
        .topology = topologies[count - 1], .fs = VKT_CODE(nogs_number), .dynamic = 1};
    VkCommandBuffer cmd = begin(s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, &v));
    for (uint32_t i = 0; i < count; i++) {
        vkCmdSetPrimitiveTopology(cmd, (VkPrimitiveTopology)topologies[i]);
        vkCmdDraw(cmd, 26, 1, 0, 2 * i);
        vkCmdDrawIndexed(cmd, 25, 1, 0, 0, 2 * i + 1);
    }
    end(s, cmd, name, 300);
}

/* Likewise, with restarts where there are some, and draws of a pipeline whose topology is static
 * between those of the other; then in the other order, the topology set first. */
static void run_mixed(struct test *s, const struct variant *v, VkPipeline still,
                      const int *topologies, uint32_t count, const char *name)
{
    const VkPipeline pipeline = make_pipeline(s, v);
    VkCommandBuffer cmd = begin(s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    for (uint32_t i = 0; i < count; i++) {
        const bool cut = !is_list(topologies[i]);
        vkCmdSetPrimitiveTopology(cmd, (VkPrimitiveTopology)topologies[i]);
        vkCmdSetPrimitiveRestartEnable(cmd, cut);
        vkCmdDraw(cmd, 24, 1, 2, i);
        if (cut)
            vkCmdDrawIndexed(cmd, (uint32_t)strlen(patterns[i % VKT_COUNT(patterns)]), 1,
                             i % VKT_COUNT(patterns) * MAX_INDICES, 1, 10 + i % 6);
    }
    for (uint32_t i = count; i-- > 0;) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, still);
        vkCmdDraw(cmd, 4, 1, 26, i);
        vkCmdSetPrimitiveTopology(cmd, (VkPrimitiveTopology)topologies[i]);
        vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDrawIndexed(cmd, 9, 1, 0, 22, i);
    }
    end(s, cmd, name, 300);
}

/* Every topology of a pipeline for another one; without any_topology those of its class. */
static void run_all_mixed(struct test *s)
{
    static const int bases[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, NO_TOPOLOGY};
    static const int lines[] = {1, 6, 2, 7}, triangles[] = {3, 8, 4, 5, 9};
    static const int all[TOPOLOGIES] = {6, 0, 1, 3, 8, 2, 4, 5, 7, 9};
    const struct variant still = {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                  .fs = VKT_CODE(nogs_plain)};
    const VkPipeline still_pipeline = make_pipeline(s, &still);
    struct variant v = {.fs = VKT_CODE(nogs_plain), .dynamic = 2};
    v.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    run_mixed(s, &v, still_pipeline, lines, VKT_COUNT(lines), "mixed/lines");
    v.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run_mixed(s, &v, still_pipeline, triangles, VKT_COUNT(triangles), "mixed/triangles");
    /* Older drivers of Mesa read input assembly that need not be there. */
    const uint32_t base_count =
        VKT_COUNT(bases) - (s->t->properties.apiVersion < VK_MAKE_API_VERSION(0, 1, 4, 0));
    for (uint32_t i = 0; s->t->features.any_topology && i < 2 * base_count; i++) {
        const bool number = i % 2;
        char name[64];
        v.topology = bases[i / 2];
        v.fs = number ? VKT_CODE(nogs_number) : VKT_CODE(nogs_plain);
        snprintf(name, sizeof(name), "opt/any/%s/%s",
                 v.topology == NO_TOPOLOGY ? "none" : names[v.topology],
                 number ? "number" : "plain");
        run_mixed(s, &v, still_pipeline, all, TOPOLOGIES, name);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-nogs", argc, argv);
    options.dynamic_states3 = true;
    struct vkt t;
    vkt_init(&t, &options);
    struct test s = {.t = &t};
    make_indices(&s);
    s.target = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, NULL, 0);
    for (int topology = 0; topology < TOPOLOGIES; topology++) {
        run_topology(&s, topology, false);
        if (t.features.provoking_last)
            run_topology(&s, topology, true);
    }
    static const int lines[] = {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY};
    static const int triangles[] = {
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY};
    if (t.properties.apiVersion >= VK_API_VERSION_1_3) {
        run_dynamic(&s, lines, VKT_COUNT(lines), "dynamic/lines");
        run_dynamic(&s, triangles, VKT_COUNT(triangles), "dynamic/triangles");
        run_all_mixed(&s);
    }

    const struct variant layered = {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                    .fs = VKT_CODE(nogs_layer)};
    VkCommandBuffer cmd = begin(&s);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(&s, &layered));
    draw_plain(cmd);
    end(&s, cmd, "layer", 300);
    return vkt_finish(&t);
}
