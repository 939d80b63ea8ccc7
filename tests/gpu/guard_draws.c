/* SPDX-License-Identifier: MIT */
#include "gpu/guard.h"

#include <string.h>

#define MOST_INDICES 48u
#define MOST_DRAWS 4u
#define HUGE_WORD UINT32_MAX

/* Of a primitive. */
static const uint32_t least_vertices[GUARD_KINDS] = {1, 1, 3, 2};

struct numbers {
    uint32_t count, instances, first, first_instance;
    int32_t vertex_offset; /* of indexed draws */
};

static struct vkt_buffer buffer(struct guard *g, VkDeviceSize least_B, VkBufferUsageFlags usage)
{
    return guard_buffer(&g->t, (least_B + 63) / 64 * 64, usage, 0xee, g->side);
}

/* More than the layer has invocations for. Others that would take a device days are left out. */
static void make_huge(struct guard *g, struct numbers *n)
{
    static const uint32_t huge[][2] = {
        {HUGE_WORD, 1},     {1, HUGE_WORD}, {HUGE_WORD, HUGE_WORD},
        {HUGE_WORD - 1, 2}, {65536, 65536}, {0x80000000u, 0x80000000u},
        {0x80000001u, 2},   {HUGE_WORD, 0}, {0, HUGE_WORD}};
    const uint32_t *pair = huge[guard_random(g, VKT_COUNT(huge))];
    n->count = pair[0];
    n->instances = pair[1];
}

static void spoil_numbers(struct guard *g, struct numbers *n)
{
    if (guard_random(g, 2)) {
        n->count += guard_random(g, 100);
        n->instances += guard_random(g, 3);
    }
    if (guard_random(g, 2))
        n->first = guard_extreme(g);
    if (guard_random(g, 2))
        n->first_instance = guard_extreme(g);
    if (guard_random(g, 2))
        n->vertex_offset = (int32_t)guard_extreme(g);
}

/* Vertices and instances that are there, often the last ones. */
static struct numbers in_range(struct guard *g)
{
    struct numbers n = {.count = guard_random(g, g->vertex_count + 1),
                        .instances = guard_random(g, 4) ? 1 : guard_random(g, 4)};
    const uint32_t rest = g->vertex_count - n.count;
    n.first = guard_random(g, 3) ? rest : guard_random(g, rest + 1);
    n.first_instance = g->instance_count - n.instances;
    if (guard_random(g, 3) == 0)
        n.first_instance = guard_random(g, n.first_instance + 1);
    if (!g->t.features.core.drawIndirectFirstInstance)
        n.first_instance = 0;
    return n;
}

/* -- indices -- */

static uint32_t index_size_B(VkIndexType type)
{
    return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

static VkIndexType any_index_type(struct guard *g)
{
    const uint32_t kinds = g->t.features.index_u8 ? 3 : 2;
    const VkIndexType types[3] = {VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32,
                                  VK_INDEX_TYPE_UINT8_EXT};
    return types[guard_random(g, kinds)];
}

/* An index whose vertex is there, with the offset of the draw, or the restart index. */
static uint32_t good_index(struct guard *g, uint32_t size_B, int32_t vertex_offset, bool restarts)
{
    if (restarts && guard_random(g, 8) == 0)
        return HUGE_WORD >> (32 - 8 * size_B);
    const uint32_t vertex =
        guard_random(g, 3) ? guard_random(g, g->vertex_count) : g->vertex_count - 1;
    return (uint32_t)((int64_t)vertex - vertex_offset);
}

/* Offsets with which indices of the size reach all vertices. */
static int32_t good_vertex_offset(struct guard *g, uint32_t size_B)
{
    static const int32_t offsets[3][3] = {
        {0, -100, -1}, {0, -60000, -7}, {0, -0x7fffff00, -1000000}};
    return offsets[size_B / 2][guard_random(g, 3)];
}

/* Binds indices that end with their buffer, and makes the numbers those of the draw. indirect:
 * lavapipe 22.3 takes indices from the start of the buffer then. */
static void bind_indices(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind,
                         struct numbers *n, bool indirect)
{
    const VkIndexType type = any_index_type(g);
    const uint32_t size_B = index_size_B(type), before = 1 + guard_random(g, 4);
    n->count = guard_random(g, MOST_INDICES);
    n->vertex_offset = good_vertex_offset(g, size_B);
    const uint32_t all = before + n->count;
    const struct vkt_buffer b = buffer(g, all * size_B, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const uint32_t bound = indirect ? 0 : (uint32_t)b.size_B / size_B - all;
    n->first = (uint32_t)b.size_B / size_B - n->count - bound;
    for (uint32_t i = 0; i < b.size_B / size_B; i++) {
        const bool hostile = g->hostile && guard_random(g, 3) == 0;
        const uint32_t index = hostile
                                   ? guard_extreme(g)
                                   : good_index(g, size_B, n->vertex_offset, kind == GUARD_STRIP);
        memcpy((uint8_t *)b.map + i * size_B, &index, size_B);
    }
    vkCmdBindIndexBuffer(cmd, b.buffer, (VkDeviceSize)bound * size_B, type);
}

/* -- arguments -- */

/* The draw that is meant, and others that come to nothing, which lavapipe 22.3 may not pass over if
 * they come first; or any, if hostile. Returns the offset
 * of the first one: the last one ends with the buffer. */
static VkDeviceSize write_arguments(struct guard *g, const struct numbers *n, bool indexed,
                                    uint32_t draws, uint32_t stride_B, struct vkt_buffer *args)
{
    const uint32_t command_B = indexed ? 20 : 16, chosen = g->hostile ? guard_random(g, draws) : 0;
    const VkDeviceSize size_B = (VkDeviceSize)(draws - 1) * stride_B + command_B;
    *args = buffer(g, size_B, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkDeviceSize at_B = args->size_B - size_B;
    for (uint32_t i = 0; i < draws; i++) {
        struct numbers each = *n;
        if (i != chosen && guard_random(g, 2))
            each.count = 0;
        else if (i != chosen)
            each.instances = 0;
        if (g->hostile)
            spoil_numbers(g, &each);
        if (g->hostile && guard_random(g, 3) == 0)
            make_huge(g, &each);
        const uint32_t words[5] = {each.count, each.instances, each.first,
                                   indexed ? (uint32_t)each.vertex_offset : each.first_instance,
                                   each.first_instance};
        memcpy((uint8_t *)args->map + at_B + (VkDeviceSize)i * stride_B, words, command_B);
    }
    return at_B;
}

/* The last word of a buffer. */
static struct vkt_buffer last_word(struct guard *g, VkBufferUsageFlags usage, uint32_t word)
{
    struct vkt_buffer b = buffer(g, 4, usage);
    memcpy((uint8_t *)b.map + b.size_B - 4, &word, 4);
    return b;
}

static void draw_indirect(struct guard *g, VkCommandBuffer cmd, struct numbers *n, bool indexed,
                          bool counted)
{
    const uint32_t command_B = indexed ? 20 : 16;
    const uint32_t stride_B = command_B + 4 * guard_random(g, 3);
    const uint32_t draws =
        g->t.features.core.multiDrawIndirect ? 1 + guard_random(g, MOST_DRAWS) : 1;
    struct vkt_buffer args, count;
    const VkDeviceSize at_B = write_arguments(g, n, indexed, draws, stride_B, &args);
    /* More than there is, which the layer sees. */
    const uint32_t most = draws + (g->hostile && g->layered && guard_random(g, 4) == 0 ? 60 : 0);
    if (!counted && indexed) {
        vkCmdDrawIndexedIndirect(cmd, args.buffer, at_B, most, stride_B);
    } else if (!counted) {
        vkCmdDrawIndirect(cmd, args.buffer, at_B, most, stride_B);
    } else {
        uint32_t word = guard_random(g, 2) ? guard_random(g, draws + 2) : guard_extreme(g);
        if (!g->hostile && !word) /* lavapipe 22.3 leaves out later calls without a count, too */
            word = 1;
        count = last_word(g, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, word);
        (indexed ? vkCmdDrawIndexedIndirectCount : vkCmdDrawIndirectCount)(
            cmd, args.buffer, at_B, count.buffer, count.size_B - 4, most, stride_B);
    }
}

static void draw_byte_count(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind,
                            struct numbers *n)
{
    uint32_t stride_B = 4 + 4 * guard_random(g, 8), offset_B = 4 * guard_random(g, 5);
    uint32_t counted_B = offset_B + n->count * stride_B + guard_random(g, stride_B);
    if (g->hostile && kind != GUARD_PLAIN) {
        counted_B = guard_extreme(g);
        offset_B = guard_random(g, 2) ? guard_extreme(g) & ~3u : offset_B;
        n->instances = guard_random(g, 3);
    }
    const struct vkt_buffer counter =
        last_word(g,
                  VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                  counted_B);
    if (!g->layered) /* lavapipe 22.3 draws it wrong */
        vkCmdDraw(cmd, n->count, n->instances, 0, n->first_instance);
    else
        vkCmdDrawIndirectByteCountEXT(cmd, n->instances, n->first_instance, counter.buffer,
                                      counter.size_B - 4, offset_B, stride_B);
}

static void draw_direct(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind,
                        struct numbers *n, bool indexed)
{
    if (g->hostile)
        spoil_numbers(g, n);
    if (g->hostile && kind != GUARD_PLAIN && guard_random(g, 20) == 0)
        make_huge(g, n);
    g->refused |=
        n->count >= least_vertices[kind] && (uint64_t)n->count * n->instances > UINT32_MAX - 1;
    if (indexed)
        vkCmdDrawIndexed(cmd, n->count, n->instances, n->first, n->vertex_offset,
                         n->first_instance);
    else
        vkCmdDraw(cmd, n->count, n->instances, n->first, n->first_instance);
}

void guard_draw(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind)
{
    struct numbers n = in_range(g);
    const bool indexed = guard_random(g, 2);
    const uint32_t ways = g->t.features.indirect_count ? 4 : 3;
    uint32_t way = guard_random(g, ways); /* direct, indirect, by byte count, with a count */
    if (!g->hostile && kind == GUARD_STRIP && indexed && way != 2)
        way = 0; /* lavapipe 22.3 loses indices of indirect draws where they may restart */
    if (g->captures_only && kind == GUARD_PLAIN) /* indirect ones are the driver's in any case */
        way &= 2;
    if (indexed && way != 2)
        bind_indices(g, cmd, kind, &n, way != 0);
    if (way == 0)
        draw_direct(g, cmd, kind, &n, indexed);
    else if (way == 2)
        draw_byte_count(g, cmd, kind, &n);
    else
        draw_indirect(g, cmd, &n, indexed, way == 3);
}
