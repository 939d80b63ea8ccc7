/* SPDX-License-Identifier: MIT
 *
 * Pools of scratch for draws whose size only the GPU knows: how large they are, and what the next
 * ones learn from what the GPU has written.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "draw/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../common/within.h"

#include "fake_heap.h"

#define MIB (UINT64_C(1) << 20)

static struct pgs_instance instance = {.settings = {.pool_MiB = 8}};
static struct pgs_arena arena;
static struct pgs_linear *upload, *scratch;

static int set_up(void **state)
{
    (void)state;
    pgs_log_set_level(PGS_LOG_OFF);
    fake_physical.instance = &instance;
    fake_physical.memory.memoryHeapCount = 2;
    fake_physical.memory.memoryHeaps[0] = (VkMemoryHeap){.size = 64 * 1024 * MIB};
    fake_physical.memory.memoryHeaps[1] =
        (VkMemoryHeap){.size = 1024 * MIB, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    fake_device.pool_units = fake_device.large_pool_units = fake_device.vital_pool_units = 0;
    fake_device.pools_held_B = 0;
    fake_device.large_pools_read = fake_device.open_pools_read = fake_device.open_pool_units = 0;
    fake_physical.traits.heap_B = 0;
    pgs_arena_init(&arena);
    return open_heap() != 0 ||
           pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &upload) != VK_SUCCESS ||
           pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &scratch) != VK_SUCCESS;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_arena_finish(&arena);
    pgs_linear_destroy(upload);
    pgs_linear_destroy(scratch);
    return close_heap();
}

static struct pgs_draw_pool *pool_for(uint64_t worst_B)
{
    const enum pgs_pool_kind kind = pgs_draw_pool_kind(NULL, &fake_device, worst_B);
    struct pgs_draw_pool *pool;
    assert_int_equal(pgs_draw_pool_create(&arena, upload, kind, &pool), VK_SUCCESS);
    pgs_draw_pool_want(pool, worst_B);
    return pool;
}

static struct pgs_pool *seal(struct pgs_draw_pool *pool)
{
    assert_int_equal(pgs_draw_pool_seal(pool, &fake_device, scratch), VK_SUCCESS);
    struct pgs_pool *header = pool->header.mapped;
    assert_int_equal(header->first, pool->range.address);
    assert_int_equal(header->size_units * (uint64_t)PGS_POOL_UNIT_B, pool->range.size_B);
    assert_int_equal(header->used_units + header->refused_units + header->needed_units, 0);
    return header;
}

static void is_as_large_as_could_be_wanted(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool = pool_for(1000);
    pgs_draw_pool_want(pool, 3000);
    const struct pgs_pool *header = seal(pool);
    assert_int_equal(pool->range.size_B, 4096);
    assert_int_equal(header->limit_units, 256 * MIB / PGS_POOL_UNIT_B);
    const VkDeviceAddress first = header->first;
    assert_int_equal(seal(pool)->first, first); /* once */
    pool = pool_for(100);
    seal(pool);
    assert_int_equal(pool->range.size_B, PGS_POOL_UNIT_B);
}

/* What is known is had, and nothing is left out. */
static void is_larger_than_the_setting_where_it_must(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool = pool_for(9 * MIB);
    assert_int_equal(pool->kind, PGS_POOL_LARGE);
    seal(pool);
    assert_int_equal(pool->range.size_B, 9 * MIB);
    pool = pool_for(257 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 128 * MIB);
}

static uint64_t size_in(struct pgs_linear *of_command_buffer)
{
    struct pgs_draw_pool *pool = pool_for(200 * MIB);
    assert_int_equal(pgs_draw_pool_seal(pool, &fake_device, of_command_buffer), VK_SUCCESS);
    return pool->range.size_B;
}

/* A program with many command buffers does not lose its memory to worst cases. */
static void shares_the_memory_of_all_command_buffers(void **state)
{
    (void)state;
    struct pgs_linear *of[8];
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &of[i]), VK_SUCCESS);
        const uint64_t half_B = 128 * MIB >> i;
        assert_int_equal(size_in(of[i]), half_B > 8 * MIB ? half_B : 8 * MIB);
    }
    /* The next pass of a command buffer has the memory of the one before. */
    pgs_linear_rewind(of[0]);
    fake_device.large_pool_units = 100 * MIB / PGS_POOL_UNIT_B;
    assert_int_equal(size_in(of[0]), 125 * MIB);
    assert_int_equal(pgs_linear_held_B(of[0]), 128 * MIB);
    for (int i = 0; i < 8; i++)
        pgs_draw_pool_release(&fake_device, of[i]);
    assert_int_equal(fake_device.pools_held_B, 0);
    assert_int_equal(size_in(of[0]), 128 * MIB);
    for (int i = 0; i < 8; i++)
        pgs_linear_destroy(of[i]);
}

/* Command buffers that cannot run at the same time have the same memory, all pools of a pass in one
 * piece. */
static void is_what_command_buffers_have_in_common(void **state)
{
    (void)state;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    struct pgs_linear *of[64];
    assert_int_equal(pgs_commons_create(&fake_device, &info), VK_SUCCESS);
    for (int i = 0; i < 64; i++) {
        struct pgs_draw_pool *pools[PGS_POOL_KINDS] = {pool_for(3 * MIB), pool_for(300 * MIB),
                                                       pool_for(PGS_POOL_UNKNOWN_B)};
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &of[i]), VK_SUCCESS);
        pgs_linear_share(of[i], pgs_commons_of(&fake_device, 0));
        pgs_draw_pools_prepare(pools, &fake_device, of[i]);
        for (int kind = 0; kind < 3; kind++)
            assert_int_equal(pgs_draw_pool_seal(pools[kind], &fake_device, of[i]), VK_SUCCESS);
        assert_int_equal(pools[0]->range.size_B, 3 * MIB);
        assert_int_equal(pools[1]->range.size_B, 128 * MIB);
        assert_int_equal(pools[2]->range.size_B, 8 * MIB);
        assert_int_equal(pgs_commons_all_B(&fake_device), 144 * MIB);
    }
    assert_int_equal(pgs_heap_lent_B(&fake_device) - pgs_linear_held_B(upload), 144 * MIB);
    assert_int_equal(fake_device.pools_held_B, 0);
    for (int i = 0; i < 64; i++) {
        pgs_draw_pool_release(&fake_device, of[i]);
        pgs_linear_destroy(of[i]);
    }
    assert_int_equal(pgs_commons_all_B(&fake_device), 0);
    pgs_commons_destroy(&fake_device);
}

static void keeps_to_half_of_the_heap(void **state)
{
    (void)state;
    fake_physical.traits.heap_B = 64 * MIB;
    struct pgs_draw_pool *pool = pool_for(200 * MIB);
    struct pgs_pool *header = seal(pool);
    assert_int_equal(pool->range.size_B, 32 * MIB);
    assert_int_equal(pgs_draw_pool_round_B(&fake_device, scratch), 32 * MIB);
    header->needed_units = 100 * MIB / PGS_POOL_UNIT_B; /* and is too little */
    pgs_draw_pool_read(pool, &fake_device);
    pool = pool_for(200 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 125 * MIB);
}

static uint64_t open_size_in(struct pgs_linear *of_command_buffer, uint64_t needed_B)
{
    struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
    assert_int_equal(pgs_draw_pool_seal(pool, &fake_device, of_command_buffer), VK_SUCCESS);
    ((struct pgs_pool *)pool->header.mapped)->needed_units = (uint32_t)(needed_B / PGS_POOL_UNIT_B);
    pgs_draw_pool_read(pool, &fake_device);
    return pool->range.size_B;
}

/* Secondaries, and command buffers for several queues, may be many. */
static void leaves_some_to_others_that_have_their_own(void **state)
{
    (void)state;
    struct pgs_linear *of[64];
    uint64_t sum_B = 0;
    instance.settings.pool_MiB = 16;
    fake_physical.traits.heap_B = 64 * MIB;
    for (int i = 0; i < 64; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &of[i]), VK_SUCCESS);
        sum_B += open_size_in(of[i], 10000); /* of which the first few are enough to know it */
    }
    assert_within(sum_B, 64 * MIB, 4 * 64 * MIB); /* not 64 * 16 MiB */
    pgs_draw_pool_release(&fake_device, of[63]);
    assert_int_equal(open_size_in(of[63], 12 * MIB), MIB);
    pgs_draw_pool_release(&fake_device, of[63]);
    assert_int_equal(open_size_in(of[63], 0), 16 * MIB); /* as needed */
    instance.settings.pool_MiB = 8;
    for (int i = 0; i < 64; i++) {
        pgs_draw_pool_release(&fake_device, of[i]);
        pgs_linear_destroy(of[i]);
    }
}

static void is_no_larger_than_the_setting(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
    pgs_draw_pool_want(pool, PGS_POOL_UNKNOWN_B);
    seal(pool);
    assert_int_equal(pool->range.size_B, 8 * MIB);
    instance.settings.pool_MiB = 4096;
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    seal(pool);
    instance.settings.pool_MiB = 8;
    assert_int_equal(pool->range.size_B, 256 * MIB);
}

static uint64_t vital_size(uint64_t probable_B)
{
    struct pgs_draw_pool *pool;
    assert_int_equal(pgs_draw_pool_create(&arena, upload, PGS_POOL_VITAL, &pool), VK_SUCCESS);
    pgs_draw_pool_want(pool, probable_B);
    seal(pool);
    pgs_draw_pool_release(&fake_device, scratch);
    return pool->range.size_B;
}

/* Where draws would be lost, what they probably take is had, whatever the setting is. */
static void is_as_large_as_is_probable(void **state)
{
    (void)state;
    assert_int_equal(vital_size(0), 8 * MIB);
    assert_int_equal(vital_size(9 * MIB), 9 * MIB);
    assert_int_equal(vital_size(PGS_POOL_UNKNOWN_B), 128 * MIB);
    instance.settings.pool_MiB = 0;
    assert_int_equal(vital_size(0), PGS_POOL_UNIT_B);
    assert_int_equal(vital_size(1), MIB / 16);
    assert_int_equal(vital_size(9 * MIB), 9 * MIB);
    instance.settings.pool_MiB = 8;
    struct pgs_draw_pool *pool;
    assert_int_equal(pgs_draw_pool_create(&arena, upload, PGS_POOL_VITAL, &pool), VK_SUCCESS);
    seal(pool)->needed_units = 16 * MIB / PGS_POOL_UNIT_B;
    pgs_draw_pool_read(pool, &fake_device);
    assert_int_equal(fake_device.pool_units, 0);
    assert_int_equal(vital_size(0), 20 * MIB);
    assert_int_equal(vital_size(21 * MIB), 21 * MIB);
}

/* Where draws would be lost, others holding all that the layer may take do not matter. */
static void is_there_beside_others(void **state)
{
    (void)state;
    fake_device.pools_held_B = 256 * MIB;
    instance.settings.pool_MiB = 0;
    assert_int_equal(vital_size(PGS_POOL_UNKNOWN_B), 16 * MIB);
    assert_int_equal(vital_size(3 * MIB), 3 * MIB);
    instance.settings.memory_MiB = 64; /* may not even be taken */
    struct pgs_draw_pool *other;
    assert_int_equal(pgs_draw_pool_create(&arena, upload, PGS_POOL_ROUND, &other), VK_SUCCESS);
    pgs_draw_pool_want(other, 64 * MIB);
    struct pgs_linear *held;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &held), VK_SUCCESS);
    assert_int_equal(pgs_draw_pool_seal(other, &fake_device, held), VK_SUCCESS);
    assert_int_equal(vital_size(PGS_POOL_UNKNOWN_B), 4 * MIB);
    fake_device.pool_units = 6 * MIB / PGS_POOL_UNIT_B; /* of other draws */
    assert_int_equal(vital_size(3 * MIB + 1), 3 * MIB + PGS_POOL_UNIT_B);
    fake_device.vital_pool_units = 8 * MIB / PGS_POOL_UNIT_B;
    assert_int_equal(vital_size(0), 10 * MIB);
    pgs_draw_pool_release(&fake_device, held);
    pgs_linear_destroy(held);
    instance.settings.memory_MiB = 0;
    instance.settings.pool_MiB = 8;
    fake_device.pools_held_B = 0;
}

/* A round has what it wants, even beyond what the layer may take. */
static void holds_a_round(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool;
    assert_int_equal(pgs_draw_pool_round_B(&fake_device, scratch), 128 * MIB);
    assert_int_equal(pgs_draw_pool_create(&arena, upload, PGS_POOL_ROUND, &pool), VK_SUCCESS);
    pgs_draw_pool_want(pool, 100 * MIB);
    instance.settings.memory_MiB = 10;
    assert_int_equal(pgs_draw_pool_round_B(&fake_device, scratch), 8 * MIB); /* the setting */
    instance.settings.memory_MiB = 100;
    assert_int_equal(pgs_draw_pool_round_B(&fake_device, scratch), 50 * MIB);
    seal(pool);
    instance.settings.memory_MiB = 0;
    assert_int_equal(pool->range.size_B, 100 * MIB);
    assert_int_equal(pgs_draw_pool_round_B(&fake_device, scratch), 128 * MIB); /* reused */
}

static void is_for_draws_of_one_kind(void **state)
{
    (void)state;
    const struct pgs_draw_pool *sure = pool_for(3 * MIB);
    assert_int_equal(sure->kind, PGS_POOL_SURE);
    assert_int_equal(pgs_draw_pool_kind(sure, &fake_device, 5 * MIB), PGS_POOL_SURE);
    assert_int_equal(pgs_draw_pool_kind(sure, &fake_device, 5 * MIB + 1), PGS_POOL_LARGE);
    assert_int_equal(pgs_draw_pool_kind(NULL, &fake_device, 8 * MIB), PGS_POOL_SURE);
    assert_int_equal(pgs_draw_pool_kind(NULL, &fake_device, PGS_POOL_UNKNOWN_B), PGS_POOL_OPEN);
}

/* Where indices are bound, and where they lie, as the kernels compute it. */
static void says_where_indices_are_bound(void **state)
{
    (void)state;
    struct pgs_range before;
    assert_int_equal(pgs_linear_alloc(scratch, 1000, 16, &before), VK_SUCCESS);
    struct pgs_draw_pool *pool = pool_for(4096);
    const struct pgs_pool *header = seal(pool);
    assert_int_not_equal(pool->range.offset_B, 0);
    assert_int_equal(header->first - header->index_base, pool->range.offset_B);
}

static void learns_what_was_needed(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
    pgs_draw_pool_read(pool, &fake_device); /* was never recorded */
    struct pgs_pool *header = seal(pool);
    header->needed_units = header->size_units;
    pgs_draw_pool_read(pool, &fake_device);
    assert_int_equal(fake_device.pool_units, 0);
    header->needed_units = header->size_units + 1;
    pgs_draw_pool_read(pool, &fake_device);
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    header = seal(pool);
    assert_int_equal(pool->range.size_B, 8 * MIB + PGS_POOL_UNIT_B);
    header->needed_units = UINT32_MAX; /* beyond all that can be had */
    pgs_draw_pool_read(pool, &fake_device);
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    seal(pool);
    assert_int_equal(pool->range.size_B, 256 * MIB);
    pool = pool_for(5 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 5 * MIB);
}

/* Whatever others hold, there is as much as was needed before, and a quarter more. */
static void learns_what_large_draws_need(void **state)
{
    (void)state;
    struct pgs_draw_pool *pool = pool_for(200 * MIB);
    struct pgs_pool *header = seal(pool);
    header->needed_units = 100 * MIB / PGS_POOL_UNIT_B; /* it had that */
    pgs_draw_pool_read(pool, &fake_device);
    assert_int_equal(fake_device.pool_units, 0);
    fake_device.pools_held_B = 1024 * MIB;
    pool = pool_for(200 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 125 * MIB);
    pool = pool_for(110 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 110 * MIB);
}

static uint64_t needs(uint64_t needed_B)
{
    struct pgs_draw_pool *pool = pool_for(200 * MIB);
    seal(pool)->needed_units = (uint32_t)(needed_B / PGS_POOL_UNIT_B);
    pgs_draw_pool_read(pool, &fake_device);
    pgs_draw_pool_release(&fake_device, scratch);
    return pool->range.size_B;
}

/* Draws that need little of their worst case, each time, do not keep memory for that. */
static void learns_that_large_draws_need_little(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(needs(0), 128 * MIB); /* was not executed */
    for (int i = 0; i < 100; i++)
        assert_true(needs(2 * MIB) <= (i < 50 ? 128 : 16) * MIB);
    assert_int_equal(needs(40 * MIB), 16 * MIB);
    assert_int_equal(needs(40 * MIB), 128 * MIB); /* and may need more */
}

/* What is said from here on goes to the file. */
struct said {
    FILE *file;
    int saved;
};
static struct said listen(void)
{
    const struct said said = {tmpfile(), dup(2)};
    assert_non_null(said.file);
    fflush(stderr);
    dup2(fileno(said.file), 2);
    pgs_log_set_level(PGS_LOG_DEBUG);
    return said;
}

/* How many lines that were, and the last one. */
static unsigned lines_of(struct said said, char line[512])
{
    unsigned lines = 0;
    pgs_log_set_level(PGS_LOG_OFF);
    fflush(stderr);
    dup2(said.saved, 2);
    close(said.saved);
    rewind(said.file);
    while (fgets(line, 512, said.file))
        lines++;
    fclose(said.file);
    return lines;
}

static unsigned lines_of_seal(struct pgs_draw_pool *pool, VkResult expected, char line[512])
{
    const struct said said = listen();
    const VkResult result = pgs_draw_pool_seal(pool, &fake_device, scratch);
    const unsigned lines = lines_of(said, line);
    assert_int_equal(result, expected);
    return lines;
}

/* What was drawn without memory is no error, what was left out is one. */
static void tells_what_is_lost_from_what_is_slow(void **state)
{
    (void)state;
    char line[512];
    for (uint32_t left_out = 0; left_out < 2; left_out++) {
        struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
        struct pgs_pool *header = seal(pool);
        header->needed_units = header->size_units + 1;
        header->left_out = left_out;
        const struct said said = listen();
        pgs_draw_pool_read(pool, &fake_device);
        assert_int_equal(lines_of(said, line), 1);
        assert_non_null(strstr(line, left_out ? "error: " : "info: "));
        assert_non_null(strstr(line, left_out
                                         ? "were not drawn, or not captured and counted. Passes"
                                         : "were drawn in a slower way that needs none. Passes"));
        header->needed_units = 0;
        header->too_large = 1;
        const struct said more = listen();
        pgs_draw_pool_read(pool, &fake_device);
        assert_int_equal(lines_of(more, line), left_out);
    }
}

static void says_once_that_there_is_less(void **state)
{
    (void)state;
    char line[512];
    fake_device.pool_units = 256 * MIB / PGS_POOL_UNIT_B;
    fake_memories.largest_B = 70 * MIB;
    struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
    assert_int_equal(lines_of_seal(pool, VK_SUCCESS, line), 1);
    assert_string_equal(
        line, "poly_gs warning: out of device memory: the indirect and tessellated draws of a "
              "render pass get 64 MiB instead of 256. Free some, or use "
              "VK_POLY_GS_PLAN=vertex\n");
    fake_memories.largest_B = MIB / 2;
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    assert_int_equal(lines_of_seal(pool, VK_ERROR_OUT_OF_DEVICE_MEMORY, line), 1);
    assert_string_equal(
        line, "poly_gs error: out of device memory: the indirect and tessellated draws of a "
              "render pass get 0 MiB instead of 256. Free some, or use "
              "VK_POLY_GS_PLAN=vertex\n");
}

static void takes_less_where_there_is_less(void **state)
{
    (void)state;
    fake_device.pool_units = 256 * MIB / PGS_POOL_UNIT_B;
    fake_memories.largest_B = 100 * MIB;
    struct pgs_draw_pool *pool = pool_for(PGS_POOL_UNKNOWN_B);
    seal(pool);
    assert_int_equal(pool->range.size_B, 64 * MIB);
    fake_memories.largest_B = MIB;
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    seal(pool);
    assert_int_equal(pool->range.size_B, MIB);
    fake_memories.largest_B = MIB / 2;
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    assert_int_equal(pgs_draw_pool_seal(pool, &fake_device, scratch),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

/* Draws without any memory would be lost, so there is a little even if others hold all that the
 * layer may take. */
static void has_a_little_whatever_the_limit_is(void **state)
{
    (void)state;
    const struct pgs_settings before = instance.settings;
    struct pgs_linear *other;
    struct pgs_range range;
    instance.settings.memory_MiB = 16;
    instance.settings.pool_MiB = 64;
    assert_int_equal(pgs_draw_pool_setting_B(&fake_device), 64 * MIB); /* somebody asked for it */
    instance.settings.scales_pools = true;
    assert_int_equal(pgs_draw_pool_setting_B(&fake_device), MIB);
    assert_int_equal(pgs_draw_pool_limit_B(&fake_device), 16 * MIB);
    pgs_heap_destroy(&fake_device);
    assert_int_equal(pgs_heap_create(&fake_device), VK_SUCCESS);
    struct pgs_draw_pool *pool = pool_for(200 * MIB);
    seal(pool);
    assert_int_equal(pool->range.size_B, 8 * MIB); /* half of what is left */
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &other), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(other, 7 * MIB, 16, &range), VK_SUCCESS);
    pool = pool_for(PGS_POOL_UNKNOWN_B);
    seal(pool);
    assert_int_equal(pool->range.size_B, MIB);
    assert_int_equal(pgs_heap_left_B(&fake_device), 0);
    pgs_linear_destroy(other);
    instance.settings = before;
}

static uint64_t largest_buffer_B;
static PFN_vkCreateBuffer create_buffer;

static VkResult note_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    largest_buffer_B = info->size > largest_buffer_B ? info->size : largest_buffer_B;
    return create_buffer(handle, info, allocator, buffer);
}

/* A pass whose pools take so much, from what command buffers have in common. */
static void take_pools(struct pgs_linear *from, uint64_t large_B, uint64_t vital_B)
{
    struct pgs_draw_pool *pools[PGS_POOL_KINDS] = {NULL};
    const uint64_t wanted_B[PGS_POOL_KINDS] = {
        [PGS_POOL_LARGE] = large_B, [PGS_POOL_VITAL] = vital_B};
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++) {
        if (!wanted_B[kind])
            continue;
        assert_int_equal(
            pgs_draw_pool_create(&arena, upload, (enum pgs_pool_kind)kind, &pools[kind]),
            VK_SUCCESS);
        pgs_draw_pool_want(pools[kind], wanted_B[kind]);
    }
    pgs_draw_pools_prepare(pools, &fake_device, from);
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++)
        if (pools[kind])
            assert_int_equal(pgs_draw_pool_seal(pools[kind], &fake_device, from), VK_SUCCESS);
}

/* Every driver allows buffers of 1 GiB. */
static void asks_for_no_larger_buffers_than_drivers_allow(void **state)
{
    (void)state;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    struct pgs_linear *of[2];
    fake_physical.traits.heap_B = 0;
    fake_physical.memory.memoryHeaps[1].size = 24 * 1024 * MIB;
    largest_buffer_B = 0;
    create_buffer = fake_device.vk.CreateBuffer;
    fake_device.vk.CreateBuffer = note_buffer;
    assert_int_equal(pgs_commons_create(&fake_device, &info), VK_SUCCESS);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &of[i]), VK_SUCCESS);
        pgs_linear_share(of[i], pgs_commons_of(&fake_device, 0));
        take_pools(of[i], (i ? 1024 : 500) * MIB, (i ? 1024 : 400) * MIB);
    }
    for (int i = 0; i < 2; i++) {
        pgs_draw_pool_release(&fake_device, of[i]);
        pgs_linear_destroy(of[i]);
    }
    pgs_commons_destroy(&fake_device);
    fake_device.vk.CreateBuffer = create_buffer;
    assert_within(largest_buffer_B, 512 * MIB, 1024 * MIB);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(asks_for_no_larger_buffers_than_drivers_allow),
        TEST(is_as_large_as_could_be_wanted),
        TEST(is_larger_than_the_setting_where_it_must),
        TEST(is_what_command_buffers_have_in_common),
        TEST(keeps_to_half_of_the_heap),
        TEST(leaves_some_to_others_that_have_their_own),
        TEST(is_no_larger_than_the_setting),
        TEST(is_as_large_as_is_probable),
        TEST(is_there_beside_others),
        TEST(holds_a_round),
        TEST(is_for_draws_of_one_kind),
        TEST(says_where_indices_are_bound),
        TEST(learns_what_was_needed),
        TEST(learns_what_large_draws_need),
        TEST(learns_that_large_draws_need_little),
        TEST(says_once_that_there_is_less),
        TEST(tells_what_is_lost_from_what_is_slow),
        TEST(shares_the_memory_of_all_command_buffers),
        TEST(takes_less_where_there_is_less),
        TEST(has_a_little_whatever_the_limit_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
