/* SPDX-License-Identifier: MIT */
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void hooks_are_found_under_every_name(void **state)
{
    (void)state;
    const struct pgs_hook *core = pgs_hook_find_device("vkCmdSetDepthTestEnable");
    const struct pgs_hook *alias = pgs_hook_find_device("vkCmdSetDepthTestEnableEXT");
    assert_non_null(core);
    assert_non_null(alias);
    assert_ptr_equal((void *)(uintptr_t)core->fn, (void *)(uintptr_t)alias->fn);
    assert_false(core->lifetime);
    assert_null(pgs_hook_find_instance("vkCmdSetDepthTestEnable"));
    assert_null(pgs_hook_find_physical_device("vkCmdSetDepthTestEnable"));
    assert_null(pgs_hook_find_device("vkCmdSetDepthTestEnableX"));
    assert_null(pgs_hook_find_device(""));
    assert_true(pgs_is_known_command("vkCmdDrawMeshTasksEXT"));
    assert_false(pgs_is_known_command("vkCmdDrawFromTheFuture"));
    assert_true(pgs_is_known_command("vkAnythingElse"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_found_under_every_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
