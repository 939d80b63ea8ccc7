/* SPDX-License-Identifier: MIT
 *
 * vkCmdDrawIndirectByteCountEXT: as many vertices as a counter says, drawn by the driver, through a
 * geometry shader, and captured in turn; the counter from a capture earlier in the same subpass or
 * in another pass, or from the host.
 */
#include "gpu/xfb_move.h"

#include <string.h>
#include <sys/resource.h>

#define CAPTURE_B 8192u
#define LARGE_B (256u << 20)
#define MANY 20000u
#define ADDRESSES_B (UINT64_C(4) << 30)

struct rig {
    struct move m;
    struct vkt_buffer moved, again; /* captured once, captured from that */
    struct vkt_buffer counters;     /* of moved, of again */
};

struct bytes {
    uint32_t offset_B, stride_B;
};

static void start(struct rig *r)
{
    memset(r->moved.map, XFB_FILL, CAPTURE_B);
    memset(r->again.map, XFB_FILL, CAPTURE_B);
    memset(r->counters.map, XFB_FILL, r->counters.size_B);
}

/* Captures all items to `moved`. */
static void capture(struct rig *r, VkCommandBuffer cmd)
{
    const struct xfb_range range = {r->moved.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, 4, 0};
    const struct move_item change = {1, 10, 3, 1};
    move_bind(&r->m, cmd, MOVE_CAPTURE, r->m.items.buffer, 0, change);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
}

/* Draws two instances of what `moved` holds, by its counter. */
static void draw(struct rig *r, VkCommandBuffer cmd, enum move_kind kind, struct bytes bytes)
{
    const struct xfb_range range = {r->again.buffer, 64, CAPTURE_B - 64};
    const struct xfb_range counter = {r->counters.buffer, 8, 0};
    const struct move_item change = {0, 1000, 0, 20};
    const bool captures = kind >= MOVE_CAPTURE;
    move_bind(&r->m, cmd, kind, r->moved.buffer, 0, change);
    if (captures) {
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
    }
    vkCmdDrawIndirectByteCountEXT(cmd, 2, 3, r->counters.buffer, 4, bytes.offset_B, bytes.stride_B);
    if (captures)
        xfb_end(cmd, 0, 1, &counter);
}

static void finish(struct rig *r, VkCommandBuffer cmd, const char *name, bool native_too)
{
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    if (!native_too)
        return;
    xfb_dump(&r->m.t, r->moved.map, CAPTURE_B, "%s/moved", name);
    xfb_dump(&r->m.t, r->again.map, CAPTURE_B, "%s/again", name);
    xfb_dump(&r->m.t, r->counters.map, r->counters.size_B, "%s/counters", name);
    xfb_dump_target(&r->m.t, &r->m.target, "%s/image", name);
}

/* Draws what the items in `moved` become into `want` and returns how many there are: see the
 * shaders. */
static uint32_t draw_expected(struct rig *r, enum move_kind kind, uint32_t vertices, uint32_t *want)
{
    const bool geometry = kind == MOVE_SHOW_GEOMETRY || kind == MOVE_CAPTURE_GEOMETRY;
    uint32_t count = 0;
    memset(want, 0, sizeof(*want) * MOVE_SIDE_PX * MOVE_SIDE_PX);
    for (uint32_t i = 0; i < 2 * vertices; i++) {
        const uint32_t instance = 3 + i / vertices, vertex = i % vertices;
        struct move_item item;
        memcpy(&item, (const uint8_t *)r->moved.map + vertex * sizeof(item), sizeof(item));
        const uint32_t copies = geometry ? (item.number + vertex) % 4 : 1;
        for (uint32_t k = 0; k < copies; k++) {
            const uint32_t x = item.x + 5 * instance + k, y = item.y + 20;
            want[y % MOVE_SIDE_PX * MOVE_SIDE_PX + x % MOVE_SIDE_PX] =
                item.value + 1000 + instance + 100 * k;
        }
        count += copies;
    }
    return count;
}

static void expect(struct rig *r, const char *name, enum move_kind kind, uint32_t counter_B,
                   struct bytes bytes, bool first_drawn)
{
    static uint32_t want[MOVE_SIDE_PX * MOVE_SIDE_PX];
    const uint32_t rest_B = counter_B > bytes.offset_B ? counter_B - bytes.offset_B : 0;
    const uint32_t count = draw_expected(r, kind, rest_B / bytes.stride_B, want);
    VKT_EXPECT(&r->m.t, xfb_word(&r->counters, 4) == counter_B, "%s: counter %u, wanted %u", name,
               xfb_word(&r->counters, 4), counter_B);
    if (!first_drawn) {
        const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
        VKT_EXPECT(&r->m.t, memcmp(pixels.map, want, sizeof(want)) == 0, "%s: another picture",
                   name);
    }
    if (kind < MOVE_CAPTURE)
        return;
    VKT_EXPECT(&r->m.t, xfb_word(&r->counters, 8) == count * MOVE_ITEM_B,
               "%s: captured %u bytes, wanted %u", name, xfb_word(&r->counters, 8),
               count * MOVE_ITEM_B);
    xfb_expect_rest(&r->m.t, name, &r->again, 64 + count * MOVE_ITEM_B);
}

static void run_captured(struct rig *r, enum move_kind kind, bool same_subpass, struct bytes bytes)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/%s/%u-%u", move_names[kind],
             same_subpass ? "subpass" : "passes", bytes.offset_B, bytes.stride_B);
    start(r);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    move_begin_pass(&r->m, cmd, false);
    capture(r, cmd);
    if (same_subpass) {
        xfb_subpass_barrier(cmd);
    } else {
        vkCmdEndRenderPass(cmd);
        xfb_barrier(cmd);
        move_begin_pass(&r->m, cmd, false);
    }
    draw(r, cmd, kind, bytes);
    finish(r, cmd, name, bytes.offset_B == 0);
    expect(r, name, kind, MOVE_ITEMS * MOVE_ITEM_B, bytes, same_subpass);
}

/* A counter of the host, who then also writes the vertices. */
static void run_written(struct rig *r, enum move_kind kind, uint32_t counter_B, struct bytes bytes)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/written/%u-%u-%u", move_names[kind], counter_B, bytes.offset_B,
             bytes.stride_B);
    start(r);
    memcpy(r->moved.map, r->m.items.map, MOVE_ITEMS * MOVE_ITEM_B);
    memcpy((uint8_t *)r->counters.map + 4, &counter_B, 4);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    move_begin_pass(&r->m, cmd, false);
    draw(r, cmd, kind, bytes);
    finish(r, cmd, name, true);
    expect(r, name, kind, counter_B, bytes, false);
}

/* So many that the pool has no memory for what a geometry shader emits. */
static void run_many(struct rig *r, enum move_kind kind)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/many", move_names[kind]);
    start(r);
    struct move_item *items = r->moved.map;
    for (uint32_t i = 0; i < MANY; i++)
        items[i] = (struct move_item){i, i * 7, i * 31 % MOVE_SIDE_PX, i * 17 % 61};
    const uint32_t counter_B = MANY * MOVE_ITEM_B;
    memcpy((uint8_t *)r->counters.map + 4, &counter_B, 4);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    move_begin_pass(&r->m, cmd, false);
    draw(r, cmd, kind, (struct bytes){0, MOVE_ITEM_B});
    finish(r, cmd, name, true);
    memset(r->moved.map, XFB_FILL, MANY * sizeof(*items));
}

/* Captures what the counter says behind itself, with the same counter. Twice, in one subpass. */
static void run_itself(struct rig *r, enum move_kind kind)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/itself", move_names[kind]);
    start(r);
    const uint32_t counter_B = 5 * MOVE_ITEM_B;
    memcpy(r->moved.map, r->m.items.map, counter_B);
    memcpy((uint8_t *)r->counters.map + 4, &counter_B, 4);
    const struct xfb_range range = {r->moved.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, 4, 0};
    const struct move_item change = {1, 10, 3, 1};
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    move_begin_pass(&r->m, cmd, false);
    move_bind(&r->m, cmd, kind, r->moved.buffer, 0, change);
    xfb_bind(cmd, 0, 1, &range);
    for (uint32_t i = 0; i < 3; i++) {
        xfb_begin(cmd, 0, 1, &counter);
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counters.buffer, 4, 0, MOVE_ITEM_B);
        xfb_end(cmd, 0, 1, &counter);
        xfb_subpass_barrier(cmd);
    }
    finish(r, cmd, name, true);
    const uint32_t got = xfb_word(&r->counters, 4);
    if (kind == MOVE_CAPTURE)
        VKT_EXPECT(&r->m.t, got == 8 * counter_B, "%s: counter %u, wanted %u", name, got,
                   8 * counter_B);
    xfb_expect_rest(&r->m.t, name, &r->moved, got);
}

/* Drivers that run on a CPU have no other limit. Sanitizers need more themselves. */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const struct rlimit limit = {ADDRESSES_B, ADDRESSES_B};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-xfb_draw", argc, argv);
    if (!r.m.t.xfb.transformFeedbackDraw)
        vkt_skip("no transformFeedbackDraw");
    const bool large = vkt_flag(&r.m.t.options, "--large");
    r.moved = xfb_buffer(&r.m.t, large ? LARGE_B : CAPTURE_B);
    if (large)
        limit_memory();
    r.again = xfb_buffer(&r.m.t, CAPTURE_B);
    r.counters = xfb_buffer(&r.m.t, 64);
    /* Mesa 22.3's lavapipe takes every counterOffset for 0. */
    const bool layer = vkt_has_layer(&r.m.t.options, "poly_gs");
    /* The counter is 640. */
    const struct bytes bytes[] = {{0, 16},   {0, 20},   {16, 16}, {8, 16},
                                  {624, 16}, {640, 16}, {700, 16}};
    for (uint32_t kind = 0; kind < MOVE_KINDS; kind++) {
        for (uint32_t i = 0; i < (layer ? VKT_COUNT(bytes) : 2); i++) {
            run_captured(&r, (enum move_kind)kind, false, bytes[i]);
            run_captured(&r, (enum move_kind)kind, true, bytes[i]);
        }
        const uint32_t counters_B[] = {0, 4, 15, 16, 17, 50, 255};
        for (uint32_t i = 0; i < VKT_COUNT(counters_B); i++)
            run_written(&r, (enum move_kind)kind, counters_B[i], (struct bytes){0, 16});
        if (large)
            run_many(&r, (enum move_kind)kind);
    }
    run_itself(&r, MOVE_CAPTURE);
    run_itself(&r, MOVE_CAPTURE_GEOMETRY);
    return vkt_finish(&r.m.t);
}
