/* SPDX-License-Identifier: MIT
 *
 * The heap and its linear allocators over a fake driver: sharing of blocks, growth, give-back, and
 * failure of each call without a leak; limits and budgets.
 */
#include "base/alloc.h"
#include "memory/heap.h"
#include "memory/limit.h"
#include "memory/linear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_heap.h"

static int set_up(void **state)
{
    (void)state;
    return open_heap();
}

static int tear_down(void **state)
{
    (void)state;
    return close_heap();
}

static void allocates_nothing_before_it_is_asked(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 0);
    struct pgs_range range;
    assert_int_equal(pgs_linear_alloc(linear, 100, 16, &range), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    assert_int_equal(fake_memories.last_B, 64 << 20);
    assert_int_equal(fake_memories.last_type, 2);
    assert_true(fake_memories.last_has_address);
    assert_null(range.mapped);
    assert_true(fake_memories.last_usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    pgs_linear_destroy(linear);
}

/* No draw can bind what reset and copy of queries write by transfers. */
static void queries_have_buffers_of_their_own(void **state)
{
    (void)state;
    struct pgs_linear *upload, *queries;
    struct pgs_range bound, range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &upload), VK_SUCCESS);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_QUERIES, &queries), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(upload, 100, 16, &bound), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(queries, 100, 16, &range), VK_SUCCESS);
    assert_true(range.buffer != bound.buffer);
    assert_int_equal(fake_memories.last_usage &
                         (VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT),
                     0);
    assert_non_null(range.mapped);
    pgs_linear_destroy(queries);
    pgs_linear_destroy(upload);
}

static void many_share_one_block(void **state)
{
    (void)state;
    struct pgs_linear *linear[64];
    struct pgs_range range[64];
    for (int i = 0; i < 64; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear[i]),
                         VK_SUCCESS);
        assert_int_equal(pgs_linear_alloc(linear[i], 1000, 16, &range[i]), VK_SUCCESS);
        for (int k = 0; k < i; k++)
            assert_true(range[i].address >= range[k].address + range[k].size_B ||
                        range[k].address >= range[i].address + range[i].size_B);
    }
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    for (int i = 0; i < 64; i++)
        pgs_linear_destroy(linear[i]);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1); /* kept for the next */
}

/* What a command buffer would take again, it keeps; all else is for others. */
static void a_restart_keeps_what_will_do(void **state)
{
    (void)state;
    static const VkDeviceSize sizes_B[] = {1000, 1000, 3 * PGS_UPLOAD_CHUNK_B, 500, 500};
    struct pgs_linear *linear;
    VkDeviceAddress before = 0;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &linear), VK_SUCCESS);
    for (size_t i = 0; i < sizeof(sizes_B) / sizeof(sizes_B[0]); i++) {
        struct pgs_range range;
        assert_int_equal(pgs_linear_alloc(linear, sizes_B[i], 16, &range), VK_SUCCESS);
        assert_int_equal(pgs_heap_lent_B(&fake_device), pgs_linear_held_B(linear));
        assert_true(!i || sizes_B[i] != sizes_B[i - 1] || range.address == before);
        before = range.address;
        const VkDeviceSize all_B = pgs_linear_held_B(linear);
        pgs_linear_restart(linear);
        const bool in_one = all_B == pgs_heap_chunk_size(PGS_MEMORY_UPLOAD, sizes_B[i]);
        assert_int_equal(pgs_heap_lent_B(&fake_device), in_one ? all_B : 0);
        assert_int_equal(pgs_linear_held_B(linear), in_one ? all_B : 0);
    }
    pgs_linear_restart(linear); /* nothing was taken */
    assert_int_equal(pgs_heap_lent_B(&fake_device), 0);
    pgs_linear_destroy(linear);
}

/* Small draws would keep a block that was made for one large draw. */
static void a_restart_gives_what_is_larger_than_blocks(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    const VkDeviceSize block_B = pgs_heap_block_size(&fake_device, PGS_MEMORY_SCRATCH);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    for (int larger = 0; larger < 2; larger++) {
        const VkDeviceSize size_B = block_B + (VkDeviceSize)larger * PGS_SCRATCH_CHUNK_B;
        assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
        pgs_linear_restart(linear);
        assert_int_equal(pgs_heap_lent_B(&fake_device), larger ? 0 : block_B);
        pgs_linear_reset(linear);
    }
    pgs_linear_destroy(linear);
}

/* Whatever is taken, also in a pass before the last rewind, is kept. */
static void what_is_kept_in_vain_is_given_back(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    for (int passes = 2; passes >= 0; passes--) {
        for (int i = 0; i < passes; i++) {
            if (i)
                pgs_linear_rewind(linear);
            assert_int_equal(pgs_linear_alloc(linear, 1000, 16, &range), VK_SUCCESS);
        }
        if (passes == 2) /* the pass that follows takes nothing */
            pgs_linear_rewind(linear);
        pgs_linear_give_unused(linear);
        assert_int_equal(pgs_linear_held_B(linear), passes ? PGS_SCRATCH_CHUNK_B : 0);
        pgs_linear_restart(linear);
    }
    assert_int_equal(pgs_heap_lent_B(&fake_device), 0);
    pgs_linear_destroy(linear);
}

static void only_empty_blocks_are_trimmed(void **state)
{
    (void)state;
    struct pgs_linear *linear[2];
    struct pgs_range range;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear[i]),
                         VK_SUCCESS);
        assert_int_equal(pgs_linear_alloc(linear[i], PGS_SCRATCH_BLOCK_B, 16, &range), VK_SUCCESS);
    }
    pgs_linear_reset(linear[0]);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2);
    pgs_heap_trim(&fake_device);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    for (int i = 0; i < 2; i++)
        pgs_linear_destroy(linear[i]);
    pgs_heap_trim(&fake_device);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 0);
}

static void submissions_make_empty_blocks_old(void **state)
{
    (void)state;
    struct pgs_linear *linear[2];
    struct pgs_range range;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear[i]),
                         VK_SUCCESS);
        assert_int_equal(pgs_linear_alloc(linear[i], PGS_SCRATCH_BLOCK_B, 16, &range), VK_SUCCESS);
    }
    pgs_linear_reset(linear[0]);
    for (int i = 0; i < PGS_IDLE_GIVES; i++)
        pgs_heap_note_submit(&fake_device);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2); /* some frames */
    for (int i = 0; i < PGS_IDLE_GIVES * PGS_IDLE_SUBMITS; i++)
        pgs_heap_note_submit(&fake_device);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    for (int i = 0; i < 2; i++)
        pgs_linear_destroy(linear[i]);
}

static void small_chunks_leave_large_blocks_alone(void **state)
{
    (void)state;
    struct pgs_linear *linear[2];
    struct pgs_range large, small;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear[i]),
                         VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear[0], 3 * PGS_SCRATCH_BLOCK_B, 16, &large), VK_SUCCESS);
    pgs_linear_reset(linear[0]);
    assert_int_equal(pgs_linear_alloc(linear[1], 1000, 16, &small), VK_SUCCESS);
    assert_int_not_equal(small.buffer, large.buffer);
    /* Nor are those kept that are too small for the next one. */
    assert_int_equal(pgs_linear_alloc(linear[0], 2 * PGS_SCRATCH_BLOCK_B, 16, &large), VK_SUCCESS);
    pgs_linear_reset(linear[0]);
    assert_int_equal(pgs_linear_alloc(linear[0], 3 * PGS_SCRATCH_BLOCK_B, 16, &large), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2);
    for (int i = 0; i < 2; i++)
        pgs_linear_destroy(linear[i]);
}

static void ranges_are_aligned_and_apart(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &linear), VK_SUCCESS);
    VkDeviceAddress end = 0;
    VkBuffer buffer = VK_NULL_HANDLE;
    for (int i = 0; i < 500; i++) {
        struct pgs_range range;
        const VkDeviceSize size_B = 1 + (VkDeviceSize)i * 7 % 1500;
        assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
        assert_int_equal(range.address % 16, 0);
        assert_int_equal(range.address, (uintptr_t)range.buffer + range.offset_B);
        assert_int_equal(range.size_B, size_B);
        assert_non_null(range.mapped);
        if (range.buffer == buffer && i < 20)
            assert_true(range.address >= end);
        buffer = range.buffer;
        end = range.address + size_B;
    }
    assert_int_equal(fake_memories.last_type, 1);
    pgs_linear_destroy(linear);
}

static void rewinding_reuses_and_resetting_gives_back(void **state)
{
    (void)state;
    struct pgs_linear *linear, *other;
    struct pgs_range first, again, rest;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &other), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &first), VK_SUCCESS);
    pgs_linear_rewind(linear);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &again), VK_SUCCESS);
    assert_int_equal(first.address, again.address);
    assert_int_equal(pgs_linear_alloc(other, 60 << 20, 16, &rest), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2);
    pgs_linear_reset(linear);
    pgs_linear_reset(other);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2); /* the next frame wants them again */
    for (int i = 0; i < PGS_IDLE_GIVES; i++) {
        assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &first), VK_SUCCESS);
        pgs_linear_reset(linear);
    }
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1); /* or does not */
    pgs_linear_destroy(linear);
    pgs_linear_destroy(other);
}

static void large_requests_get_their_own_block(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    const VkDeviceSize size_B = (UINT64_C(5) << 30) + 12345;
    assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
    assert_true(fake_memories.last_B >= size_B);
    assert_true(range.size_B == size_B);
    pgs_linear_reset(linear);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1); /* for the next frame */
    assert_int_equal(pgs_linear_alloc(linear, UINT64_MAX - 5, 16, &range),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);

    /* Where memory is short, what waits for its next use goes first. */
    fake_memories.limit = 1;
    assert_int_equal(pgs_linear_alloc(linear, size_B * 2, 16, &range), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    pgs_linear_reset(linear);
    pgs_linear_destroy(linear);
}

static void asks_for_less_where_memory_is_short(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &range), VK_SUCCESS);
    fake_memories.limit = 1;
    assert_int_equal(pgs_linear_alloc(linear, 3 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    assert_int_equal(pgs_linear_alloc(linear, 3 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake_memories.limit = 0;
    pgs_linear_destroy(linear);
}

static void takes_less_than_a_block_where_there_is_no_more(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    fake_memories.largest_B = 5 << 20;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 3 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(fake_memories.last_B, 3 << 20);
    assert_int_equal(pgs_linear_alloc(linear, 6 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake_memories.largest_B = 0;
    pgs_linear_destroy(linear);
}

static void every_driver_failure_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < PGS_MEMORY_KINDS; kind++) {
        struct pgs_linear *linear;
        struct pgs_range range;
        /* A block, so that there is nothing smaller to try. */
        const VkDeviceSize size_B = pgs_heap_block_size(&fake_device, kind);
        assert_int_equal(pgs_linear_create(&fake_device, kind, &linear), VK_SUCCESS);
        for (int n = 1; n <= 3 + (kind != PGS_MEMORY_SCRATCH); n++) {
            /* The scratch heap falls back to host memory when the first type is exhausted. */
            fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            const VkResult result = pgs_linear_alloc(linear, size_B, 16, &range);
            if (result == VK_SUCCESS) {
                assert_int_equal(kind, PGS_MEMORY_SCRATCH);
                assert_int_equal(n, 2);
                assert_int_equal(fake_memories.last_type, 0);
                pgs_linear_reset(linear);
                pgs_heap_destroy(&fake_device);
                assert_int_equal(pgs_heap_create(&fake_device), VK_SUCCESS);
                continue;
            }
            assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_int_equal(fakes.alive[FAKE_BUFFER], 0);
            assert_int_equal(fakes.alive[FAKE_MEMORY], 0);
        }
        fake_fail_after(0, VK_SUCCESS);
        assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
        pgs_linear_destroy(linear);
        pgs_heap_destroy(&fake_device);
        assert_int_equal(pgs_heap_create(&fake_device), VK_SUCCESS);
    }
}

static void every_host_failure_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_linear_alloc(linear, 10, 16, &range);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fakes.alive[FAKE_MEMORY], 0);
        failures++;
    }
    assert_true(failures >= 2);
    pgs_linear_destroy(linear);
}

static void ranges_grow_in_place(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range first, second, all;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 5, 16, &first), VK_SUCCESS);
    const struct pgs_linear_mark mark = pgs_linear_mark(linear, 16);
    assert_false(pgs_linear_since(linear, &mark, &all));
    assert_int_equal(pgs_linear_alloc(linear, 100, 16, &second), VK_SUCCESS);
    assert_true(pgs_linear_since(linear, &mark, &all));
    assert_int_equal(all.address, first.address + 16);
    assert_int_equal(all.address + all.size_B, second.address + 100);
    assert_ptr_equal(all.mapped, (char *)first.mapped + 16);
    assert_false(pgs_linear_grow(linear, &first, 200)); /* something lies behind it */
    assert_int_equal(first.size_B, 5);
    assert_true(pgs_linear_grow(linear, &second, 200));
    assert_int_equal(second.size_B, 200);
    assert_int_equal(pgs_linear_alloc(linear, 16, 16, &first), VK_SUCCESS);
    assert_true(first.address >= second.address + 200);
    assert_false(pgs_linear_grow(linear, &first, 1 << 20)); /* the chunk ends */
    assert_int_equal(pgs_linear_alloc(linear, PGS_UPLOAD_CHUNK_B, 16, &second), VK_SUCCESS);
    assert_false(pgs_linear_since(linear, &mark, &all)); /* in another chunk */
    assert_false(pgs_linear_grow(linear, &first, 32));
    pgs_linear_destroy(linear);
}

static void the_same_again_lies_in_one_piece(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(pgs_linear_alloc(linear, 1 << 20, 16, &range), VK_SUCCESS);
        for (VkDeviceSize size_MiB = 2; size_MiB <= 5; size_MiB++) {
            const bool grows = pgs_linear_grow(linear, &range, size_MiB << 20);
            assert_true(turn == 0 ? !grows : grows);
            if (!grows)
                assert_int_equal(pgs_linear_alloc(linear, 1 << 20, 16, &(struct pgs_range){0}),
                                 VK_SUCCESS);
        }
        pgs_linear_reset(linear);
    }
    /* Less the next time, and so as little the time after. */
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(pgs_linear_alloc(linear, 1 << 20, 16, &range), VK_SUCCESS);
        assert_int_equal(pgs_linear_held_B(linear), (turn == 0 ? 5 : 1) << 20);
        pgs_linear_reset(linear);
    }
    pgs_linear_destroy(linear);
}

/* -- limits -- */

static struct pgs_instance limited_instance;
static VkDeviceSize budget_B, usage_B;

static VKAPI_ATTR void VKAPI_CALL report_budget(VkPhysicalDevice physical,
                                                VkPhysicalDeviceMemoryProperties2 *properties)
{
    (void)physical;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = properties->pNext;
    assert_int_equal(budget->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    budget->heapBudget[0] = budget_B;
    budget->heapUsage[0] = usage_B;
}

static int limit(uint32_t memory_MiB, bool shares, uint64_t heap_MiB)
{
    limited_instance = (struct pgs_instance){
        .settings.memory_MiB = memory_MiB,
        .vk.GetPhysicalDeviceMemoryProperties2 = report_budget,
    };
    fake_physical.instance = &limited_instance;
    fake_physical.traits.shares_memory = shares;
    fake_physical.memory.memoryHeapCount = 1;
    fake_physical.memory.memoryHeaps[0].size = heap_MiB << 20;
    pgs_heap_destroy(&fake_device);
    return pgs_heap_create(&fake_device);
}

static int tear_down_limits(void **state)
{
    fake_physical.instance = NULL;
    fake_physical.traits = (struct pgs_device_class){0};
    fake_physical.has_memory_budget = false;
    return tear_down(state);
}

static void shares_memory_with_programs(void **state)
{
    static const struct {
        uint32_t setting_MiB;
        bool shares;
        uint64_t heap_MiB, limit_MiB, block_MiB;
    } cases[] = {
        {0, false, 4096, 0, 64},   {0, false, 64, 0, 4},     {0, true, 4096, 256, 16},
        {0, true, 16384, 256, 16}, {0, true, 2048, 128, 8},  {0, true, 64, 16, 1},
        {48, true, 4096, 48, 3},   {48, false, 4096, 48, 3}, {4, false, 4096, 4, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(limit(cases[i].setting_MiB, cases[i].shares, cases[i].heap_MiB),
                         VK_SUCCESS);
        const uint64_t limit_B = cases[i].limit_MiB ? cases[i].limit_MiB << 20 : UINT64_MAX;
        assert_true(pgs_memory_limit_B(&fake_physical) == limit_B);
        assert_true(pgs_heap_left_B(&fake_device) == limit_B);
        assert_int_equal(pgs_heap_block_size(&fake_device, PGS_MEMORY_SCRATCH),
                         cases[i].block_MiB << 20);
    }
}

static void takes_no_more_than_the_limit_unless_it_must(void **state)
{
    struct pgs_linear *linear, *other;
    struct pgs_range range;
    (void)state;
    assert_int_equal(limit(16, false, 4096), VK_SUCCESS);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &other), VK_SUCCESS);
    assert_int_equal(pgs_linear_try(linear, 17 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(pgs_linear_try(linear, 10 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(pgs_heap_left_B(&fake_device), 6 << 20);
    assert_int_equal(pgs_linear_try(other, 7 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(pgs_linear_try(other, 6 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(pgs_heap_left_B(&fake_device), 0);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 2);
    pgs_linear_reset(linear);
    /* An empty block makes room for another one. */
    assert_int_equal(pgs_linear_try(other, 9 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 20 << 20, 16, &range), VK_SUCCESS); /* it must */
    assert_int_equal(range.size_B, 20 << 20);
    assert_int_equal(pgs_heap_left_B(&fake_device), 0);
    pgs_linear_destroy(linear);
    pgs_linear_destroy(other);
    assert_int_equal(pgs_heap_left_B(&fake_device), 16 << 20);
}

static void heeds_the_budget_unless_it_must(void **state)
{
    struct pgs_linear *linear;
    struct pgs_range range;
    (void)state;
    fake_physical.has_memory_budget = true;
    assert_int_equal(limit(0, false, 4096), VK_SUCCESS);
    budget_B = 100 << 20;
    usage_B = 90 << 20;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    /* Less than a usual block is left. */
    assert_int_equal(pgs_linear_try(linear, 11 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 0);
    assert_int_equal(pgs_linear_try(linear, 9 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(fake_memories.last_B, 9 << 20);
    assert_int_equal(pgs_linear_alloc(linear, 11 << 20, 16, &range), VK_SUCCESS);
    usage_B = 10 << 20;
    assert_int_equal(pgs_linear_try(linear, 64 << 20, 16, &range), VK_SUCCESS);
    usage_B = 200 << 20;
    assert_int_equal(pgs_linear_try(linear, 65 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    pgs_linear_destroy(linear);
}

static int allocations;
static PFN_vkAllocateMemory allocate;

static VkResult count_allocation(VkDevice device, const VkMemoryAllocateInfo *info,
                                 const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    allocations++;
    return allocate(device, info, allocator, memory);
}

/* Allocations of the last 180 of 200 frames, every second of which takes more, with so many in
 * flight. */
static int count_in_turns(uint32_t in_flight, VkDeviceSize small_MiB)
{
    struct pgs_linear *of[3];
    struct pgs_range range;
    for (uint32_t i = 0; i < in_flight; i++)
        assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &of[i]), VK_SUCCESS);
    for (uint32_t frame = 0; frame < 200; frame++) {
        const VkDeviceSize size_B = (frame % 2 ? 100 : small_MiB) << 20;
        if (frame == 20)
            allocations = 0;
        pgs_linear_reset(of[frame % in_flight]);
        assert_int_equal(pgs_linear_alloc(of[frame % in_flight], size_B, 16, &range), VK_SUCCESS);
    }
    for (uint32_t i = 0; i < in_flight; i++)
        pgs_linear_destroy(of[i]);
    return allocations;
}

/* What is drawn in every second frame must not cost an allocation of device memory in each. */
static void keeps_what_is_taken_in_turns(void **state)
{
    (void)state;
    allocate = fake_device.vk.AllocateMemory;
    fake_device.vk.AllocateMemory = count_allocation;
    assert_int_equal(count_in_turns(1, 40), 0);
    assert_int_equal(count_in_turns(1, 4), 0);
    assert_int_equal(count_in_turns(3, 40), 0);
    fake_device.vk.AllocateMemory = allocate;
}

#define TEST_LIMITS(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_limits)
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(allocates_nothing_before_it_is_asked),
        TEST(keeps_what_is_taken_in_turns),
        TEST(queries_have_buffers_of_their_own),
        TEST(many_share_one_block),
        TEST(a_restart_keeps_what_will_do),
        TEST(a_restart_gives_what_is_larger_than_blocks),
        TEST(what_is_kept_in_vain_is_given_back),
        TEST(only_empty_blocks_are_trimmed),
        TEST(submissions_make_empty_blocks_old),
        TEST(small_chunks_leave_large_blocks_alone),
        TEST(ranges_are_aligned_and_apart),
        TEST(rewinding_reuses_and_resetting_gives_back),
        TEST(ranges_grow_in_place),
        TEST(the_same_again_lies_in_one_piece),
        TEST(large_requests_get_their_own_block),
        TEST(asks_for_less_where_memory_is_short),
        TEST(takes_less_than_a_block_where_there_is_no_more),
        TEST(every_driver_failure_is_reported_and_leaks_nothing),
        TEST_LIMITS(shares_memory_with_programs),
        TEST_LIMITS(takes_no_more_than_the_limit_unless_it_must),
        TEST_LIMITS(heeds_the_budget_unless_it_must),
        TEST(every_host_failure_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
