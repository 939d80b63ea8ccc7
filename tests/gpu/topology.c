/* SPDX-License-Identifier: MIT
 *
 * Every input topology, drawn with every kind of index, restart, offset and instance count that a
 * draw has, in both provoking modes. The geometry shader logs all that it sees; the log is held
 * against the specification's table.
 * Options: --arguments, the same with indirect draws; --print-order, says in which order the
 * vertices of a short run came, whatever that is, and holds nothing against anything.
 */
#include "common/vkt.h"
#include "gpu/topology_draws.h"
#include "gpu/topology_input.h"
#include "gpu/topology_table.h"

#include "topology_line.h"
#include "topology_line_adjacency.h"
#include "topology_point.h"
#include "topology_triangle.h"
#include "topology_triangle_adjacency.h"
#include "topology_vert.h"
#include "value_frag.h"

#include <string.h>

#define LOG_W (1u << 20)
#define FILL 0xcd
#define COLUMNS 16u
#define ROWS 64u
#define INVOCATIONS 2u

/* As in topology.geom. */
struct push {
    uint32_t base_w, first_instance, primitives, slots, row;
};

struct suite {
    struct vkt *t;
    VkPrimitiveTopology topology;
    bool provoking_last, print_order;
    char name[64]; /* of the topology in that mode */
    struct topology_draws list;
    struct push pushes[TOPOLOGY_MAX_DRAWS]; /* of the draws */
    uint32_t log_w;
    struct vkt_buffer log;
    struct topology_input input;
    VkDeviceSize index_B;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[2]; /* [restart] */
    struct vkt_target target;
};

static void make_draws(struct suite *s)
{
    s->list.topology = s->topology;
    s->log_w = 0;
    topology_draws_make(&s->list, s->t->features.index_u8);
    for (uint32_t i = 0; i < s->list.count; i++) {
        const struct topology_draw *d = &s->list.draws[i];
        uint32_t positions[6], start, in_segment;
        struct push *push = &s->pushes[i];
        push->primitives =
            topology_draw_primitive(s->topology, d, UINT32_MAX, positions, &start, &in_segment);
        push->slots = push->primitives * d->instances * INVOCATIONS;
        push->first_instance = d->first_instance;
        push->row = i;
        push->base_w = s->log_w;
        s->log_w += 4 + push->slots * (4 + 8 * topology_vertices(s->topology));
    }
    if (s->log_w > LOG_W)
        vkt_die("the log is too small");
}

static void record_draw(struct suite *s, VkCommandBuffer cmd, uint32_t number)
{
    const struct topology_draw *d = &s->list.draws[number];
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[d->restart]);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(struct push),
                       &s->pushes[number]);
    const VkDeviceSize index_B =
        d->indexed ? topology_draw_write(d, &s->input.indices, &s->index_B) : 0;
    topology_draw_record(cmd, &s->list, d, s->input.indices.buffer, index_B);
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static void expect_vertex(uint32_t out[8], const struct topology_draw *d, uint32_t position,
                          uint32_t instance)
{
    const uint32_t vertex = topology_draw_vertex(d, position);
    const uint32_t global_instance = d->first_instance + instance;
    const uint32_t tag = topology_vertex_tag(vertex);
    const uint32_t want[8] = {
        vertex,
        global_instance,
        tag,
        topology_instance_tag(global_instance),
        float_bits((float)vertex * 0.25f),
        float_bits((float)global_instance),
        float_bits((float)tag),
        float_bits(1.0f + (float)(vertex & 7)),
    };
    memcpy(out, want, sizeof(want));
}

static void check_draw(struct suite *s, uint32_t number)
{
    const struct topology_draw *d = &s->list.draws[number];
    const struct push *push = &s->pushes[number];
    const uint32_t vertices = topology_vertices(s->topology);
    const uint32_t *log = (const uint32_t *)s->log.map + push->base_w;
    const uint32_t base = 0x01010101u * FILL;
    VKT_EXPECT(s->t, log[0] == base + push->slots && log[1] == base,
               "%s draw %u: %u invocations, %u out of range, wanted %u", s->name, number,
               log[0] - base, log[1] - base, push->slots);
    for (uint32_t slot = 0; slot < push->slots; slot++) {
        const uint32_t invocation = slot % INVOCATIONS;
        const uint32_t primitive = slot / INVOCATIONS % push->primitives;
        const uint32_t instance = slot / INVOCATIONS / push->primitives;
        const uint32_t *got = log + 4 + slot * (4 + 8 * vertices);
        VKT_EXPECT(s->t,
                   got[0] == base + 1 && got[1] == primitive && got[2] == invocation &&
                       got[3] == vertices,
                   "%s draw %u slot %u: ran %u times, primitive %u, invocation %u", s->name, number,
                   slot, got[0] - base, got[1], got[2]);
        uint32_t positions[6], start, in_segment;
        topology_draw_primitive(s->topology, d, primitive, positions, &start, &in_segment);
        if (s->provoking_last)
            topology_turn(s->topology, in_segment, positions);
        for (uint32_t k = 0; k < vertices; k++) {
            uint32_t want[8];
            expect_vertex(want, d, positions[k], instance);
            const uint32_t *at = got + 4 + 8 * k;
            VKT_EXPECT(s->t, memcmp(at, want, sizeof(want)) == 0,
                       "%s draw %u (count %u, %s, restart %d) slot %u vertex %u: vertex %u "
                       "instance %u tags %u %u, "
                       "wanted %u %u %u %u",
                       s->name, number, d->count, d->indexed ? "indexed" : "plain", d->restart,
                       slot, k, at[0], at[1], at[2], at[3], want[0], want[1], want[2], want[3]);
        }
    }
}

/* Of the longest plain draw from the first vertex on. */
static void print_order(const struct suite *s)
{
    const uint32_t vertices = topology_vertices(s->topology);
    for (uint32_t i = 0; i < s->list.count; i++) {
        const struct topology_draw *d = &s->list.draws[i];
        if (d->indexed || d->first || d->count != 2 * vertices + 3)
            continue;
        const uint32_t *log = (const uint32_t *)s->log.map + s->pushes[i].base_w;
        printf("%s, %u vertices:", s->name, d->count);
        for (uint32_t primitive = 0; primitive < s->pushes[i].primitives; primitive++) {
            const uint32_t *got = log + 4 + primitive * INVOCATIONS * (4 + 8 * vertices);
            for (uint32_t k = 0; k < vertices; k++)
                printf("%s%u", k ? " " : primitive ? " | " : " ", got[4 + 8 * k]);
        }
        printf("\n");
    }
}

static struct vkt_code geometry_code(VkPrimitiveTopology topology)
{
    switch (topology_vertices(topology)) {
    case 1:
        return VKT_CODE(topology_point);
    case 2:
        return VKT_CODE(topology_line);
    case 3:
        return VKT_CODE(topology_triangle);
    case 4:
        return VKT_CODE(topology_line_adjacency);
    default:
        return VKT_CODE(topology_triangle_adjacency);
    }
}

static void make_pipelines(struct suite *s)
{
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(topology_vert),
        .gs = geometry_code(s->topology),
        .fs = VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = COLUMNS,
        .height_px = ROWS,
        .topology = s->topology,
        .rasterization_next = s->provoking_last ? &provoking : NULL,
    };
    topology_input_describe(&info);
    s->pipelines[0] = vkt_pipeline(s->t, &info);
    info.restart = true;
    s->pipelines[1] = topology_is_list(s->topology) ? VK_NULL_HANDLE : vkt_pipeline(s->t, &info);
}

static void run_topology(struct suite *s)
{
    struct vkt *t = s->t;
    s->index_B = 0;
    snprintf(s->name, sizeof(s->name), "%s/%s", topology_names[s->topology],
             s->provoking_last ? "last" : "first");
    memset(s->log.map, FILL, s->log.size_B);
    make_draws(s);
    make_pipelines(s);

    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    topology_input_bind(cmd, &s->input);
    for (uint32_t i = 0; i < s->list.count; i++)
        record_draw(s, cmd, i);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);

    if (s->print_order) {
        print_order(s);
        return;
    }
    for (uint32_t i = 0; i < s->list.count; i++)
        check_draw(s, i);
    vkt_dump_buffer(t, s->name, s->log.map, (size_t)s->log_w * 4);
    char name[80];
    snprintf(name, sizeof(name), "%s/image", s->name);
    const struct vkt_buffer pixels = vkt_image_read(t, &s->target.color, 4);
    vkt_dump_image(t, name, pixels.map, COLUMNS, ROWS, 4);
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = s->t;
    s->log = vkt_buffer(
        t, LOG_W * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, FILL);
    s->input = topology_input(t);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-topology", argc, argv);
    static struct suite s;
    struct vkt t;
    vkt_init(&t, &options);
    if (!t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    s.t = &t;
    s.print_order = vkt_flag(&options, "--print-order");
    if (vkt_flag(&options, "--arguments"))
        topology_draws_indirect(&s.list, &t);
    make_buffers(&s);
    s.target = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, COLUMNS, ROWS);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&t, &binding, 1);
    s.set = vkt_set(&t, set_layout, &binding, 1);
    vkt_write_buffer(&t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    const VkPushConstantRange range = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(struct push)};
    s.layout = vkt_layout(&t, &set_layout, 1, &range, 1);
    for (uint32_t i = 0; i < 2 * TOPOLOGY_COUNT; i++) {
        s.topology = (VkPrimitiveTopology)(i / 2);
        s.provoking_last = i % 2;
        if (!s.provoking_last || t.features.provoking_last)
            run_topology(&s);
    }
    return vkt_finish(&t);
}
