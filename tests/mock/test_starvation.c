/* SPDX-License-Identifier: MIT
 *
 * Two frames of a scene - tessellated draws that are captured and counted, draws with a geometry
 * shader in a secondary command buffer, and by the bytes that were captured - through the whole
 * layer on the fake driver, as on GPUs that draw at once: some draws are sifted, some tell what
 * they emit. In the first frame something is wanting: each allocation of ours, alone, with all
 * after it or with half of them, and each command of the driver in turn. Nothing leaks, errors are
 * proper ones, a frame without one has all of its draws, and the second frame tells the driver the
 * same as if nothing had happened.
 */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/within.h"
#include "starved_scene.h"

static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME};
    begin_test(true);
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = COUNT(names);
    config.multi_draw_indirect = true; /* and first instances */
    fake_reset(&config);
    setenv("VK_POLY_GS_THREADS", "0", 1); /* the fake driver's log is for one thread */
    setenv("VK_POLY_GS_CULL", "always", 1);
    setenv("VK_POLY_GS_COSTS", "pass_emits=300 pass_dense=20000", 1);
    return 0;
}

/* -- a frame -- */

static VkResult make_commands(struct scene *s)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    TRY(VK(CreateCommandPool)(s->device, &pool, NULL, &s->pool));
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    TRY(VK(AllocateCommandBuffers)(s->device, &info, &s->secondary));
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    return VK(AllocateCommandBuffers)(s->device, &info, &s->primary);
}

static VkResult record_secondary(const struct scene *s)
{
    const VkCommandBuffer cb = s->secondary;
    const uint32_t words[4] = {1, 2, 3, 4};
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = s->pass,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    TRY(VK(BeginCommandBuffer)(cb, &begin));
    VK(CmdBindPipeline)(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[GEOMETRY]);
    VK(CmdBindIndexBuffer)(cb, s->buffers[INPUT], 0, VK_INDEX_TYPE_UINT16);
    VK(CmdPushConstants)(cb, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(words), words);
    VK(CmdDraw)(cb, 300, 2, 0, 0);
    VK(CmdDrawIndexed)(cb, 400, 1, 3, -1, 0);
    VK(CmdDrawIndexedIndirect)(cb, s->buffers[INPUT], 1024, 3, 20);
    return VK(EndCommandBuffer)(cb);
}

static void record_captures(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    const VkDeviceSize offsets[2] = {0, 32768}, sizes[2] = {32768, 32768}, zero = 0;
    const VkBuffer captured[2] = {s->buffers[CAPTURED], s->buffers[CAPTURED]};
    VK(CmdBindPipeline)(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[TESSELLATION]);
    VK(CmdBindVertexBuffers)(cb, 0, 1, &s->buffers[INPUT], &zero);
    VK(CmdBindTransformFeedbackBuffersEXT)(cb, 0, 2, captured, offsets, sizes);
    VK(CmdBeginTransformFeedbackEXT)(cb, 0, 0, NULL, NULL);
    VK(CmdDraw)(cb, 30, 1, 0, 0);
    VK(CmdDrawIndirect)(cb, s->buffers[INPUT], 2048, 2, 16);
    VK(CmdEndTransformFeedbackEXT)(cb, 0, 1, &s->buffers[COUNTER], &zero);
    VK(CmdDraw)(cb, 100, 3, 0, 0);
}

/* Draws that are sifted, to two layers each, and draws that tell what they emit. */
enum { SIFTED_DRAWS = 2 };
static void record_large(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    VK(CmdBindPipeline)(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[LAYERED]);
    VK(CmdBindIndexBuffer)(cb, s->buffers[INPUT], 0, VK_INDEX_TYPE_UINT16);
    VK(CmdDraw)(cb, 3000, 1, 0, 0);
    VK(CmdDrawIndexed)(cb, 600, 1, 3, -1, 0);
    VK(CmdBindPipeline)(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[EMITTING]);
    VK(CmdDraw)(cb, 3000, 1, 0, 0);
    VK(CmdDraw)(cb, 2000, 1, 7, 0);
}

static VkResult record_primary(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = s->pass};
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
    };
    TRY(VK(BeginCommandBuffer)(cb, &begin));
    VK(CmdResetQueryPool)(cb, s->queries, 0, 2);
    VK(CmdBeginQueryIndexedEXT)(cb, s->queries, 0, 0, 0);
    VK(CmdBeginRenderPass)(cb, &pass, VK_SUBPASS_CONTENTS_INLINE);
    record_captures(s);
    VK(CmdEndRenderPass)(cb);
    VK(CmdEndQueryIndexedEXT)(cb, s->queries, 0, 0);
    VK(CmdPipelineBarrier)
    (cb, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
     &barrier, 0, NULL, 0, NULL);
    VK(CmdBeginRenderPass)(cb, &pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    VK(CmdExecuteCommands)(cb, 1, &s->secondary);
    VK(CmdEndRenderPass)(cb);
    VK(CmdBeginRenderPass)(cb, &pass, VK_SUBPASS_CONTENTS_INLINE);
    VK(CmdBindPipeline)(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[GEOMETRY]);
    VK(CmdDrawIndirectByteCountEXT)(cb, 1, 0, s->buffers[COUNTER], 0, 0, 16);
    record_large(s);
    VK(CmdEndRenderPass)(cb);
    VK(CmdCopyQueryPoolResults)(cb, s->queries, 0, 1, s->buffers[COUNTER], 64, 16, 0);
    return VK(EndCommandBuffer)(cb);
}

static VkResult frame(struct scene *s)
{
    TRY(make_objects(s));
    for (unsigned i = 0; i < PIPELINES; i++)
        TRY(make_pipeline(s, i));
    TRY(make_commands(s));
    TRY(record_secondary(s));
    TRY(record_primary(s));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &s->primary,
    };
    TRY(VK(QueueSubmit)(s->queue, 1, &info, VK_NULL_HANDLE));
    return VK(QueueWaitIdle)(s->queue);
}

/* -- two frames -- */

/* The names of what was recorded and submitted since the log was cleared. */
static uint64_t hash_commands(void)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < fake_log_count; i++) {
        const char *name = fake_log[i].name;
        if (strncmp(name, "vkCmd", 5) == 0 || strncmp(name, "vkQueue", 7) == 0)
            hash = pgs_hash(name, strlen(name), hash);
    }
    return hash;
}

static unsigned count_draws(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < fake_log_count; i++)
        count += strncmp(fake_log[i].name, "vkCmdDraw", 9) == 0;
    return count;
}

/* What the first frame lacks; n: 0 is nothing. */
struct want {
    unsigned n;
    bool all_after;
    uint32_t seed;   /* not 0: after the n-th one of two at random */
    VkResult driver; /* VK_SUCCESS: memory of ours */
};

/* Did the frame get as far as the n-th? For memory only with all_after. */
static bool has_starved(const struct want *want)
{
    if (want->driver != VK_SUCCESS)
        return fake_has_failed();
    void *probe = pgs_alloc(1);
    pgs_free(probe);
    return !probe;
}

struct frames {
    VkResult first;
    unsigned draws; /* of the first */
    bool starved;
    uint64_t second; /* hash of its commands */
};

static struct frames run(const struct want *want)
{
    struct scene scene = {0};
    struct frames frames;
    scene_open(&scene);
    fake_log_clear();
    if (want->driver != VK_SUCCESS && want->seed)
        fake_fail_half(want->n, want->driver, want->seed);
    else if (want->driver != VK_SUCCESS)
        fake_fail_after(want->n, want->driver);
    else if (want->seed)
        pgs_alloc_fail_half(want->n, want->seed);
    else
        pgs_alloc_fail_after(want->n, want->all_after);
    frames.first = frame(&scene);
    frames.draws = count_draws();
    frames.starved = has_starved(want);
    pgs_alloc_fail_after(0, false);
    fake_fail_after(0, VK_SUCCESS);
    scene_forget(&scene);
    fake_log_clear();
    assert_int_equal(frame(&scene), VK_SUCCESS);
    frames.second = hash_commands();
    scene_forget(&scene);
    scene_close(&scene);
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    return frames;
}

static struct frames run_undisturbed(void)
{
    const struct want nothing = {0};
    const struct frames frames = run(&nothing);
    assert_int_equal(frames.first, VK_SUCCESS);
    return frames;
}

static void assert_survived(const struct frames *frames, VkResult error,
                            const struct frames *undisturbed)
{
    assert_true(frames->first == VK_SUCCESS || frames->first == error);
    if (frames->first == VK_SUCCESS) /* what finds no memory to be sifted is drawn in one piece */
        assert_within(frames->draws, undisturbed->draws - SIFTED_DRAWS, undisturbed->draws);
    assert_int_equal(frames->second, undisturbed->second);
}

/* -- tests -- */

static void tells_the_driver_everything(void **state)
{
    (void)state;
    struct scene scene = {0};
    scene_open(&scene);
    assert_int_equal(frame(&scene), VK_SUCCESS);
    assert_true(fake_log_count_of("vkCmdDispatch") >= 5);
    assert_true(fake_log_count_of("vkCmdDrawIndexedIndirect") >= 3);
    assert_int_equal(fake_log_count_of("vkQueueSubmit"), 1);
    assert_true(count_draws() >= 19);
    scene_forget(&scene);
    scene_close(&scene);
}

/* One of so many places is tried, so that emulators need not take minutes. */
static unsigned step(void)
{
    const char *every = getenv("PGS_TEST_EVERY");
    const int number = every ? atoi(every) : 1;
    return number > 1 ? (unsigned)number : 1;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    const struct frames undisturbed = run_undisturbed();
    unsigned failures = 0;
    bool reached = true;
    for (unsigned n = 1; reached; n += step()) {
        for (int all_after = 1; all_after >= 0 && reached; all_after--) {
            const struct want want = {.n = n, .all_after = all_after};
            const struct frames frames = run(&want);
            reached = !all_after || frames.starved;
            assert_survived(&frames, VK_ERROR_OUT_OF_HOST_MEMORY, &undisturbed);
            failures += frames.first != VK_SUCCESS;
        }
    }
    assert_true(failures * step() > 200);
}

/* Seeds for each place; PGS_TEST_SEEDS=N: so many. */
static unsigned seeds(void)
{
    const char *seeds = getenv("PGS_TEST_SEEDS");
    return seeds ? (unsigned)atoi(seeds) : 1;
}

/* What cleans up behind a failure fails, too. */
static void survives_want_of_half_of_the_memory(void **state)
{
    (void)state;
    const struct frames undisturbed = run_undisturbed();
    unsigned failures = 0;
    bool reached = true;
    for (unsigned n = 1; reached; n += seeds() > 1 ? step() : 4 * step()) {
        const struct want last = {.n = n, .all_after = true};
        reached = run(&last).starved;
        for (uint32_t seed = 1; seed <= seeds() && reached; seed++) {
            const struct want want = {.n = n, .seed = n + 65536 * seed};
            const struct frames frames = run(&want);
            assert_survived(&frames, VK_ERROR_OUT_OF_HOST_MEMORY, &undisturbed);
            failures += frames.first != VK_SUCCESS;
        }
    }
    assert_true(failures * step() > 50 || seeds() == 0);
}

static void survives_failures_of_the_driver(void **state)
{
    (void)state;
    static const VkResult results[] = {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY};
    const struct frames undisturbed = run_undisturbed();
    for (size_t i = 0; i < COUNT(results); i++) {
        bool reached = true;
        for (unsigned n = 1; reached; n += step()) {
            const unsigned last_seed = seeds() > 1 || n % 4 == 1 ? seeds() : 0;
            for (uint32_t seed = 0; seed <= last_seed && reached; seed++) {
                const struct want want = {
                    .n = n, .seed = seed ? n + 65536 * seed : 0, .driver = results[i]};
                const struct frames frames = run(&want);
                reached = frames.starved;
                assert_survived(&frames, results[i], &undisturbed);
                assert_true(reached || n > 80);
            }
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(tells_the_driver_everything),
        TEST(survives_want_of_memory),
        TEST(survives_want_of_half_of_the_memory),
        TEST(survives_failures_of_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
