/* SPDX-License-Identifier: MIT
 *
 * The life of an application (scene.h) on a driver whose commands fail in turn, each with each
 * result that it may return, alone and with every second one after it, with a layer whose
 * allocations fail likewise, and on a driver with little memory. The application gets that result,
 * or what it has drawn is right; everything is destroyed; and the next frame, without a failure, is
 * right byte for byte.
 *
 * --every N: one of N places, or PGS_TEST_EVERY of the environment; PGS_TEST_FIRST: the first of
 * them, so that N processes share all places. --only N RESULT SEED: one place, for a debugger.
 */
#include "host.h"
#include "soak.h"
#include "starve.h"

#include <stdlib.h>
#include <string.h>

static struct scene_results usual;         /* of an undisturbed frame */
static uint32_t anchored;                  /* objects of the program's own device */
static uint32_t tried, answered, survived; /* failures that the application heard of, or did not */

/* Who fails. */
struct victim {
    void (*begin)(const struct starve_plan *plan);
    uint32_t (*failures)(const char **first);
    bool (*has_reached)(void);
};

static const struct victim driver = {starve_begin, starve_failures, starve_has_reached},
                           host = {host_begin, host_failures, host_has_reached};

static bool is_usual(const struct scene_results *results)
{
    return memcmp(results, &usual, sizeof(usual)) == 0;
}

static void say_difference(const struct scene_results *results)
{
    for (int i = 0; i < 3; i++)
        for (size_t at = 0; at < SCENE_BUFFER_B; at++)
            if (results->bytes[i][at] != usual.bytes[i][at]) {
                fprintf(stderr, "  result %d differs at %zu: %d for %d\n", i, at,
                        results->bytes[i][at], usual.bytes[i][at]);
                break;
            }
}

/* A frame without a failure, on the scene's device, or on a new one. */
static bool draws_again(struct vkt *t, struct scene *s, bool anew)
{
    static struct scene_results again;
    VkResult result = VK_SUCCESS;
    if (anew) {
        scene_close(s);
        result = scene_open(s, &t->options);
    }
    if (result == VK_SUCCESS)
        result = scene_frame(s, &again);
    if (result != VK_SUCCESS)
        fprintf(stderr, "  the next frame ends with %d in %s\n", result,
                scene_failed_at().function);
    else if (!is_usual(&again))
        say_difference(&again);
    scene_forget(s);
    return result == VK_SUCCESS && is_usual(&again);
}

static bool is_answer(VkResult result, VkResult wanted)
{
    return result == wanted || (result == VK_ERROR_TOO_MANY_OBJECTS &&
                                strcmp(scene_failed_at().function, "take_memory") == 0);
}

/* One life. Returns what the application was told; *frame: what it drew if that was VK_SUCCESS. */
static VkResult live(struct vkt *t, const struct victim *victim, const struct starve_plan *plan)
{
    static const struct starve_plan nothing = {VK_SUCCESS, 0, 0};
    static struct scene_results frame;
    struct scene s;
    const char *failed = NULL;
    victim->begin(plan);
    VkResult result = scene_open(&s, &t->options);
    if (result == VK_SUCCESS)
        result = scene_frame(&s, &frame);
    const uint32_t failures = victim->failures(&failed);
    const bool good = result == VK_SUCCESS ? is_usual(&frame) : is_answer(result, plan->result);
    VKT_EXPECT(t, good, "%s fails (%d from %u on, seed %u): the application gets %d in %s, line %d",
               failed ? failed : "nothing", plan->result, plan->n, plan->seed, result,
               scene_failed_at().function, scene_failed_at().line);
    if (!good && result == VK_SUCCESS)
        say_difference(&frame);
    tried += failures != 0;
    answered += failures != 0 && result != VK_SUCCESS;
    survived += failures != 0 && result == VK_SUCCESS;
    const bool reached = victim->has_reached();
    victim->begin(&nothing);
    scene_forget(&s);
    VKT_EXPECT(t, draws_again(t, &s, !s.device || result == VK_ERROR_DEVICE_LOST),
               "... after %s (%d from %u on, seed %u)", failed ? failed : "nothing", plan->result,
               plan->n, plan->seed);
    scene_close(&s);
    VKT_EXPECT(t, starve_alive(false) == anchored, "%u objects leak where %s fails (%d from %u on)",
               starve_alive(true) - anchored, failed ? failed : "nothing", plan->result, plan->n);
    return reached ? result : VK_NOT_READY;
}

/* After many lives nothing more is in use than after a few. */
static void expect_used(struct vkt *t, long before_KiB)
{
    const long grown_KiB = soak_used_KiB() - before_KiB;
    printf("%s: %ld KiB in use, %ld more than after the first lives\n", t->options.name,
           before_KiB + grown_KiB, grown_KiB);
    VKT_EXPECT(t, grown_KiB <= soak_most_used_KiB(t), "%u lives leave %ld KiB", tried, grown_KiB);
}

static unsigned first = 1, step = 1;

static void read_step(const struct vkt_options *options)
{
    const char *every = getenv("PGS_TEST_EVERY");
    if (!every && options->rest_count == 2 && vkt_flag(options, "--every"))
        every = options->rest[1];
    const int number = every ? atoi(every) : 1;
    if (number == 0)
        vkt_skip("only with PGS_TEST_EVERY");
    step = number > 1 ? (unsigned)number : 1;
    const char *at = getenv("PGS_TEST_FIRST");
    first = at && atoi(at) > 1 ? (unsigned)atoi(at) : 1;
}

static void fail_each(struct vkt *t, const struct victim *victim, VkResult result)
{
    bool reached = true;
    unsigned n = first;
    for (; reached; n += step)
        for (unsigned seed = 0; seed < 2 && reached; seed++) {
            const struct starve_plan plan = {result, n, seed ? n : 0};
            reached = live(t, victim, &plan) != VK_NOT_READY;
        }
    printf("%s: %d, up to %u %s\n", t->options.name, result, n - 1,
           victim == &host ? "allocations of the layer" : "commands");
}

/* -- little memory -- */

/* Little at all: heaps, or allocations at a time. Returns whether the frame was drawn. */
static bool live_on(struct vkt *t, uint64_t memory_B, uint32_t allocations)
{
    static const struct starve_plan nothing = {VK_SUCCESS, 0, 0};
    static struct scene_results frame;
    struct scene s;
    starve_limit(memory_B, allocations);
    VkResult result = scene_open(&s, &t->options);
    if (result == VK_SUCCESS)
        result = scene_frame(&s, &frame);
    VKT_EXPECT(t,
               result == VK_SUCCESS ? is_usual(&frame)
                                    : is_answer(result, VK_ERROR_OUT_OF_DEVICE_MEMORY) ||
                                          is_answer(result, VK_ERROR_OUT_OF_HOST_MEMORY),
               "with %u KiB and %u allocations (0: any) the application gets %d in %s",
               (unsigned)(memory_B / 1024), allocations, result, scene_failed_at().function);
    scene_forget(&s);
    starve_limit(0, 0);
    starve_begin(&nothing);
    VKT_EXPECT(t, draws_again(t, &s, true), "... after %u KiB and %u allocations",
               (unsigned)(memory_B / 1024), allocations);
    scene_close(&s);
    VKT_EXPECT(t, starve_alive(false) == anchored, "%u objects leak with %u KiB and %u allocations",
               starve_alive(true) - anchored, (unsigned)(memory_B / 1024), allocations);
    return result == VK_SUCCESS;
}

static void draw_usual(struct vkt *t)
{
    struct scene s;
    starve_limit(0, 0);
    VKT_CALL(scene_open(&s, &t->options));
    VKT_CALL(scene_frame(&s, &usual));
    scene_forget(&s);
    scene_close(&s);
}

static void live_on_little(struct vkt *t)
{
    const uint64_t peak_B = starve_peak_B();
    const uint32_t peak = starve_peak_allocations();
    printf("%s: %u KiB and %u allocations at a time\n", t->options.name, (unsigned)(peak_B / 1024),
           peak);
    VKT_EXPECT(t, live_on(t, UINT64_C(64) << 20, 0), "does not draw with 64 MiB");
    VKT_EXPECT(t, live_on(t, 0, peak), "does not draw with %u allocations", peak);
    for (uint32_t allocations = first; allocations < peak; allocations += step)
        live_on(t, 0, allocations);
    for (unsigned part = first; part < 32; part += step)
        live_on(t, peak_B * part / 32, 0);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("starvation", argc, argv);
    struct vkt t;
    options.xfb = true;
    options.tessellation = true;
    read_step(&options);
    /* Keeps driver and layers loaded, which may not survive being loaded many times. */
    vkt_init(&t, &options);
    anchored = starve_alive(false);
    if (anchored == 0)
        vkt_die("VK_LAYER_pgs_test_starve is not there");
    draw_usual(&t);
    vkt_dump_buffer(&t, "captured", usual.bytes[0], SCENE_BUFFER_B);
    vkt_dump_buffer(&t, "counters", usual.bytes[1], SCENE_BUFFER_B);
    vkt_dump_image(&t, "picture", usual.bytes[2], SCENE_SIZE_PX, SCENE_HEIGHT_PX, 4);
    if (options.rest_count == 4 && vkt_flag(&options, "--soak")) {
        const struct soak how = {&usual, atof(options.rest[1]), (uint32_t)atoi(options.rest[2]),
                                 atol(options.rest[3])};
        soak(&t, &how);
        return vkt_finish(&t);
    }
    if (options.rest_count == 4 && vkt_flag(&options, "--only")) {
        const struct starve_plan plan = {atoi(options.rest[2]), (uint32_t)atoi(options.rest[1]),
                                         (uint32_t)atoi(options.rest[3])};
        live(&t, &driver, &plan);
        return vkt_finish(&t);
    }
    live_on_little(&t);
    /* Of these a few, each the first time, cost the process 576 KiB in all, whatever comes later.
     * What leaks comes again below. */
    const bool has_layer = host_find_layer();
    if (has_layer)
        fail_each(&t, &host, VK_ERROR_OUT_OF_HOST_MEMORY);
    const long used_KiB = soak_used_KiB();
    fail_each(&t, &driver, VK_ERROR_OUT_OF_HOST_MEMORY);
    fail_each(&t, &driver, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fail_each(&t, &driver, VK_ERROR_DEVICE_LOST);
    if (has_layer)
        fail_each(&t, &host, VK_ERROR_OUT_OF_HOST_MEMORY);
    expect_used(&t, used_KiB);
    printf("%s: %u lives with failures: %u told, %u right all the same\n", options.name, tried,
           answered, survived);
    return vkt_finish(&t);
}
