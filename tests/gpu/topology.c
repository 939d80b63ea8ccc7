/* SPDX-License-Identifier: MIT
 *
 * Every input topology, drawn with every kind of index, restart, offset and instance count that a
 * direct draw has. The geometry shader logs all that it sees; the log is held against the
 * specification's table.
 */
#include "common/vkt.h"
#include "gpu/topology_table.h"

#include "topology_line.h"
#include "topology_line_adjacency.h"
#include "topology_point.h"
#include "topology_triangle.h"
#include "topology_triangle_adjacency.h"
#include "topology_vert.h"
#include "value_frag.h"

#include <string.h>

#define MAX_DRAWS 256
#define MAX_INDICES 32
#define LOG_W (1u << 20)
#define FILL 0xcd
#define COLUMNS 16u
#define ROWS 64u
#define INVOCATIONS 2u
#define RESTART UINT32_MAX
/* The vertex buffer: tags at an odd place in a wider vertex. */
#define VERTEX_STRIDE_B 12u
#define VERTEX_COUNT 64u

/* As in topology.geom. */
struct push {
    uint32_t base_w, first_instance, primitives, slots, row;
};

struct draw {
    uint32_t count; /* of vertices or indices */
    uint32_t instances, first_instance;
    uint32_t first; /* vertex or index */
    int32_t vertex_offset;
    bool indexed, restart;
    VkIndexType type;
    uint32_t indices[MAX_INDICES]; /* RESTART: the restart index of the type */
    struct push push;
};

struct suite {
    struct vkt *t;
    VkPrimitiveTopology topology;
    struct draw draws[MAX_DRAWS];
    uint32_t draw_count;
    uint32_t log_w;
    struct vkt_buffer log, indices, vertices, instances;
    VkDeviceSize index_B;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[2]; /* [restart] */
    struct vkt_target target;
};

static const char *const names[] = {
    "point-list",
    "line-list",
    "line-strip",
    "triangle-list",
    "triangle-strip",
    "triangle-fan",
    "line-list-adjacency",
    "line-strip-adjacency",
    "triangle-list-adjacency",
    "triangle-strip-adjacency",
};

static uint32_t index_size_B(VkIndexType type)
{
    return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

/* Calls back with the positions of every primitive of the draw, in order. Returns their number. */
static uint32_t each_primitive(const struct suite *s, const struct draw *d, uint32_t wanted,
                               uint32_t positions[6])
{
    uint32_t start = 0, seen = 0;
    for (uint32_t i = 0; i <= d->count; i++) {
        if (i < d->count && !(d->restart && d->indices[i] == RESTART))
            continue;
        const uint32_t n = topology_primitives(s->topology, i - start);
        if (wanted >= seen && wanted < seen + n) {
            topology_primitive(s->topology, i - start, wanted - seen, positions);
            for (uint32_t k = 0; k < topology_vertices(s->topology); k++)
                positions[k] += start;
        }
        seen += n;
        start = i + 1;
    }
    return seen;
}

static void add(struct suite *s, struct draw d)
{
    if (s->draw_count == MAX_DRAWS)
        vkt_die("too many draws");
    uint32_t positions[6];
    d.push.primitives = each_primitive(s, &d, UINT32_MAX, positions);
    d.push.slots = d.push.primitives * d.instances * INVOCATIONS;
    d.push.first_instance = d.first_instance;
    d.push.row = s->draw_count;
    d.push.base_w = s->log_w;
    s->log_w += 4 + d.push.slots * (4 + 8 * topology_vertices(s->topology));
    if (s->log_w > LOG_W)
        vkt_die("the log is too small");
    s->draws[s->draw_count++] = d;
}

static struct draw indexed(VkIndexType type, uint32_t count)
{
    struct draw d = {.count = count, .instances = 1, .indexed = true, .type = type};
    for (uint32_t i = 0; i < MAX_INDICES; i++)
        d.indices[i] = (i * 5 + 3) % 16;
    return d;
}

static void add_plain(struct suite *s, const VkIndexType *types, uint32_t type_count)
{
    const uint32_t m = topology_vertices(s->topology);
    for (uint32_t count = 0; count <= 2 * m + 3; count++)
        add(s, (struct draw){.count = count, .instances = 1});
    add(s, (struct draw){.count = 17, .instances = 3, .first = 3, .first_instance = 2});
    add(s, (struct draw){.count = 17, .instances = 0, .first_instance = 2});
    add(s, (struct draw){.count = m, .instances = 1, .first = 40, .first_instance = 5});
    for (uint32_t i = 0; i < type_count; i++) {
        for (uint32_t count = 0; count <= 2 * m + 2; count++)
            add(s, indexed(types[i], count));
        struct draw d = indexed(types[i], 15);
        d.first = 5;
        d.vertex_offset = 20;
        d.instances = 3;
        d.first_instance = 1;
        add(s, d);
        d.first = 1;
        d.vertex_offset = -2;
        for (uint32_t k = 0; k < MAX_INDICES; k++)
            d.indices[k] += 4;
        add(s, d);
        d.instances = 0;
        add(s, d);
        /* With restart off the greatest index is an index like others. */
        if (types[i] != VK_INDEX_TYPE_UINT32) {
            d = indexed(types[i], 13);
            const uint32_t greatest = types[i] == VK_INDEX_TYPE_UINT16 ? UINT16_MAX : UINT8_MAX;
            for (uint32_t k = 0; k < MAX_INDICES; k++)
                d.indices[k] = greatest - k % 7;
            d.vertex_offset = 30 - (int32_t)greatest;
            add(s, d);
        }
    }
}

static void add_restart(struct suite *s, const VkIndexType *types, uint32_t type_count)
{
    /* 'x' is a restart, '.' an index. */
    static const char *const patterns[] = {
        "x.......",
        ".......x",
        "....xx........",
        "xx..x...x....x.....x......x.......x",
        "xxxx",
        "x",
        "........x........x........",
        "............x.......",
        ".x.x.x.x.x.x.x.",
        "............",
        "xx.............xxx",
    };
    for (uint32_t i = 0; i < type_count; i++) {
        for (uint32_t k = 0; k < VKT_COUNT(patterns); k++) {
            const uint32_t count = (uint32_t)strlen(patterns[k]);
            struct draw d = indexed(types[i], count < MAX_INDICES ? count : MAX_INDICES);
            d.restart = true;
            for (uint32_t n = 0; n < d.count; n++)
                if (patterns[k][n] == 'x')
                    d.indices[n] = RESTART;
            add(s, d);
            d.instances = 2;
            d.first = 3;
            d.vertex_offset = k % 2 ? -1 : 7;
            for (uint32_t n = 0; n < d.count; n++)
                if (d.indices[n] != RESTART)
                    d.indices[n]++;
            add(s, d);
        }
    }
}

/* Writes the draw's indices behind those of the others and returns where its first one would be. */
static VkDeviceSize write_indices(struct suite *s, const struct draw *d)
{
    const uint32_t size_B = index_size_B(d->type);
    const VkDeviceSize at = s->index_B;
    uint8_t *to = (uint8_t *)s->indices.map + at + (size_t)d->first * size_B;
    for (uint32_t i = 0; i < d->count; i++)
        memcpy(to + (size_t)i * size_B, &d->indices[i], size_B); /* little-endian: the low bytes */
    s->index_B += ((VkDeviceSize)(d->first + d->count) * size_B + 7) & ~(VkDeviceSize)3;
    if (s->index_B > s->indices.size_B)
        vkt_die("the index buffer is too small");
    return at;
}

static void record_draw(struct suite *s, VkCommandBuffer cmd, const struct draw *d)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[d->restart]);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(d->push), &d->push);
    if (!d->indexed) {
        vkCmdDraw(cmd, d->count, d->instances, d->first, d->first_instance);
        return;
    }
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, write_indices(s, d), d->type);
    vkCmdDrawIndexed(cmd, d->count, d->instances, d->first, d->vertex_offset, d->first_instance);
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static void expect_vertex(uint32_t out[8], const struct draw *d, uint32_t position,
                          uint32_t instance)
{
    const uint32_t vertex =
        d->indexed ? d->indices[position] + (uint32_t)d->vertex_offset : d->first + position;
    const uint32_t global_instance = d->first_instance + instance;
    const uint32_t tag = 1000 + 7 * vertex;
    const uint32_t want[8] = {
        vertex,
        global_instance,
        tag,
        500 + 3 * global_instance,
        float_bits((float)vertex * 0.25f),
        float_bits((float)global_instance),
        float_bits((float)tag),
        float_bits(1.0f + (float)(vertex & 7)),
    };
    memcpy(out, want, sizeof(want));
}

static void check_draw(struct suite *s, uint32_t number)
{
    const struct draw *d = &s->draws[number];
    const uint32_t vertices = topology_vertices(s->topology);
    const uint32_t *log = (const uint32_t *)s->log.map + d->push.base_w;
    const uint32_t base = 0x01010101u * FILL;
    VKT_EXPECT(s->t, log[0] == base + d->push.slots && log[1] == base,
               "%s draw %u: %u invocations, %u out of range, wanted %u", names[s->topology], number,
               log[0] - base, log[1] - base, d->push.slots);
    for (uint32_t slot = 0; slot < d->push.slots; slot++) {
        const uint32_t invocation = slot % INVOCATIONS;
        const uint32_t primitive = slot / INVOCATIONS % d->push.primitives;
        const uint32_t instance = slot / INVOCATIONS / d->push.primitives;
        const uint32_t *got = log + 4 + slot * (4 + 8 * vertices);
        VKT_EXPECT(s->t,
                   got[0] == base + 1 && got[1] == primitive && got[2] == invocation &&
                       got[3] == vertices,
                   "%s draw %u slot %u: ran %u times, primitive %u, invocation %u",
                   names[s->topology], number, slot, got[0] - base, got[1], got[2]);
        uint32_t positions[6];
        each_primitive(s, d, primitive, positions);
        for (uint32_t k = 0; k < vertices; k++) {
            uint32_t want[8];
            expect_vertex(want, d, positions[k], instance);
            const uint32_t *at = got + 4 + 8 * k;
            VKT_EXPECT(s->t, memcmp(at, want, sizeof(want)) == 0,
                       "%s draw %u (count %u, %s, restart %d) slot %u vertex %u: vertex %u "
                       "instance %u tags %u %u, "
                       "wanted %u %u %u %u",
                       names[s->topology], number, d->count, d->indexed ? "indexed" : "plain",
                       d->restart, slot, k, at[0], at[1], at[2], at[3], want[0], want[1], want[2],
                       want[3]);
        }
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

static bool is_list(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
}

static void make_pipelines(struct suite *s)
{
    const VkVertexInputBindingDescription bindings[2] = {
        {0, VERTEX_STRIDE_B, VK_VERTEX_INPUT_RATE_VERTEX},
        {3, 4, VK_VERTEX_INPUT_RATE_INSTANCE},
    };
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32_UINT, 4},
        {1, 3, VK_FORMAT_R32_UINT, 0},
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
        .bindings = bindings,
        .binding_count = VKT_COUNT(bindings),
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    s->pipelines[0] = vkt_pipeline(s->t, &info);
    info.restart = true;
    s->pipelines[1] = is_list(s->topology) ? VK_NULL_HANDLE : vkt_pipeline(s->t, &info);
}

static void run_topology(struct suite *s)
{
    struct vkt *t = s->t;
    const VkIndexType types[] = {VK_INDEX_TYPE_UINT32, VK_INDEX_TYPE_UINT16,
                                 VK_INDEX_TYPE_UINT8_EXT};
    const uint32_t type_count = t->features.index_u8 ? 3 : 2;
    s->draw_count = s->log_w = 0;
    s->index_B = 0;
    memset(s->log.map, FILL, s->log.size_B);
    add_plain(s, types, type_count);
    if (!is_list(s->topology))
        add_restart(s, types, type_count);
    make_pipelines(s);

    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    const VkDeviceSize zero = 0, vertex_offset_B = 8;
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &vertex_offset_B);
    vkCmdBindVertexBuffers(cmd, 3, 1, &s->instances.buffer, &zero);
    for (uint32_t i = 0; i < s->draw_count; i++)
        record_draw(s, cmd, &s->draws[i]);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);

    for (uint32_t i = 0; i < s->draw_count; i++)
        check_draw(s, i);
    char name[64];
    vkt_dump_buffer(t, names[s->topology], s->log.map, (size_t)s->log_w * 4);
    snprintf(name, sizeof(name), "%s/image", names[s->topology]);
    const struct vkt_buffer pixels = vkt_image_read(t, &s->target.color, 4);
    vkt_dump_image(t, name, pixels.map, COLUMNS, ROWS, 4);
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = s->t;
    s->log = vkt_buffer(
        t, LOG_W * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, FILL);
    s->indices = vkt_buffer(t, MAX_DRAWS * MAX_INDICES * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    s->vertices =
        vkt_buffer(t, 8 + VERTEX_COUNT * VERTEX_STRIDE_B, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0xee);
    for (uint32_t i = 0; i < VERTEX_COUNT; i++) {
        const uint32_t tag = 1000 + 7 * i;
        memcpy((uint8_t *)s->vertices.map + 8 + i * VERTEX_STRIDE_B + 4, &tag, sizeof(tag));
    }
    s->instances = vkt_buffer(t, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 16; i++)
        ((uint32_t *)s->instances.map)[i] = 500 + 3 * i;
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
    for (uint32_t i = 0; i < VKT_COUNT(names); i++) {
        s.topology = (VkPrimitiveTopology)i;
        run_topology(&s);
    }
    return vkt_finish(&t);
}
