/* SPDX-License-Identifier: MIT
 *
 * An application that draws: its buffers, its state, and a batch on the fake recorder, for the
 * tests of the draw module, which include it once, after cmocka.h. They fill the state, and make
 * pipelines, in a set_up of their own that ends with open_batch.
 */
#ifndef PGS_TEST_DRAW_APP_H
#define PGS_TEST_DRAW_APP_H

#include "base/alloc.h"
#include "draw/batch.h"
#include "draw/compute.h"
#include "draw/condition.h"
#include "draw/plan.h"
#include "draw/record_compute.h"
#include "draw/replay.h"
#include "draw/tessellation.h"
#include "fake_recorder.h"

#include "fake_layout.h"

#include <string.h>

/* Buffers. */
enum {
    NONE,
    ARGS,
    COUNTS,
    INDICES,
    VERTICES,
    SMALL,
    COUNTERS,
    ODD,      /* no whole number of words */
    EXTERNAL, /* without an address */
    LARGE,
    BUFFER_COUNT
};
#define BUFFER(n) ((VkBuffer)(uintptr_t)(n))
#define ADDRESS(n) ((uint64_t)(n) << 32)
static struct pgs_buffer_info buffers[BUFFER_COUNT] = {
    [ARGS] = {.size_B = 1000, .address = ADDRESS(ARGS)},
    [COUNTS] = {.size_B = 64, .address = ADDRESS(COUNTS)},
    [INDICES] = {.size_B = 256, .address = ADDRESS(INDICES)},
    [VERTICES] = {.size_B = 1000, .address = ADDRESS(VERTICES)},
    [SMALL] = {.size_B = 256, .address = ADDRESS(SMALL)},
    [COUNTERS] = {.size_B = 64, .address = ADDRESS(COUNTERS)},
    [ODD] = {.size_B = 103, .address = ADDRESS(ODD)},
    [EXTERNAL] = {.size_B = 64, .address = 0},
    [LARGE] = {.size_B = UINT64_C(5) << 30, .address = ADDRESS(LARGE)},
};

bool pgs_buffer_lookup(struct pgs_device *dev, VkBuffer handle, struct pgs_buffer_info *info)
{
    (void)dev;
    const uintptr_t number = (uintptr_t)handle;
    if (number >= BUFFER_COUNT || !buffers[number].size_B)
        return false;
    *info = buffers[number];
    return true;
}

VkDeviceSize pgs_buffer_largest_xfb_B(struct pgs_device *dev)
{
    (void)dev;
    return 4800;
}

static struct pgs_layout layout;
static struct pgs_graphics_state state;
static struct pgs_batch *batch;
static const struct pgs_replacement *replacements[8]; /* the last ones, newest first */

/* A device with 8 GiB and a batch of its own. What fails is not 0. */
static int open_batch(uint32_t pool_MiB)
{
    fake_recorder_init();
    memset(replacements, 0, sizeof(replacements));
    fake_instance.settings.pool_MiB = pool_MiB;
    fake_physical.memory.memoryHeapCount = 1;
    fake_physical.memory.memoryHeaps[0] = (VkMemoryHeap){
        .size = UINT64_C(8) << 30,
        .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT,
    };
    return open_heap() != 0 || pgs_batch_create(&fake_device, NULL, NULL, &batch) != VK_SUCCESS;
}

static int tear_down(void **unused)
{
    (void)unused;
    pgs_batch_destroy(batch);
    return close_heap();
}

/* *draw is NULL if nothing takes the place of the draw. */
static VkResult add_to(struct pgs_batch *to, const struct pgs_graphics_state *of,
                       const struct pgs_draw_call *call, struct pgs_draw **draw)
{
    struct pgs_replacement *replacement;
    const VkResult result = pgs_batch_add(to, of, call, false, &replacement);
    *draw = replacement ? (struct pgs_draw *)replacement->draw : NULL;
    memmove(replacements + 1, replacements, sizeof(replacements) - sizeof(replacements[0]));
    replacements[0] = replacement;
    return result;
}

static struct pgs_draw *add_call(struct pgs_draw_call call)
{
    struct pgs_draw *draw;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    return draw;
}

/* Replays the last replacement by the draw. */
__attribute__((unused)) static void replay(const struct pgs_draw *draw)
{
    for (int i = 0; i < 8; i++)
        if (replacements[i] && replacements[i]->draw == draw) {
            pgs_draw_replay(replacements[i], VK_NULL_HANDLE);
            return;
        }
    fail_msg("the draw is not among the last ones");
}

/* By the byte count in a buffer of counters, 4 of which do not count. */
__attribute__((unused)) static struct pgs_draw_call by_count(uint32_t instance_count)
{
    return (struct pgs_draw_call){.byte_count = true,
                                  .instance_count = instance_count,
                                  .first_instance = 7,
                                  .counter = {BUFFER(COUNTERS), 8},
                                  .counter_offset_B = 4,
                                  .vertex_stride_B = 16};
}

static struct pgs_linear *own_memory; /* of the command buffer; NULL: it has none */

/* Returns the invocations that it dispatches. */
__attribute__((unused)) static uint64_t record_batch(const struct pgs_batch *which,
                                                     enum pgs_batch_place place)
{
    uint64_t invocations = 0;
    assert_int_equal(pgs_batch_record(which, VK_NULL_HANDLE, place, own_memory, &invocations),
                     VK_SUCCESS);
    return invocations;
}

/* The same where nothing else goes into the batch. */
__attribute__((unused)) static struct pgs_draw *add_sealed(struct pgs_draw_call call)
{
    struct pgs_draw *draw = add_call(call);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    return draw;
}

/* The n-th dispatch whose size the GPU says was told to find it there in the draw's grids. */
__attribute__((unused)) static void expect_grid(const struct pgs_draw *draw, int n, size_t grid_B)
{
    assert_true(n < fake.grid_count);
    assert_true(fake.grids[n].buffer == draw->grids.buffer);
    assert_int_equal(fake.grids[n].offset_B, draw->grids.offset_B + grid_B);
}

#endif
