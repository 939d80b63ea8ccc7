/* SPDX-License-Identifier: MIT */
#include "gpu/topology_draws.h"

#include "gpu/topology_table.h"

#include <string.h>

const char *const topology_names[TOPOLOGY_COUNT] = {
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

static bool is_restart(const struct topology_draw *d, uint32_t position)
{
    return d->restart && d->indices[position] == TOPOLOGY_RESTART;
}

uint32_t topology_draw_primitive(VkPrimitiveTopology topology, const struct topology_draw *d,
                                 uint32_t wanted, uint32_t positions[6], uint32_t *start,
                                 uint32_t *in_segment)
{
    uint32_t from = 0, seen = 0;
    for (uint32_t i = 0; i <= d->count; i++) {
        if (i < d->count && !is_restart(d, i))
            continue;
        const uint32_t n = topology_primitives(topology, i - from);
        if (wanted >= seen && wanted < seen + n) {
            topology_primitive(topology, i - from, wanted - seen, positions);
            for (uint32_t k = 0; k < topology_vertices(topology); k++)
                positions[k] += from;
            *start = from;
            *in_segment = wanted - seen;
        }
        seen += n;
        from = i + 1;
    }
    return seen;
}

uint32_t topology_draw_vertex(const struct topology_draw *d, uint32_t position)
{
    return d->indexed ? d->indices[position] + (uint32_t)d->vertex_offset : d->first + position;
}

static void add(struct topology_draws *s, struct topology_draw d)
{
    if (s->count == TOPOLOGY_MAX_DRAWS)
        vkt_die("too many draws");
    s->draws[s->count++] = d;
}

static struct topology_draw indexed(VkIndexType type, uint32_t count)
{
    struct topology_draw d = {.count = count, .instances = 1, .indexed = true, .type = type};
    for (uint32_t i = 0; i < TOPOLOGY_MAX_INDICES; i++)
        d.indices[i] = (i * 5 + 3) % 16;
    return d;
}

static void add_plain(struct topology_draws *s, const VkIndexType *types, uint32_t type_count)
{
    const uint32_t m = topology_vertices(s->topology);
    for (uint32_t count = 0; count <= 2 * m + 3; count++)
        add(s, (struct topology_draw){.count = count, .instances = 1});
    add(s, (struct topology_draw){.count = 17, .instances = 3, .first = 3, .first_instance = 2});
    add(s, (struct topology_draw){.count = 17, .instances = 0, .first_instance = 2});
    add(s, (struct topology_draw){.count = m, .instances = 1, .first = 40, .first_instance = 5});
    for (uint32_t i = 0; i < type_count; i++) {
        for (uint32_t count = 0; count <= 2 * m + 2; count++)
            add(s, indexed(types[i], count));
        struct topology_draw d = indexed(types[i], 15);
        d.first = 5;
        d.vertex_offset = 20;
        d.instances = 3;
        d.first_instance = 1;
        add(s, d);
        d.first = 1;
        d.vertex_offset = -2;
        for (uint32_t k = 0; k < TOPOLOGY_MAX_INDICES; k++)
            d.indices[k] += 4;
        add(s, d);
        d.instances = 0;
        add(s, d);
        /* With restart off the greatest index is an index like others. */
        if (types[i] != VK_INDEX_TYPE_UINT32) {
            d = indexed(types[i], 13);
            const uint32_t greatest = types[i] == VK_INDEX_TYPE_UINT16 ? UINT16_MAX : UINT8_MAX;
            for (uint32_t k = 0; k < TOPOLOGY_MAX_INDICES; k++)
                d.indices[k] = greatest - k % 7;
            d.vertex_offset = 30 - (int32_t)greatest;
            add(s, d);
        }
    }
}

static void add_restart(struct topology_draws *s, const VkIndexType *types, uint32_t type_count)
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
            struct topology_draw d =
                indexed(types[i], count < TOPOLOGY_MAX_INDICES ? count : TOPOLOGY_MAX_INDICES);
            d.restart = true;
            for (uint32_t n = 0; n < d.count; n++)
                if (patterns[k][n] == 'x')
                    d.indices[n] = TOPOLOGY_RESTART;
            add(s, d);
            d.instances = 2;
            d.first = 3;
            d.vertex_offset = k % 2 ? -1 : 7;
            for (uint32_t n = 0; n < d.count; n++)
                if (d.indices[n] != TOPOLOGY_RESTART)
                    d.indices[n]++;
            add(s, d);
        }
    }
}

bool topology_is_list(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
}

void topology_draws_make(struct topology_draws *list, bool index_u8)
{
    const VkIndexType types[] = {VK_INDEX_TYPE_UINT32, VK_INDEX_TYPE_UINT16,
                                 VK_INDEX_TYPE_UINT8_EXT};
    const uint32_t type_count = index_u8 ? 3 : 2;
    list->count = 0;
    add_plain(list, types, type_count);
    if (!topology_is_list(list->topology))
        add_restart(list, types, type_count);
}

VkDeviceSize topology_draw_write(const struct topology_draw *d, const struct vkt_buffer *buffer,
                                 VkDeviceSize *end_B)
{
    const uint32_t size_B = index_size_B(d->type);
    const VkDeviceSize at = *end_B;
    *end_B += ((VkDeviceSize)(d->first + d->count) * size_B + 7) & ~(VkDeviceSize)3;
    if (*end_B > buffer->size_B)
        vkt_die("the index buffer is too small");
    uint8_t *to = (uint8_t *)buffer->map + at + (size_t)d->first * size_B;
    for (uint32_t i = 0; i < d->count; i++)
        memcpy(to + (size_t)i * size_B, &d->indices[i], size_B); /* little-endian: the low bytes */
    return at;
}

/* Of each draw in list->args: what vkCmdDraw(Indexed)Indirect reads, and a count behind it. */
#define ARGS_STRIDE_B 24u
#define ARGS_COUNT_B 20u

void topology_draws_indirect(struct topology_draws *list, struct vkt *t)
{
    if (!t->features.core.drawIndirectFirstInstance)
        vkt_skip("no drawIndirectFirstInstance");
    list->indirect = true;
    list->counts = t->features.indirect_count;
    list->args = vkt_buffer(t, (VkDeviceSize)TOPOLOGY_MAX_DRAWS * ARGS_STRIDE_B,
                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0xee);
}

/* Mesa 22.3's lavapipe forgets where the index buffer is bound, and with a count about restart. */
static void record_indirect(VkCommandBuffer cmd, struct topology_draws *list,
                            const struct topology_draw *d, VkDeviceSize index_B)
{
    const uint32_t number = (uint32_t)(d - list->draws);
    const VkBuffer buffer = list->args.buffer;
    const VkDeviceSize at_B = (VkDeviceSize)number * ARGS_STRIDE_B, count_B = at_B + ARGS_COUNT_B;
    const uint32_t first = d->first + (uint32_t)(index_B / index_size_B(d->type));
    const uint32_t args[5] = {d->count, d->instances, first,
                              d->indexed ? (uint32_t)d->vertex_offset : d->first_instance,
                              d->first_instance};
    const uint32_t count = 1 + number % 3; /* 1 is what it comes to */
    memcpy((uint8_t *)list->args.map + at_B, args, d->indexed ? 20 : 16);
    memcpy((uint8_t *)list->args.map + count_B, &count, sizeof(count));
    const bool counts = list->counts && number % 2 && !d->restart;
    if (counts && d->indexed)
        vkCmdDrawIndexedIndirectCount(cmd, buffer, at_B, buffer, count_B, 1, 20);
    else if (counts)
        vkCmdDrawIndirectCount(cmd, buffer, at_B, buffer, count_B, 1, 16);
    else if (d->indexed)
        vkCmdDrawIndexedIndirect(cmd, buffer, at_B, 1, 0);
    else
        vkCmdDrawIndirect(cmd, buffer, at_B, 1, 0);
}

void topology_draw_record(VkCommandBuffer cmd, struct topology_draws *list,
                          const struct topology_draw *d, VkBuffer indices, VkDeviceSize index_B)
{
    if (d->indexed)
        vkCmdBindIndexBuffer(cmd, indices, list->indirect ? 0 : index_B, d->type);
    if (list->indirect)
        record_indirect(cmd, list, d, index_B);
    else if (d->indexed)
        vkCmdDrawIndexed(cmd, d->count, d->instances, d->first, d->vertex_offset,
                         d->first_instance);
    else
        vkCmdDraw(cmd, d->count, d->instances, d->first, d->first_instance);
}
