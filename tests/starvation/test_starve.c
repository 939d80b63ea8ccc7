/* SPDX-License-Identifier: MIT
 *
 * The layer that makes commands fail: one that has failed gives the result of the plan by which it
 * did, also if the program makes its next plan meanwhile. Threads of a layer above go on asking
 * then, and a failure that gave VK_SUCCESS would hand them garbage for an object.
 */
#include "internal.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#define THREADS 2
#define FAILURES 500000

static atomic_bool ends;
static atomic_uint failures, others; /* those with another result */

static void *ask(void *unused)
{
    (void)unused;
    while (!atomic_load(&ends)) {
        VkResult result = VK_SUCCESS;
        if (!starve_fails("vkCreateFence", MAY_MEMORY, &result))
            continue;
        atomic_fetch_add(&others, result != VK_ERROR_OUT_OF_DEVICE_MEMORY);
        atomic_fetch_add(&failures, 1);
    }
    return NULL;
}

static void fails_as_planned_while_plans_change(void **state)
{
    static const struct starve_plan half = {VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1},
                                    nothing = {VK_SUCCESS, 0, 0};
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, NULL), 0);
    while (atomic_load(&failures) < FAILURES) {
        starve_begin(&half);
        starve_begin(&nothing);
    }
    atomic_store(&ends, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&others), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_as_planned_while_plans_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
