/* SPDX-License-Identifier: MIT
 *
 * Scratch that command buffers have in common: who gets the same memory and who must not, what is
 * left when needs change, and failure of each call.
 */
#include "base/alloc.h"
#include "memory/commons.h"
#include "memory/linear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_heap.h"

#define MIB (UINT64_C(1) << 20)
#define USERS 100

static const float priorities[2];
/* Family 0 has one queue, family 1 two, family 2 none and family 3 two in two pieces. */
static const VkDeviceQueueCreateInfo queues[] = {
    {.queueFamilyIndex = 0, .queueCount = 1, .pQueuePriorities = priorities},
    {.queueFamilyIndex = 1, .queueCount = 2, .pQueuePriorities = priorities},
    {.queueFamilyIndex = 3, .queueCount = 1, .pQueuePriorities = priorities},
    {.queueFamilyIndex = 3,
     .queueCount = 1,
     .flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT,
     .pQueuePriorities = priorities},
};
static const VkDeviceCreateInfo info = {.queueCreateInfoCount = 4, .pQueueCreateInfos = queues};

static struct pgs_commons *commons;
static struct pgs_linear *users[USERS];

static int set_up(void **state)
{
    (void)state;
    if (open_heap() || pgs_commons_create(&fake_device, &info) != VK_SUCCESS)
        return 1;
    commons = pgs_commons_of(&fake_device, 0);
    for (int i = 0; i < USERS; i++) {
        if (pgs_linear_create(&fake_device, PGS_MEMORY_SCRATCH, &users[i]) != VK_SUCCESS)
            return 1;
        pgs_linear_share(users[i], commons);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < USERS; i++)
        pgs_linear_destroy(users[i]);
    const bool empty = pgs_commons_all_B(&fake_device) == 0 && pgs_heap_lent_B(&fake_device) == 0;
    pgs_commons_destroy(&fake_device);
    return close_heap() || !empty;
}

static struct pgs_range take(struct pgs_linear *linear, VkDeviceSize size_B)
{
    struct pgs_range range;
    assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
    assert_int_equal(range.size_B, size_B);
    return range;
}

static bool apart(const struct pgs_range *a, const struct pgs_range *b)
{
    return a->address + a->size_B <= b->address || b->address + b->size_B <= a->address;
}

static void are_for_families_with_one_queue(void **state)
{
    (void)state;
    assert_non_null(commons);
    for (uint32_t family = 1; family < 6; family++)
        assert_null(pgs_commons_of(&fake_device, family));
}

static void give_all_the_same_memory(void **state)
{
    (void)state;
    const struct pgs_range first = take(users[0], 40 * MIB);
    for (int i = 1; i < USERS; i++)
        assert_int_equal(take(users[i], 40 * MIB).address, first.address);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    assert_int_equal(pgs_commons_held_B(commons), 40 * MIB);
    assert_int_equal(pgs_heap_lent_B(&fake_device), 40 * MIB);
}

/* Pools of a pass, which are in use together. */
static void give_nobody_the_same_memory_twice(void **state)
{
    (void)state;
    struct pgs_range ranges[USERS];
    take(users[1], 50 * MIB);
    for (int i = 0; i < USERS; i++) {
        ranges[i] = take(users[0], (1 + (VkDeviceSize)(i * 7 % 20)) * MIB);
        for (int k = 0; k < i; k++)
            assert_true(apart(&ranges[i], &ranges[k]));
    }
    pgs_linear_rewind(users[0]); /* the next pass */
    assert_int_equal(take(users[0], MIB).address, ranges[0].address);
}

static void come_in_one_piece_if_prepared(void **state)
{
    (void)state;
    take(users[1], 10 * MIB);
    pgs_linear_prepare(users[0], 70 * MIB);
    const struct pgs_range first = take(users[0], 10 * MIB), second = take(users[0], 60 * MIB);
    assert_int_equal(first.address + 10 * MIB, second.address);
    assert_int_equal(pgs_commons_held_B(commons), 82 * MIB); /* up to an eighth more */
    /* Now the others have that, too. */
    pgs_linear_reset(users[1]);
    assert_int_equal(take(users[1], 5 * MIB).address, first.address);
    assert_int_equal(pgs_commons_held_B(commons), 72 * MIB);
}

/* Command buffers that are recorded once keep what they have, so what comes later must not be a
 * little larger each time. */
static void grow_by_more_than_a_little(void **state)
{
    (void)state;
    for (int i = 0; i < USERS; i++)
        take(users[i], (16 + (VkDeviceSize)i) * MIB);
    assert_true(pgs_commons_held_B(commons) <= 5 * 160 * MIB);
    /* As they are recorded again, they have the largest part. */
    for (int i = 0; i < USERS - 1; i++) {
        pgs_linear_reset(users[i]);
        take(users[i], (16 + (VkDeviceSize)i) * MIB);
    }
    assert_true(pgs_commons_held_B(commons) <= 160 * MIB);
}

/* A program whose scenes are large for a while. */
static void shrink_when_nobody_wants_as_much(void **state)
{
    (void)state;
    take(users[0], 200 * MIB);
    pgs_linear_reset(users[0]);
    assert_int_equal(pgs_commons_held_B(commons), 0);
    take(users[0], 20 * MIB); /* as the next one may want as much again */
    assert_int_equal(pgs_commons_held_B(commons), 208 * MIB);
    for (int i = 0; i < 2 * PGS_IDLE_GIVES; i++) {
        pgs_linear_reset(users[0]);
        take(users[0], 20 * MIB);
    }
    assert_int_equal(pgs_commons_held_B(commons), 20 * MIB);
    assert_int_equal(fakes.alive[FAKE_MEMORY], 1);
    assert_int_equal(fake_memories.last_B, PGS_SCRATCH_BLOCK_B);
}

static VkResult make_and_take(struct pgs_device *dev)
{
    struct pgs_linear *linear;
    struct pgs_range range;
    VkResult result = pgs_commons_create(dev, &info);
    if (result != VK_SUCCESS)
        return result;
    result = pgs_linear_create(dev, PGS_MEMORY_SCRATCH, &linear);
    if (result == VK_SUCCESS) {
        pgs_linear_share(linear, pgs_commons_of(dev, 0));
        result = pgs_linear_alloc(linear, MIB, 16, &range);
        pgs_linear_destroy(linear);
    }
    assert_int_equal(pgs_commons_all_B(dev), 0);
    pgs_commons_destroy(dev);
    return result;
}

/* A device whose users are never all idle: what it wants no more is gone all the same. */
static void shrink_while_in_use(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        take(users[i], 200 * MIB);
    for (int i = 0; i < 2 * PGS_IDLE_GIVES; i++) {
        pgs_linear_reset(users[i % 2]);
        take(users[i % 2], 20 * MIB);
    }
    assert_int_equal(pgs_commons_held_B(commons), 20 * MIB);
}

/* Where there is no more, a part that is too large does. */
static void do_with_what_is_there(void **state)
{
    (void)state;
    take(users[0], 200 * MIB);
    for (int i = 0; i < PGS_IDLE_GIVES; i++) {
        take(users[1], MIB);
        pgs_linear_reset(users[1]);
    }
    fake_memories.limit = 1; /* and the part is there */
    take(users[1], 70 * MIB);
    fake_memories.limit = 0;
    assert_int_equal(pgs_commons_held_B(commons), 208 * MIB);
}

static int refusals;

static VKAPI_ATTR VkResult VKAPI_CALL allocate_and_count(VkDevice device,
                                                         const VkMemoryAllocateInfo *of,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkDeviceMemory *memory)
{
    const VkResult result = fake_AllocateMemory(device, of, allocator, memory);
    refusals += result != VK_SUCCESS;
    return result;
}

/* One that wants too much does not make the driver refuse it again for all others. */
static void remember_what_was_refused(void **state)
{
    (void)state;
    struct pgs_range range;
    fake_memories.largest_B = 100 * MIB;
    assert_int_equal(pgs_linear_try(users[0], 200 * MIB, 16, &range),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    refusals = 0;
    fake_device.vk.AllocateMemory = allocate_and_count;
    for (int i = 0; i < 64; i++)
        take(users[1], 4 * MIB); /* of parts that it does not have yet */
    assert_int_equal(fakes.alive[FAKE_MEMORY], 4);
    assert_true(refusals <= 3); /* once for each type of memory */
    fake_device.vk.AllocateMemory = fake_AllocateMemory;
    fake_memories.largest_B = 0;
    for (int i = 0; i < 512; i++) { /* after a while it is asked again */
        pgs_linear_reset(users[1]);
        take(users[1], 4 * MIB);
        if (i % 100 == 0)
            take(users[2], 200 * MIB);
        pgs_linear_reset(users[2]);
    }
    pgs_linear_reset(users[1]);
    assert_true(take(users[3], 4 * MIB).size_B == 4 * MIB);
    assert_true(pgs_commons_held_B(commons) >= 200 * MIB);
}

/* Nor once somebody who needed it has got as much. */
static void forget_what_is_there_again(void **state)
{
    (void)state;
    struct pgs_range range;
    fake_memories.largest_B = 100 * MIB;
    assert_int_equal(pgs_linear_try(users[0], 200 * MIB, 16, &range),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake_memories.largest_B = 0;
    take(users[1], 200 * MIB);
    const VkDeviceSize held_B = pgs_commons_held_B(commons);
    assert_true(held_B >= 200 * MIB);
    take(users[1], 64 * MIB); /* of another part, which others want to be as large */
    assert_true(pgs_commons_held_B(commons) >= 2 * held_B);
}

static void fail_without_a_leak(void **state)
{
    (void)state;
    struct pgs_device other = fake_device; /* of the same heap */
    int n = 1;
    VkResult result;
    do {
        pgs_alloc_fail_after(n++, false);
        result = make_and_take(&other);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
    } while (result != VK_SUCCESS);
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(are_for_families_with_one_queue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(give_all_the_same_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(give_nobody_the_same_memory_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(come_in_one_piece_if_prepared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(grow_by_more_than_a_little, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shrink_when_nobody_wants_as_much, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shrink_while_in_use, set_up, tear_down),
        cmocka_unit_test_setup_teardown(do_with_what_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(remember_what_was_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forget_what_is_there_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fail_without_a_leak, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
