/* SPDX-License-Identifier: MIT
 *
 * Indirect draws whose arguments no application means, and such as need more memory than there is:
 * nothing is written where it should not, the device goes on, and what was too small is larger for
 * what is recorded later. Only for runs through the layer.
 */
#include "common/vkt_query.h"
#include "gpu/xfb_move.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAPTURE_B 4096u
#define RANGE_B 2048u /* of it */
#define ARGS_B 256u
#define QUERIES 2u

struct rig {
    struct move m;
    struct vkt_buffer captured, args, indices;
    VkQueryPool pool;
    FILE *said; /* what comes to stderr */
};

/* A pass with one interval, of one call. */
static void record_call(struct rig *r, VkCommandBuffer cmd, uint32_t query, enum move_kind kind,
                        bool indexed, VkDeviceSize args_B)
{
    const struct xfb_range range = {r->captured.buffer, 0, RANGE_B};
    move_begin_pass(&r->m, cmd, false);
    move_bind(&r->m, cmd, kind, r->m.items.buffer, 0, (struct move_item){0});
    vkCmdBindIndexBuffer(cmd, r->indices.buffer, 4, VK_INDEX_TYPE_UINT16);
    vkCmdBeginQueryIndexedEXT(cmd, r->pool, query, 0, 0);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    if (indexed)
        vkCmdDrawIndexedIndirect(cmd, r->args.buffer, args_B, 3, 20);
    else
        vkCmdDrawIndirect(cmd, r->args.buffer, args_B, 3, 16);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndQueryIndexedEXT(cmd, r->pool, query, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static VkCommandBuffer begin(struct rig *r)
{
    memset(r->captured.map, XFB_FILL, CAPTURE_B);
    memset(r->args.map, 0, ARGS_B);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, r->pool, 0, QUERIES);
    return cmd;
}

/* After which the layer looks at what was missing. */
static void submit(struct rig *r, VkCommandBuffer cmd)
{
    vkt_submit(&r->m.t, cmd);
    VKT_CALL(vkResetCommandBuffer(cmd, 0));
}

/* Primitives needed by a call. */
static uint64_t read_query(struct rig *r, uint32_t query)
{
    struct vkt *t = &r->m.t;
    uint64_t counted[2];
    VKT_CALL(vkGetQueryPoolResults(t->device, r->pool, query, 1, sizeof(counted), counted,
                                   sizeof(counted), VK_QUERY_RESULT_64_BIT));
    VKT_EXPECT(t, counted[0] <= counted[1] && counted[0] * MOVE_ITEM_B <= RANGE_B,
               "%u primitives written, %u needed", (unsigned)counted[0], (unsigned)counted[1]);
    xfb_expect_rest(t, "range", &r->captured, (VkDeviceSize)counted[0] * MOVE_ITEM_B);
    return counted[1];
}

/* One indirect draw in an interval. Returns the primitives needed. */
static uint64_t run(struct rig *r, enum move_kind kind, bool indexed, const uint32_t words[5])
{
    VkCommandBuffer cmd = begin(r);
    memcpy(r->args.map, words, indexed ? 20 : 16);
    record_call(r, cmd, 0, kind, indexed, 0);
    submit(r, cmd);
    return read_query(r, 0);
}

/* Points that the geometry shader makes: see xfb_move.geom. Items beyond the last are zeros.
 */
static uint64_t geometry_points(uint32_t vertices)
{
    uint64_t points = 0;
    for (uint32_t i = 0; i < vertices; i++)
        points += ((i < MOVE_ITEMS ? i : 0) + i) % 4;
    return points;
}

static void expect_sane(struct rig *r, const char *what)
{
    const uint32_t words[5] = {10, 1, 0, 0, 0};
    uint64_t got = run(r, MOVE_CAPTURE_GEOMETRY, false, words);
    VKT_EXPECT(&r->m.t, got == geometry_points(10), "after %s: %u points", what, (unsigned)got);
    got = run(r, MOVE_CAPTURE, false, words);
    VKT_EXPECT(&r->m.t, got == 10, "after %s: %u points captured", what, (unsigned)got);
}

/* What has been said since the last call. */
static const char *said(struct rig *r)
{
    static char text[4096];
    fflush(stderr);
    const size_t length = fread(text, 1, sizeof(text) - 1, r->said);
    text[length] = '\0';
    clearerr(r->said);
    return text;
}

static void run_hostile(struct rig *r)
{
    static const uint32_t huge = UINT32_MAX;
    const struct {
        const char *what;
        uint32_t words[5];
        bool indexed;
        uint64_t want;
    } all[] = {
        {"vertices", {huge, 1, 0, 0, 0}, false, 0},
        {"instances", {1, huge, 0, 0, 0}, false, 0},
        {"both", {huge, huge, 0, 0, 0}, false, 0},
        {"product", {65536, 65536, 0, 0, 0}, false, 0},
        {"product and one", {65537, 65535, 0, 0, 0}, false, 0},
        {"first vertex", {4, 1, huge, 0, 0}, false, 0 + 1 + 3 + 1}, /* goes on at 0 */
        {"first instance", {4, 1, 0, huge, 0}, false, 0 + 2 + 0 + 2},
        {"indices", {huge, 1, 0, 0, 0}, true, 0},
        {"first index", {4, 1, huge, 0, 0}, true, 0 + 1 + 2 + 3},
        {"vertex offset", {4, 1, 0, 0x80000000, 0}, true, 0 + 1 + 2 + 3},
        {"everything", {huge, huge, huge, huge, huge}, true, 0},
    };
    said(r);
    for (uint32_t i = 0; i < VKT_COUNT(all); i++) {
        const uint64_t got = run(r, MOVE_CAPTURE_GEOMETRY, all[i].indexed, all[i].words);
        VKT_EXPECT(&r->m.t, got == all[i].want, "%s: %u points, wanted %u", all[i].what,
                   (unsigned)got, (unsigned)all[i].want);
        const bool complains = strstr(said(r), "too large for the layer") != NULL;
        VKT_EXPECT(&r->m.t, complains == (all[i].words[0] > 4 || all[i].words[1] > 4),
                   "%s: %s said", all[i].what, complains ? "something was" : "nothing was");
        expect_sane(r, all[i].what);
    }
}

/* Draws that fit in memory, but not in the pool as it is at first: of 1 MiB. Nothing is missing
 * then either. */
static void run_overflow(struct rig *r)
{
    const uint32_t words[5] = {40000, 1, 0, 0, 0};
    const uint64_t want = geometry_points(40000);
    said(r);
    for (uint32_t round = 0; round < 2; round++) {
        const uint64_t got = run(r, MOVE_CAPTURE_GEOMETRY, false, words);
        VKT_EXPECT(&r->m.t, got == want, "round %u: %u points, wanted %u", round, (unsigned)got,
                   (unsigned)want);
        const char *text = said(r);
        VKT_EXPECT(&r->m.t, !text[0], "said of what came out right: %s", text);
    }
    expect_sane(r, "overflow");
}

/* What nobody can count comes to nothing also where memory has the counts of an earlier pass. */
static void run_stale(struct rig *r)
{
    const uint32_t fits[4] = {80000, 1}, huge[4] = {UINT32_MAX, 1};
    VkCommandBuffer cmd = begin(r);
    memcpy(r->args.map, huge, sizeof(huge));
    memcpy((unsigned char *)r->args.map + ARGS_B / 2, fits, sizeof(fits));
    record_call(r, cmd, 1, MOVE_CAPTURE_GEOMETRY, false, ARGS_B / 2);
    record_call(r, cmd, 0, MOVE_CAPTURE_GEOMETRY, false, 0);
    submit(r, cmd);
    uint64_t counted[4];
    VKT_CALL(vkGetQueryPoolResults(r->m.t.device, r->pool, 0, 2, sizeof(counted), counted, 16,
                                   VK_QUERY_RESULT_64_BIT));
    VKT_EXPECT(&r->m.t, counted[3] == geometry_points(fits[0]), "what fits: %u points, wanted %u",
               (unsigned)counted[3], (unsigned)geometry_points(fits[0]));
    VKT_EXPECT(&r->m.t, counted[1] == 0, "what does not fit: %u points", (unsigned)counted[1]);
}

/* A draw that is too large for everything is left out also where another of the call is drawn
 * without memory: the device would be at it for hours. */
static void run_beside(struct rig *r)
{
    const uint32_t words[3][4] = {{160000, 1}, {UINT32_MAX, 1}, {10, 1}};
    const uint64_t want = geometry_points(words[0][0]) + geometry_points(words[2][0]);
    VkCommandBuffer cmd = begin(r);
    memcpy(r->args.map, words, sizeof(words));
    record_call(r, cmd, 0, MOVE_CAPTURE_GEOMETRY, false, 0);
    submit(r, cmd);
    const uint64_t got = read_query(r, 0);
    VKT_EXPECT(&r->m.t, got == want, "beside one too large: %u points, wanted %u", (unsigned)got,
               (unsigned)want);
}

static void open_stderr(struct rig *r)
{
    char path[] = "/tmp/pgs-indirect-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0)
        vkt_die("no file for messages");
    r->said = fopen(path, "r");
    unlink(path);
    close(file);
}

/* What was said stands in a file that nobody else reads. */
static void show(struct rig *r)
{
    static char text[65536];
    rewind(r->said);
    const size_t length = fread(text, 1, sizeof(text), r->said);
    fwrite(text, 1, length, stdout);
}

int main(int argc, char **argv)
{
    static struct rig r;
    setenv("VK_POLY_GS_POOL", "1", 1);
    open_stderr(&r);
    move_init(&r.m, "gpu-indirect_bad", argc, argv);
    r.captured = xfb_buffer(&r.m.t, CAPTURE_B);
    r.args = xfb_buffer(&r.m.t, ARGS_B);
    r.indices = xfb_buffer(&r.m.t, 64);
    memset(r.indices.map, 0, 64);
    for (uint32_t i = 0; i < 32; i++)
        ((uint16_t *)r.indices.map)[i] = (uint16_t)(i + 100);
    r.pool = vkt_query_pool(&r.m.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, QUERIES, 0);
    run_hostile(&r);
    run_overflow(&r);
    run_stale(&r);
    run_beside(&r);
    const int status = vkt_finish(&r.m.t);
    if (status)
        show(&r);
    return status;
}
