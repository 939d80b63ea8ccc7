/* SPDX-License-Identifier: MIT
 *
 * Queries that the layer counts, on a fake driver, a fake draw module and a fake pipeline module:
 * what is recorded in which order, results on the host in every form, waiting, and failure of every
 * allocation.
 */
#include "pipeline/kernels.h"
#include "vulkan/hooks.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "fake_calls.h"
#include "fake_queries.h"

/* --- The driver --- */

static VkQueryPipelineStatisticFlags inherited_statistics;

/* The next call, barriers apart. */
static void expect(size_t *index, enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    while (*index < seen.count && seen.calls[*index].what == FAKE_BARRIER)
        ++*index;
    expect_at((*index)++, what, a, b, c);
}

/* The very next call is a barrier between these stages, and perhaps more. */
static void expect_barrier(size_t index, VkPipelineStageFlags from, VkPipelineStageFlags to)
{
    assert_true(index < seen.count);
    assert_int_equal(seen.calls[index].what, FAKE_BARRIER);
    assert_int_equal(seen.calls[index].a & from, from);
    assert_int_equal(seen.calls[index].b & to, to);
}

static void expect_end(size_t index)
{
    while (index < seen.count && seen.calls[index].what == FAKE_BARRIER)
        index++;
    assert_int_equal(index, seen.count);
}

static VkResult begin_buffer(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb;
    if (info->pInheritanceInfo)
        inherited_statistics = info->pInheritanceInfo->pipelineStatistics;
    return VK_SUCCESS;
}

static void update(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                   const void *data)
{
    uint64_t value;
    (void)cb, (void)buffer;
    assert_int_equal(size, sizeof(value));
    memcpy(&value, data, sizeof(value));
    fake_modules_note(FAKE_UPDATE, offset, value, 0);
}

static void fill(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                 uint32_t data)
{
    (void)cb, (void)buffer;
    fake_modules_note(FAKE_FILL, offset, size, data);
}

static VkBufferCopy copied[8]; /* last */

static void copy_buffer(VkCommandBuffer cb, VkBuffer from, VkBuffer to, uint32_t count,
                        const VkBufferCopy *regions)
{
    (void)cb;
    assert_true(count <= 8);
    memcpy(copied, regions, count * sizeof(*regions));
    fake_modules_note(FAKE_COPY, (uintptr_t)from, (uintptr_t)to, count);
}

static void dispatch(VkCommandBuffer cb, uint32_t x, uint32_t y, uint32_t z)
{
    (void)cb;
    fake_modules_note(FAKE_DISPATCH, x, y, z);
}

static struct pgs_root pushed; /* last */

static void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *values)
{
    (void)cb, (void)layout, (void)stages;
    assert_true(offset + size <= sizeof(pushed));
    memcpy((char *)&pushed + offset, values, size);
}

static void begin_native(VkCommandBuffer cb, VkQueryPool pool, uint32_t query,
                         VkQueryControlFlags flags)
{
    (void)cb;
    fake_modules_note(FAKE_BEGIN_QUERY, (uintptr_t)pool, query, flags);
}

static void end_native(VkCommandBuffer cb, VkQueryPool pool, uint32_t query)
{
    (void)cb;
    fake_modules_note(FAKE_END_QUERY, (uintptr_t)pool, query, 0);
}

static void reset_native(VkCommandBuffer cb, VkQueryPool pool, uint32_t first, uint32_t count)
{
    (void)cb;
    fake_modules_note(FAKE_RESET_QUERIES, (uintptr_t)pool, first, count);
}

#define KERNEL HANDLE(VkPipeline, 0xcc)
#define DRAIN HANDLE(VkPipeline, 0xdd)

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
    memset(&seen, 0, sizeof(seen));
    fake_possible = false;
    fence_status = VK_NOT_READY;
    prepare_memory();
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_QUERY_DISPATCH,
                FAKE_CALLS_DISPATCH,
                .CmdUpdateBuffer = update,
                .CmdFillBuffer = fill,
                .CmdCopyBuffer = copy_buffer,
                .CmdDispatch = dispatch,
                .CmdPushConstants = push,
                .CmdBeginQuery = begin_native,
                .CmdEndQuery = end_native,
                .CmdResetQueryPool = reset_native,
            },
    };
    dev.vk.BeginCommandBuffer = begin_buffer;
    return open_device() == 0 ? open_memory() : -1;
}

static int teardown(void **context)
{
    (void)context;
    close_device();
    return close_memory();
}

static VkQueryPool new_queries(VkQueryType type, uint32_t count)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type,
        .queryCount = count,
    };
    VkQueryPool pool = VK_NULL_HANDLE;
    assert_int_equal(pgs_CreateQueryPool(dev.handle, &info, NULL, &pool), VK_SUCCESS);
    return pool;
}

static void begin_test_pass(VkCommandBuffer cb, VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
    };
    pgs_CmdBeginRenderPass(cb, &info, contents);
}

/* What the GPU writes. */
static uint64_t *query_words(VkQueryPool pool, uint32_t query)
{
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pool);
    return (uint64_t *)((unsigned char *)p->memory.mapped + query * p->stride_B);
}

#define FEEDBACK VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT
#define GENERATED VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT

/* --- Tests --- */

static void test_pools(void **context)
{
    (void)context;
    const VkQueryPool occlusion = new_queries(VK_QUERY_TYPE_OCCLUSION, 3);
    assert_int_equal(created_type, VK_QUERY_TYPE_OCCLUSION);
    assert_false(fake_possible);
    assert_null(pgs_query_pool_find(&dev, occlusion));
    const VkQueryPool pool = new_queries(FEEDBACK, 3);
    assert_true(created_type != FEEDBACK); /* the driver does not know it */
    assert_true(fake_possible);            /* passes are queued from here on */
    const struct pgs_query_pool *ours = pgs_query_pool_find(&dev, pool);
    assert_non_null(ours);
    assert_int_equal(pgs_query_address(ours, 2) - pgs_query_address(ours, 0), 2 * 24);
    pgs_DestroyQueryPool(dev.handle, pool, NULL);
    assert_null(pgs_query_pool_find(&dev, pool));
    pgs_DestroyQueryPool(dev.handle, VK_NULL_HANDLE, NULL);
    pgs_DestroyQueryPool(dev.handle, occlusion, NULL);
    new_queries(GENERATED, 1); /* left for the module to destroy */
    assert_int_equal(fakes.alive[FAKE_QUERY_POOL]--, 1);
}

static void test_in_pass(void **context)
{
    (void)context;
    const VkQueryPool xfb = new_queries(FEEDBACK, 4), generated = new_queries(GENERATED, 2);
    const VkQueryPool occlusion = new_queries(VK_QUERY_TYPE_OCCLUSION, 1);
    const struct pgs_query_pool *f = pgs_query_pool_find(&dev, xfb);
    const struct pgs_query_pool *g = pgs_query_pool_find(&dev, generated);
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    pgs_CmdResetQueryPool(cb, xfb, 1, 2);
    pgs_CmdResetQueryPool(cb, occlusion, 0, 1);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
    pgs_CmdBeginQueryIndexedEXT(cb, xfb, 1, 0, 2);
    pgs_CmdBeginQuery(cb, xfb, 2, 0);
    pgs_CmdBeginQuery(cb, occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    pgs_CmdDraw(cb, 4, 1, 0, 0);
    pgs_CmdEndQueryIndexedEXT(cb, xfb, 2, 0); /* the forms may be mixed */
    pgs_CmdBeginQuery(cb, generated, 0, 0);
    pgs_CmdDraw(cb, 5, 1, 0, 0);
    pgs_CmdEndQueryIndexedEXT(cb, xfb, 1, 2);
    pgs_CmdEndQueryIndexedEXT(cb, occlusion, 0, 0);
    pgs_CmdEndQuery(cb, generated, 0);
    pgs_CmdDraw(cb, 6, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);

    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    expect_barrier(0, compute | transfer, transfer);
    expect_barrier(2, transfer, compute | transfer | VK_PIPELINE_STAGE_HOST_BIT);
    size_t i = 0;
    expect(&i, FAKE_FILL, f->memory.offset_B + 24, 2 * 24, 0);
    expect(&i, FAKE_RESET_QUERIES, (uintptr_t)occlusion, 0, 1);
    expect(&i, FAKE_BATCH, 4, 0, 0);
    expect(&i, FAKE_CAPTURE, 0, 4, 0); /* counted: the second and the third draw alone */
    expect(&i, FAKE_QUERY_ENDS, pgs_query_address(f, 2), 0, 0);
    expect(&i, FAKE_CAPTURE, 0, 5, 0);
    expect(&i, FAKE_QUERY_ENDS, pgs_query_address(f, 1), 0, 0);
    expect(&i, FAKE_QUERY_ENDS, pgs_query_address(g, 0), 0, 0);
    expect(&i, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 0);
    expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_GRAPHICS, (uintptr_t)EMULATED, 0);
    expect(&i, FAKE_REPLAY, 3, 0, 0);
    expect(&i, FAKE_BEGIN_QUERY, (uintptr_t)occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    expect(&i, FAKE_REPLAY, 4, 0, 0);
    expect(&i, FAKE_REPLAY, 5, 0, 0);
    expect(&i, FAKE_END_QUERY, (uintptr_t)occlusion, 0, 0);
    expect(&i, FAKE_REPLAY, 6, 0, 0);
    expect(&i, FAKE_END_PASS, 0, 0, 0);
    expect_barrier(i, compute, VK_PIPELINE_STAGE_HOST_BIT);
    assert_int_equal(i + 1, seen.count);
    drop(pool, cb);
}

/* A query over several passes, and one over none. */
static void test_outside(void **context)
{
    (void)context;
    const VkQueryPool pool = new_queries(GENERATED, 2);
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pool);
    VkCommandPool commands = new_pool();
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    for (int round = 0; round < 2; round++) {
        seen.count = 0;
        begin(cb, 0);
        pgs_CmdBeginQuery(cb, pool, 0, 0);
        for (uint32_t n = 1; n <= 3; n++) {
            begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
            pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
            pgs_CmdDraw(cb, n, 1, 0, 0);
            pgs_CmdEndRenderPass(cb);
            if (n == 2)
                pgs_CmdEndQuery(cb, pool, 0);
        }
        if (round == 0)
            pgs_CmdBeginQuery(cb, pool, 1, 0); /* lost with the command buffer */
        assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
        size_t i = 0;
        for (uint32_t n = 1; n <= 3; n++) {
            expect(&i, FAKE_BATCH, 1, 0, 0);
            if (n < 3)
                expect(&i, FAKE_CAPTURE, 0, n, 0);
            expect(&i, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 0);
            expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_GRAPHICS, (uintptr_t)EMULATED, 0);
            expect(&i, FAKE_REPLAY, n, 0, 0);
            expect(&i, FAKE_END_PASS, 0, 0, 0);
            if (n != 2)
                continue;
            expect_barrier(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT);
            expect(&i, FAKE_FILL, p->memory.offset_B, 4, 1);
        }
        expect_end(i);
    }
    drop(commands, cb);
}

static void test_secondary(void **context)
{
    (void)context;
    const VkQueryPool pool = new_queries(GENERATED, 2);
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pool);
    VkCommandPool commands = new_pool();
    VkCommandBuffer second = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    pgs_CmdBeginQuery(second, pool, 1, 0);
    pgs_CmdEndQuery(second, pool, 1);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    assert_int_equal(seen.count, 0);
    begin(cb, 0);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cb, 1, &second);
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    size_t i = 0;
    expect(&i, FAKE_BATCH, 0, 0, 0);
    expect(&i, FAKE_QUERY_ENDS, pgs_query_address(p, 1), 0, 0);
    expect(&i, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 0);
    expect(&i, FAKE_END_PASS, 0, 0, 0);
    expect_barrier(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
    pgs_FreeCommandBuffers(dev.handle, commands, 1, &second);
    drop(commands, cb);
}

static void test_copy(void **context)
{
    (void)context;
    const VkQueryPool pool = new_queries(FEEDBACK, 100);
    const VkBuffer target = HANDLE(VkBuffer, 0x99);
    const VkPipeline bound = HANDLE(VkPipeline, 0x55);
    VkCommandPool commands = new_pool();
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, bound);
    pgs_CmdCopyQueryPoolResults(cb, pool, 10, 0, target, 0, 8, 0);
    pgs_CmdCopyQueryPoolResults(cb, pool, 10, 65, target, 4, 8, VK_QUERY_RESULT_WAIT_BIT);
    pgs_CmdCopyQueryPoolResults(cb, pool, 10, 5, target, 4, 12, VK_QUERY_RESULT_PARTIAL_BIT);
    pgs_CmdCopyQueryPoolResults(cb, pool, 10, 2, target, 0, 32,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    size_t i = 0;
    const uint64_t ours = (uintptr_t)pgs_query_pool_find(&dev, pool)->memory.buffer;
    const uint64_t kernel = (uintptr_t)KERNEL, app = (uintptr_t)bound;
    expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, app, 0);
    for (int n = 0; n < 4; n++)
        if (n) {
            static const uint32_t groups[] = {0, 2, 1, 1}, regions[] = {0, 1, 5, 2};
            if (n == 3) { /* what is not available stays as it is */
                expect_barrier(i, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                               VK_PIPELINE_STAGE_TRANSFER_BIT);
                expect(&i, FAKE_COPY, (uintptr_t)target, ours, 1);
                expect(&i, FAKE_COPY, (uintptr_t)target, ours, 1);
            }
            expect_barrier(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
            expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, kernel, 0);
            expect(&i, FAKE_DISPATCH, groups[n], 1, 1);
            expect_barrier(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
            expect(&i, FAKE_COPY, ours, (uintptr_t)target, regions[n]);
            expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, app, 0);
        }
    expect_end(i);
    for (int n = 0; n < 2; n++) { /* packed here, and apart there */
        assert_int_equal(copied[n].size, 24);
        assert_int_equal(copied[n].srcOffset - copied[0].srcOffset, n * 24);
        assert_int_equal(copied[n].dstOffset, n * 32);
    }
    drop(commands, cb);
}

static void test_results(void **context)
{
    (void)context;
    const VkQueryPool pool = new_queries(FEEDBACK, 3);
    for (uint32_t q = 0; q < 3; q++) {
        query_words(pool, q)[0] = q == 1 ? 0 : 1;
        query_words(pool, q)[1] = UINT64_C(0x100000002) + q;
        query_words(pool, q)[2] = 10 + q;
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
        assert_int_equal(
            pgs_GetQueryPoolResults(dev.handle, pool, 0, 3, sizeof(got), &got, 5 * value_B, flags),
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
    assert_int_equal(pgs_GetQueryPoolResults(dev.handle, pool, 1, 2, sizeof(few), few, 8,
                                             VK_QUERY_RESULT_PARTIAL_BIT),
                     VK_SUCCESS);
    assert_int_equal(few[0], 3);
    assert_int_equal(few[2], 7);
    pgs_ResetQueryPool(dev.handle, pool, 0, 2);
    assert_int_equal(query_words(pool, 0)[1], 0);
    assert_int_equal(query_words(pool, 1)[2], 0);
    assert_int_equal(query_words(pool, 2)[2], 12);
    assert_int_equal(pgs_GetQueryPoolResults(dev.handle, pool, 0, 1, 8, few, 8, 0), VK_NOT_READY);
    pgs_DestroyQueryPool(dev.handle, pool, NULL);
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
    const VkQueryPool pool = new_queries(GENERATED, 2);
    pthread_t thread;
    uint32_t value[2] = {0};
    assert_int_equal(pthread_create(&thread, NULL, finish_late, query_words(pool, 1)), 0);
    assert_int_equal(
        pgs_GetQueryPoolResults(dev.handle, pool, 1, 1, 8, value, 8,
                                VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
        VK_SUCCESS);
    pthread_join(thread, NULL);
    assert_int_equal(value[0], 77);
    assert_int_equal(value[1], 1);
    fence_status = VK_ERROR_DEVICE_LOST; /* else this would never end */
    assert_int_equal(
        pgs_GetQueryPoolResults(dev.handle, pool, 0, 2, 8, value, 4, VK_QUERY_RESULT_WAIT_BIT),
        VK_ERROR_DEVICE_LOST);
    pgs_DestroyQueryPool(dev.handle, pool, NULL);
}

#define OWN_BITS                                                                                   \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT)
#define DRIVER_BITS                                                                                \
    (VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |                                        \
     VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT)

static VkQueryPool new_statistics(VkQueryPipelineStatisticFlags bits)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 2,
        .pipelineStatistics = bits,
    };
    VkQueryPool pool = VK_NULL_HANDLE;
    assert_int_equal(pgs_CreateQueryPool(dev.handle, &info, NULL, &pool), VK_SUCCESS);
    return pool;
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
    const VkQueryPool pool = new_statistics(OWN_BITS | DRIVER_BITS | tessellation);
    assert_int_equal(created_type, VK_QUERY_TYPE_PIPELINE_STATISTICS);
    assert_int_equal(created_statistics, DRIVER_BITS);
    uint64_t *words = query_words(pool, 1);
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
            pgs_GetQueryPoolResults(dev.handle, pool, 1, 1, sizeof(got), got, sizeof(got),
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
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(fake_last_state.driver_queries, active);
}

/* Draws that would do nothing else are counted by queries that are the driver's alone. */
static void test_drivers(void **context)
{
    (void)context;
    const VkQueryPool pool = new_statistics(VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
    fake_possible = true;
    VkCommandPool commands = new_pool();
    VkCommandBuffer second = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    expect_driver_queries(cb, 0);
    pgs_CmdBeginQuery(cb, pool, 0, 0);
    expect_driver_queries(cb, 1);
    pgs_CmdEndQuery(cb, pool, 0);
    expect_driver_queries(cb, 0);
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .pInheritanceInfo = &inherit,
    };
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    expect_driver_queries(second, 1);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    pgs_FreeCommandBuffers(dev.handle, commands, 1, &second);
    drop(commands, cb);
}

/* A secondary counts by itself; the primary takes it over after the secondary's work, and subtracts
 * what it dispatched meanwhile. */
static void test_inherited(void **context)
{
    (void)context;
    const VkQueryPool pool = new_statistics(OWN_BITS | DRIVER_BITS);
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pool);
    VkCommandPool commands = new_pool();
    VkCommandBuffer second = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pipelineStatistics = OWN_BITS | DRIVER_BITS,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherit,
    };
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    assert_int_equal(inherited_statistics, DRIVER_BITS);
    assert_int_equal(inherit.pipelineStatistics, OWN_BITS | DRIVER_BITS);
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(second, 9, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    begin(cb, 0);
    seen.count = 0;
    pgs_CmdBeginQuery(cb, pool, 1, 0);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cb, 1, &second);
    pgs_CmdEndRenderPass(cb);
    pgs_CmdEndQuery(cb, pool, 1);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    const uint64_t query_B = p->memory.offset_B + p->stride_B;
    const uint64_t own_grids =
        pgs_query_address(p, 1) + PGS_QUERY_VALUES_B + 8 * PGS_STATISTIC_OWN_GRIDS;
    size_t i = 0;
    expect(&i, FAKE_BEGIN_QUERY, (uintptr_t)pool, 1, 0);
    expect(&i, FAKE_BATCH, 1, 0, 0);
    expect(&i, FAKE_CAPTURE, 0, 9, 0);
    expect(&i, FAKE_COUNT_GRIDS, own_grids, 0, 0);
    expect_barrier(i, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, (uintptr_t)DRAIN, 0);
    expect(&i, FAKE_DISPATCH, 1, 1, 1);
    expect(&i, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 0);
    expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_GRAPHICS, (uintptr_t)EMULATED, 0);
    expect(&i, FAKE_REPLAY, 9, 0, 0);
    expect(&i, FAKE_END_PASS, 0, 0, 0);
    expect(&i, FAKE_END_QUERY, (uintptr_t)pool, 1, 0);
    expect(&i, FAKE_UPDATE, query_B + 8 + 8 * PGS_STATISTIC_OWN_DISPATCHES, PGS_SHADER_GROUP_EL + 2,
           0);
    expect(&i, FAKE_FILL, query_B, 4, 1);
    expect_end(i);
    pgs_FreeCommandBuffers(dev.handle, commands, 1, &second);
    drop(commands, cb);
}

/* Where it records whole passes, what only the GPU knows of their dispatches goes the same way. */
static void test_inherited_by_passes(void **context)
{
    (void)context;
    const VkQueryPool pool = new_statistics(DRIVER_BITS);
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, pool);
    VkCommandPool commands = new_pool();
    VkCommandBuffer second = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pipelineStatistics = DRIVER_BITS,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .pInheritanceInfo = &inherit,
    };
    seen.count = 0;
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    begin_test_pass(second, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(second, 9, 1, 0, 0);
    pgs_CmdEndRenderPass(second);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    size_t i = 0;
    expect(&i, FAKE_BATCH, 1, 0, 0);
    assert_int_equal(seen.calls[i].what, FAKE_COUNT_GRIDS);
    const VkDeviceAddress counted = seen.calls[i].a - 8 * PGS_STATISTIC_OWN_GRIDS;
    assert_non_null(fake_at(counted));
    for (int queried = 0; queried < 2; queried++) {
        begin(cb, 0);
        seen.count = 0;
        if (queried)
            pgs_CmdBeginQuery(cb, pool, 0, 0);
        pgs_CmdExecuteCommands(cb, 1, &second);
        const struct pgs_query_drain *drain = fake_at(pushed.first); /* of the kernel */
        assert_non_null(drain);
        assert_int_equal(drain->from, counted);
        assert_int_equal(drain->to, queried ? pgs_query_address(p, 0) + PGS_QUERY_VALUES_B : 0);
        if (queried)
            pgs_CmdEndQuery(cb, pool, 0);
        assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
        i = queried; /* the query of the driver begins */
        expect(&i, FAKE_EXECUTE, 1, 0, 0);
        expect(&i, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, (uintptr_t)DRAIN, 0);
        expect(&i, FAKE_DISPATCH, 1, 1, 1);
        if (!queried)
            continue;
        while (seen.calls[i].what != FAKE_UPDATE)
            assert_true(++i < seen.count);
        assert_int_equal(seen.calls[i].b, 2 + PGS_SHADER_GROUP_EL);
    }
    pgs_FreeCommandBuffers(dev.handle, commands, 1, &second);
    drop(commands, cb);
}

/* There need be no pool when the secondary is recorded. */
static void test_inherited_early(void **context)
{
    (void)context;
    fake_possible = false;
    VkCommandPool commands = new_pool();
    VkCommandBuffer second = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pipelineStatistics = OWN_BITS,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherit,
    };
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    pgs_CmdDraw(second, 9, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cb, 1, &second);
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    size_t i = 0;
    expect(&i, FAKE_BATCH, 1, 0, 0);
    expect(&i, FAKE_CAPTURE, 0, 9, true);
    pgs_FreeCommandBuffers(dev.handle, commands, 1, &second);
    drop(commands, cb);
}

static VkResult try_all(VkCommandBuffer cb)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = FEEDBACK,
        .queryCount = 4,
    };
    VkQueryPool pool = HANDLE(VkQueryPool, 1);
    VkResult result = pgs_CreateQueryPool(dev.handle, &info, NULL, &pool);
    if (result != VK_SUCCESS) {
        assert_true(pool == VK_NULL_HANDLE);
        return result;
    }
    begin(cb, 0);
    pgs_CmdResetQueryPool(cb, pool, 0, 4);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBeginQuery(cb, pool, 0, 0);
    pgs_CmdEndQuery(cb, pool, 0);
    pgs_CmdEndRenderPass(cb);
    pgs_CmdCopyQueryPoolResults(cb, pool, 0, 4, HANDLE(VkBuffer, 0x99), 0, 32, 0);
    result = pgs_EndCommandBuffer(cb);
    pgs_DestroyQueryPool(dev.handle, pool, NULL);
    return result;
}

static void test_failures(void **context)
{
    (void)context;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        VkCommandPool commands = new_pool();
        VkCommandBuffer cb = new_buffer_of(commands, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        assert_true(n < 100);
        seen.count = 0;
        const int pools = fakes.alive[FAKE_QUERY_POOL];
        pgs_alloc_fail_after(n, false);
        result = try_all(cb);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fakes.alive[FAKE_QUERY_POOL], pools);
        drop(commands, cb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pools, setup, teardown),
        cmocka_unit_test_setup_teardown(test_in_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outside, setup, teardown),
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
