/* SPDX-License-Identifier: MIT
 *
 * Queries that the layer counts, on a fake driver, a fake draw module and a fake pipeline module:
 * what is recorded in which order, results on the host in every form, waiting, and failure of every
 * allocation.
 */
#include "base/log.h"
#include "fake_modules.h"
#include "pipeline/kernels.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_events.h"
#include "fake_queries.h"

#define TARGET HANDLE(VkBuffer, 0x99)

static VkQueryPool pools[4]; /* of new_queries and new_statistics */
static uint32_t pool_count;
static VkCommandBuffer second;
static VkQueryPipelineStatisticFlags inherited_statistics;
static VkDeviceAddress counted_grids; /* where grids were counted last */
static struct pgs_root pushed;        /* last */

/* Pool and query, "A1", and of its values those of our own work. */
static void note_query(VkDeviceAddress address)
{
    for (uint32_t i = 0; i < pool_count; i++) {
        const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pools[i]);
        if (!p || address - pgs_query_address(p, 0) >= p->count * p->stride_B)
            continue;
        const uint64_t at_B = address - pgs_query_address(p, 0), rest_B = at_B % p->stride_B;
        note_more(" %c%u", 'A' + i, (unsigned)(at_B / p->stride_B));
        if (rest_B == PGS_QUERY_VALUES_B + 8 * PGS_STATISTIC_OWN_GRIDS)
            note_more(" own grids");
        else if (rest_B == PGS_QUERY_VALUES_B + 8 * PGS_STATISTIC_OWN_DISPATCHES)
            note_more(" own dispatches");
        else
            assert_int_equal(rest_B, 0);
    }
}

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    if (what == FAKE_CAPTURE) {
        assert_int_equal(a, 0);
        note("capture %s%u", c ? "native " : "", (unsigned)b);
        return;
    }
    note_module(what, a);
    if (what == FAKE_COUNT_GRIDS)
        counted_grids = a;
    if (what == FAKE_COUNT_GRIDS || what == FAKE_QUERY_ENDS)
        note_query(a);
}

/* --- The driver --- */

static VkResult begin_buffer(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb;
    if (info->pInheritanceInfo)
        inherited_statistics = info->pInheritanceInfo->pipelineStatistics;
    return VK_SUCCESS;
}

static void note_offset(VkBuffer buffer, VkDeviceSize offset)
{
    const VkBufferDeviceAddressInfo info = {.buffer = buffer};
    note_query(fake_GetBufferDeviceAddress(dev.handle, &info) + offset);
}

static void update(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                   const void *data)
{
    uint64_t value;
    (void)cb;
    assert_int_equal(size, sizeof(value));
    memcpy(&value, data, sizeof(value));
    note("update");
    note_offset(buffer, offset);
    note_more(" = %u", (unsigned)value);
}

static void fill(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                 uint32_t data)
{
    (void)cb;
    note("fill");
    note_offset(buffer, offset);
    note_more(", %u bytes = %u", (unsigned)size, data);
}

/* Offsets in our memory from the first one. */
static void copy_buffer(VkCommandBuffer cb, VkBuffer from, VkBuffer to, uint32_t count,
                        const VkBufferCopy *regions)
{
    (void)cb, (void)to;
    assert_true((from == TARGET) != (to == TARGET));
    note(from == TARGET ? "copy from target" : "copy to target");
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t here = from == TARGET ? regions[i].dstOffset - regions[0].dstOffset
                                             : regions[i].srcOffset - regions[0].srcOffset;
        note_more(" %u:%u+%u", (unsigned)here,
                  (unsigned)(from == TARGET ? regions[i].srcOffset : regions[i].dstOffset),
                  (unsigned)regions[i].size);
    }
}

static void dispatch(VkCommandBuffer cb, uint32_t x, uint32_t y, uint32_t z)
{
    (void)cb;
    assert_int_equal(y * z, 1);
    note("dispatch %u", x);
}

static void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *values)
{
    (void)cb, (void)layout, (void)stages;
    assert_true(offset + size <= sizeof(pushed));
    memcpy((char *)&pushed + offset, values, size);
}

static void begin_precise(VkCommandBuffer cb, VkQueryPool from, uint32_t query,
                          VkQueryControlFlags flags)
{
    begin_query(cb, from, query, flags);
    note_more(flags & VK_QUERY_CONTROL_PRECISE_BIT ? " precise" : "");
}

static void reset_native(VkCommandBuffer cb, VkQueryPool from, uint32_t first, uint32_t count)
{
    (void)cb, (void)from;
    note("reset %u+%u", first, count);
}

VkResult pgs_kernel_get(struct pgs_device *d, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout)
{
    (void)d;
    assert_true(kernel == PGS_KERNEL_QUERY_COPY || kernel == PGS_KERNEL_QUERY_DRAIN);
    *pipeline = kernel == PGS_KERNEL_QUERY_COPY ? KERNEL : DRAIN;
    *layout = HANDLE(VkPipelineLayout, 0xcd);
    return VK_SUCCESS;
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    forget();
    pool_count = 0;
    fake_possible = false;
    fence_status = VK_NOT_READY;
    prepare_memory();
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_QUERY_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdPipelineBarrier = note_stages_barrier,
                .CmdUpdateBuffer = update,
                .CmdFillBuffer = fill,
                .CmdCopyBuffer = copy_buffer,
                .CmdDispatch = dispatch,
                .CmdPushConstants = push,
                .CmdResetQueryPool = reset_native,
            },
    };
    dev.vk.BeginCommandBuffer = begin_buffer;
    dev.vk.CmdBeginQuery = begin_precise;
    if (open_commands() != 0 || open_memory() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    close_commands();
    return close_memory();
}

static VkQueryPool new_pool_of(const VkQueryPoolCreateInfo *info)
{
    VkQueryPool queries = VK_NULL_HANDLE;
    assert_int_equal(pgs_CreateQueryPool(dev.handle, info, NULL, &queries), VK_SUCCESS);
    assert_true(pool_count < sizeof(pools) / sizeof(pools[0]));
    return pools[pool_count++] = queries;
}

static VkQueryPool new_queries(VkQueryType type, uint32_t count)
{
    return new_pool_of(&(VkQueryPoolCreateInfo){
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type,
        .queryCount = count,
    });
}

static void draw_in_pass(VkCommandBuffer cb, uint32_t vertices)
{
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    pgs_CmdBeginRenderPass(cb, &info, VK_SUBPASS_CONTENTS_INLINE);
    bind(cb, EMULATED);
    pgs_CmdDraw(cb, vertices, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
}

/* The second command buffer, alone in a pass of the first. */
static void execute_in_pass(void)
{
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
}

static void begin_inheriting(VkCommandBufferUsageFlags flags, VkQueryPipelineStatisticFlags bits)
{
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pipelineStatistics = bits,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
        .pInheritanceInfo = &inherit,
    };
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    assert_int_equal(inherit.pipelineStatistics, bits);
}

/* What the GPU writes. */
static uint64_t *query_words(VkQueryPool queries, uint32_t query)
{
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, queries);
    return (uint64_t *)((unsigned char *)p->memory.mapped + query * p->stride_B);
}

#define XFB VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT
#define GENERATED VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT

/* --- Tests --- */

static void test_pools(void **context)
{
    (void)context;
    const VkQueryPool occlusion = new_queries(VK_QUERY_TYPE_OCCLUSION, 3);
    assert_int_equal(created_type, VK_QUERY_TYPE_OCCLUSION);
    assert_false(fake_possible);
    assert_null(pgs_query_pool_find(&dev, occlusion));
    const VkQueryPool queries = new_queries(XFB, 3);
    assert_true(created_type != XFB); /* the driver does not know it */
    assert_true(fake_possible);       /* passes are queued from here on */
    const struct pgs_query_pool *ours = pgs_query_pool_find(&dev, queries);
    assert_non_null(ours);
    assert_int_equal(pgs_query_address(ours, 2) - pgs_query_address(ours, 0), 2 * 24);
    pgs_DestroyQueryPool(dev.handle, queries, NULL);
    assert_null(pgs_query_pool_find(&dev, queries));
    pgs_DestroyQueryPool(dev.handle, VK_NULL_HANDLE, NULL);
    pgs_DestroyQueryPool(dev.handle, occlusion, NULL);
    new_queries(GENERATED, 1); /* left for the module to destroy */
    assert_int_equal(fakes.alive[FAKE_QUERY_POOL]--, 1);
}

static void test_in_pass(void **context)
{
    (void)context;
    const VkQueryPool xfb = new_queries(XFB, 4), generated = new_queries(GENERATED, 2);
    const VkQueryPool occlusion = new_queries(VK_QUERY_TYPE_OCCLUSION, 1);
    begin(cmd, 0);
    pgs_CmdResetQueryPool(cmd, xfb, 1, 2);
    pgs_CmdResetQueryPool(cmd, occlusion, 0, 1);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdBeginQueryIndexedEXT(cmd, xfb, 1, 0, 2);
    pgs_CmdBeginQuery(cmd, xfb, 2, 0);
    pgs_CmdBeginQuery(cmd, occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndQueryIndexedEXT(cmd, xfb, 2, 0); /* the forms may be mixed */
    pgs_CmdBeginQuery(cmd, generated, 0, 0);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdEndQueryIndexedEXT(cmd, xfb, 1, 2);
    pgs_CmdEndQueryIndexedEXT(cmd, occlusion, 0, 0);
    pgs_CmdEndQuery(cmd, generated, 0);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    /* Counted: the second and the third draw alone. */
    expect_drawn("barrier compute transfer > transfer host; fill A1, 48 bytes = 0; "
                 "barrier transfer > compute transfer host; reset 0+1; batch of 4; "
                 "capture 4; query ends A2; capture 5; query ends A1; query ends B0; "
                 "begin pass; bind EMULATED; replay 3; begin query 0 precise; replay 4; "
                 "replay 5; end query 0; replay 6; end pass; barrier compute > host");
}

/* A query over several passes, and one over none. */
static void test_outside(void **context)
{
    (void)context;
    const VkQueryPool queries = new_queries(GENERATED, 2);
    for (int round = 0; round < 2; round++) {
        begin(cmd, 0);
        pgs_CmdBeginQuery(cmd, queries, 0, 0);
        draw_in_pass(cmd, 1);
        draw_in_pass(cmd, 2);
        pgs_CmdEndQuery(cmd, queries, 0);
        draw_in_pass(cmd, 3);
        if (round == 0)
            pgs_CmdBeginQuery(cmd, queries, 1, 0); /* lost with the command buffer */
        expect(cmd, "batch of 1; capture 1; begin pass; bind EMULATED; replay 1; end pass; "
                    "batch of 1; capture 2; begin pass; bind EMULATED; replay 2; end pass; "
                    "barrier compute transfer > transfer host; fill A0, 4 bytes = 1; "
                    "barrier transfer > compute transfer host; batch of 1; begin pass; "
                    "bind EMULATED; replay 3; end pass");
    }
}

/* Records, with or without its end between them, two queries of a type; what went to stderr. */
static size_t said_of_two(bool ended, uint32_t stream, char *text, size_t size_B)
{
    const VkQueryPool queries = new_queries(XFB, 2);
    FILE *file = tmpfile();
    assert_non_null(file);
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    begin(cmd, 0);
    pgs_CmdBeginQueryIndexedEXT(cmd, queries, 0, 0, 0);
    if (ended)
        pgs_CmdEndQueryIndexedEXT(cmd, queries, 0, 0);
    pgs_CmdBeginQueryIndexedEXT(cmd, queries, 1, 0, stream);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    const size_t length = fread(text, 1, size_B - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

/* Not valid, and no reason to say nothing. Once in a process, so what is valid comes first. */
static void test_second(void **context)
{
    (void)context;
    char text[256];
    pgs_log_set_level(PGS_LOG_WARN);
    assert_int_equal(said_of_two(true, 0, text, sizeof(text)), 0);
    assert_int_equal(said_of_two(false, 1, text, sizeof(text)), 0);
    said_of_two(false, 0, text, sizeof(text));
    pgs_log_set_level(PGS_LOG_ERROR);
    assert_string_equal(text,
                        "poly_gs warning: a query began while another of its type was active, "
                        "which is not valid: the earlier one counts no further\n");
}

static void test_secondary(void **context)
{
    (void)context;
    const VkQueryPool queries = new_queries(GENERATED, 2);
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    pgs_CmdBeginQuery(second, queries, 1, 0);
    pgs_CmdEndQuery(second, queries, 1);
    expect(second, "");
    begin(cmd, 0);
    execute_in_pass();
    expect(cmd, "batch of 0; query ends A1; begin pass; end pass; barrier compute > host");
}

static void test_copy(void **context)
{
    (void)context;
    const VkQueryPool queries = new_queries(XFB, 100);
    begin(cmd, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE);
    pgs_CmdCopyQueryPoolResults(cmd, queries, 10, 0, TARGET, 0, 8, 0);
    expect_events("bind compute COMPUTE");
    pgs_CmdCopyQueryPoolResults(cmd, queries, 10, 65, TARGET, 4, 8, VK_QUERY_RESULT_WAIT_BIT);
    expect_events("barrier compute transfer > compute; bind compute KERNEL; dispatch 2; "
                  "barrier compute > compute transfer; copy to target 0:4+520; "
                  "bind compute COMPUTE");
    pgs_CmdCopyQueryPoolResults(cmd, queries, 10, 5, TARGET, 4, 12, VK_QUERY_RESULT_PARTIAL_BIT);
    expect_events("barrier compute transfer > compute; bind compute KERNEL; dispatch 1; "
                  "barrier compute > compute transfer; "
                  "copy to target 0:4+8 8:16+8 16:28+8 24:40+8 32:52+8; "
                  "bind compute COMPUTE");
    /* What is not available stays as it is. Packed here, and apart there. */
    pgs_CmdCopyQueryPoolResults(cmd, queries, 10, 2, TARGET, 0, 32,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    expect(cmd, "barrier all > transfer; copy from target 0:0+24; "
                "copy from target 0:32+24; barrier compute transfer > compute; "
                "bind compute KERNEL; dispatch 1; barrier compute > compute transfer; "
                "copy to target 0:0+24 24:32+24; bind compute COMPUTE");
}

static void test_results(void **context)
{
    (void)context;
    const VkQueryPool queries = new_queries(XFB, 3);
    for (uint32_t q = 0; q < 3; q++) {
        query_words(queries, q)[0] = q == 1 ? 0 : 1;
        query_words(queries, q)[1] = UINT64_C(0x100000002) + q;
        query_words(queries, q)[2] = 10 + q;
    }
    for (VkQueryResultFlags flags = 0; flags < 16; flags++) {
        if (flags & VK_QUERY_RESULT_WAIT_BIT)
            continue;
        const bool wide = flags & VK_QUERY_RESULT_64_BIT;
        const bool partial = flags & VK_QUERY_RESULT_PARTIAL_BIT;
        union {
            uint32_t narrow[64];
            uint64_t wide[32];
            unsigned char bytes[256];
        } got;
        memset(&got, 0xee, sizeof(got));
        const size_t value_B = wide ? 8 : 4;
        assert_int_equal(pgs_GetQueryPoolResults(dev.handle, queries, 0, 3, sizeof(got), &got,
                                                 5 * value_B, flags),
                         partial ? VK_SUCCESS : VK_NOT_READY);
        for (uint32_t q = 0; q < 3; q++)
            for (uint32_t v = 0; v < 5; v++) {
                const uint64_t untouched = wide ? UINT64_C(0xeeeeeeeeeeeeeeee) : 0xeeeeeeee;
                uint64_t expected = untouched;
                if (v < 2 && (q != 1 || partial))
                    expected = v ? 10 + q : wide ? UINT64_C(0x100000002) + q : 2 + q;
                if (v == 2 && flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
                    expected = q != 1;
                const uint32_t at = q * 5 + v;
                assert_int_equal(wide ? got.wide[at] : got.narrow[at], expected);
            }
    }
    uint32_t few[3] = {7, 7, 7}; /* a second query does not fit */
    assert_int_equal(pgs_GetQueryPoolResults(dev.handle, queries, 1, 2, sizeof(few), few, 8,
                                             VK_QUERY_RESULT_PARTIAL_BIT),
                     VK_SUCCESS);
    assert_int_equal(few[0], 3);
    assert_int_equal(few[2], 7);
    pgs_ResetQueryPool(dev.handle, queries, 0, 2);
    assert_int_equal(query_words(queries, 0)[1], 0);
    assert_int_equal(query_words(queries, 1)[2], 0);
    assert_int_equal(query_words(queries, 2)[2], 12);
    assert_int_equal(pgs_GetQueryPoolResults(dev.handle, queries, 0, 1, 8, few, 8, 0),
                     VK_NOT_READY);
    pgs_DestroyQueryPool(dev.handle, queries, NULL);
}

static void *finish_late(void *words)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    ((uint64_t *)words)[1] = 77;
    __atomic_store_n((uint32_t *)words, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void test_wait(void **context)
{
    (void)context;
    const VkQueryPool queries = new_queries(GENERATED, 2);
    pthread_t thread;
    uint32_t value[2] = {0};
    assert_int_equal(pthread_create(&thread, NULL, finish_late, query_words(queries, 1)), 0);
    assert_int_equal(
        pgs_GetQueryPoolResults(dev.handle, queries, 1, 1, 8, value, 8,
                                VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
        VK_SUCCESS);
    pthread_join(thread, NULL);
    assert_int_equal(value[0], 77);
    assert_int_equal(value[1], 1);
    fence_status = VK_ERROR_DEVICE_LOST; /* else this would never end */
    assert_int_equal(
        pgs_GetQueryPoolResults(dev.handle, queries, 0, 2, 8, value, 4, VK_QUERY_RESULT_WAIT_BIT),
        VK_ERROR_DEVICE_LOST);
    pgs_DestroyQueryPool(dev.handle, queries, NULL);
}

#define OWN_BITS                                                                                   \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT)
#define DRIVER_BITS                                                                                \
    (VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |                                        \
     VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT)

static VkQueryPool new_statistics(VkQueryPipelineStatisticFlags bits)
{
    return new_pool_of(&(VkQueryPoolCreateInfo){
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 2,
        .pipelineStatistics = bits,
    });
}

/* Values stand in the order of their bits, whoever counted them. */
static void test_statistics(void **context)
{
    (void)context;
    const VkQueryPipelineStatisticFlags tessellation =
        VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |
        VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT;
    assert_null(pgs_query_pool_find(
        &dev, new_statistics(VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT)));
    new_statistics(OWN_BITS);
    assert_int_equal(created_type, VK_QUERY_TYPE_OCCLUSION);
    assert_int_equal(created_statistics, 0);
    const VkQueryPool queries = new_statistics(OWN_BITS | DRIVER_BITS | tessellation);
    assert_int_equal(created_type, VK_QUERY_TYPE_PIPELINE_STATISTICS);
    assert_int_equal(created_statistics, DRIVER_BITS);
    uint64_t *words = query_words(queries, 1);
    words[0] = 1;
    words[1 + PGS_STATISTIC_PRIMITIVES] = 11;
    words[1 + PGS_STATISTIC_GEOMETRY_SHADER] = 33;
    words[1 + PGS_STATISTIC_OWN_DISPATCHES] = 54;
    words[1 + PGS_STATISTIC_OWN_GRIDS] = 10;
    words[1 + PGS_STATISTIC_CONTROL_PATCHES] = 88;
    words[1 + PGS_STATISTIC_EVALUATION] = 99;
    for (uint64_t available = 0; available < 2; available++) {
        uint64_t got[7] = {0};
        memcpy(native_results, (uint64_t[]){50, 1064, available}, 3 * 8);
        assert_int_equal(
            pgs_GetQueryPoolResults(dev.handle, queries, 1, 1, sizeof(got), got, sizeof(got),
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            available ? VK_SUCCESS : VK_NOT_READY);
        const uint64_t expected[7] = {11 * available, 33 * available, 50 * available,
                                      88 * available, 99 * available, 1000 * available,
                                      available};
        assert_memory_equal(got, expected, sizeof(got));
    }
}
/* An emulated draw is told of so many. */
static void expect_driver_queries(VkCommandBuffer cb, uint32_t active)
{
    draw_in_pass(cb, 3);
    assert_int_equal(fake_last_state.driver_queries, active);
}

/* Draws that would do nothing else are counted by queries that are the driver's alone. */
static void test_drivers(void **context)
{
    (void)context;
    const VkQueryPool queries =
        new_statistics(VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
    fake_possible = true;
    begin(cmd, 0);
    expect_driver_queries(cmd, 0);
    pgs_CmdBeginQuery(cmd, queries, 0, 0);
    expect_driver_queries(cmd, 1);
    pgs_CmdEndQuery(cmd, queries, 0);
    expect_driver_queries(cmd, 0);
    begin_inheriting(0, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
    expect_driver_queries(second, 1);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* A secondary counts by itself; the primary takes it over after the secondary's work, and subtracts
 * what it dispatched meanwhile: a draw, a count of grids and the group that takes over. */
static void test_inherited(void **context)
{
    (void)context;
    const VkQueryPool queries = new_statistics(OWN_BITS | DRIVER_BITS);
    begin_inheriting(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, OWN_BITS | DRIVER_BITS);
    assert_int_equal(inherited_statistics, DRIVER_BITS);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 9, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    begin(cmd, 0);
    forget();
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    execute_in_pass();
    pgs_CmdEndQuery(cmd, queries, 1);
    expect(cmd, "begin query 1; batch of 1; capture 9; count grids A1 own grids; "
                "barrier compute transfer > compute; bind compute DRAIN; dispatch 1; "
                "begin pass; bind EMULATED; replay 9; end pass; end query 1; "
                "barrier compute transfer > transfer host; "
                "update A1 own dispatches = 66; fill A1, 4 bytes = 1; "
                "barrier transfer > compute transfer host");
}

/* Where it records whole passes, what only the GPU knows of their dispatches goes the same way. */
static void test_inherited_by_passes(void **context)
{
    (void)context;
    const VkQueryPool queries = new_statistics(DRIVER_BITS);
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, queries);
    begin_inheriting(0, DRIVER_BITS);
    draw_in_pass(second, 9);
    expect(second, "batch of 1; count grids; begin pass; bind EMULATED; replay 9; end pass");
    const VkDeviceAddress counted = counted_grids - 8 * PGS_STATISTIC_OWN_GRIDS;
    assert_non_null(fake_at(counted));
    for (int queried = 0; queried < 2; queried++) {
        begin(cmd, 0);
        if (queried)
            pgs_CmdBeginQuery(cmd, queries, 0, 0);
        forget();
        pgs_CmdExecuteCommands(cmd, 1, &second);
        const struct pgs_query_drain *drain = fake_at(pushed.first); /* of the kernel */
        assert_non_null(drain);
        assert_int_equal(drain->from, counted);
        assert_int_equal(drain->to, queried ? pgs_query_address(p, 0) + PGS_QUERY_VALUES_B : 0);
        expect_events("execute 1; barrier compute transfer > compute; bind compute DRAIN; "
                      "dispatch 1");
        if (queried)
            pgs_CmdEndQuery(cmd, queries, 0);
        expect(cmd, queried ? "end query 0; barrier compute transfer > transfer host; "
                              "update A0 own dispatches = 66; fill A0, 4 bytes = 1; "
                              "barrier transfer > compute transfer host"
                            : "");
    }
}

/* There need be no pool when the secondary is recorded. */
static void test_inherited_early(void **context)
{
    (void)context;
    fake_possible = false;
    begin_inheriting(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, OWN_BITS);
    bind(second, COUNTED);
    pgs_CmdDraw(second, 9, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    begin(cmd, 0);
    execute_in_pass();
    expect(cmd, "batch of 1; capture native 9; barrier compute transfer > compute; "
                "bind compute DRAIN; dispatch 1; begin pass; bind COUNTED; draw 9; "
                "end pass");
}

static VkResult try_all(void)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = XFB,
        .queryCount = 4,
    };
    VkQueryPool queries = HANDLE(VkQueryPool, 1);
    VkResult result = pgs_CreateQueryPool(dev.handle, &info, NULL, &queries);
    if (result != VK_SUCCESS) {
        assert_true(queries == VK_NULL_HANDLE);
        return result;
    }
    begin(cmd, 0);
    pgs_CmdResetQueryPool(cmd, queries, 0, 4);
    begin_inline();
    pgs_CmdBeginQuery(cmd, queries, 0, 0);
    pgs_CmdEndQuery(cmd, queries, 0);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdCopyQueryPoolResults(cmd, queries, 0, 4, TARGET, 0, 32, 0);
    result = pgs_EndCommandBuffer(cmd);
    pgs_DestroyQueryPool(dev.handle, queries, NULL);
    return result;
}

static void test_failures(void **context)
{
    (void)context;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
        cmd = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        assert_true(n < 100);
        forget();
        const int before = fakes.alive[FAKE_QUERY_POOL];
        pgs_alloc_fail_after(n, false);
        result = try_all();
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fakes.alive[FAKE_QUERY_POOL], before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pools, setup, teardown),
        cmocka_unit_test_setup_teardown(test_in_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_second, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy, setup, teardown),
        cmocka_unit_test_setup_teardown(test_results, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wait, setup, teardown),
        cmocka_unit_test_setup_teardown(test_statistics, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drivers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited_by_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited_early, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
