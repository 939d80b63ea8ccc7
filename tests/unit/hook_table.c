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
}

static void only_reviewed_commands_are_visible(void **state)
{
    (void)state;
    assert_true(pgs_is_visible_command("vkCmdDraw"));
    assert_true(pgs_is_visible_command("vkCmdSetLineStippleEXT"));
#ifdef VK_API_VERSION_1_4
    const bool is_core = true;
#else
    const bool is_core = false;
#endif
    assert_int_equal(pgs_is_visible_command("vkCmdSetLineStipple"), is_core);
    assert_int_equal(pgs_is_visible_command("vkCmdPushDescriptorSet"), is_core);
    assert_int_equal(pgs_hook_find_device("vkCmdBindIndexBuffer2") != NULL, is_core);
    assert_true(pgs_is_visible_command("vkCmdPushDescriptorSetKHR"));
    assert_true(pgs_is_visible_command("vkCmdDrawMeshTasksEXT"));
    assert_false(pgs_is_visible_command("vkCmdDrawMeshTasksNV"));
    assert_false(pgs_is_visible_command("vkCmdDrawFromTheFuture"));
    assert_true(pgs_is_visible_command("vkAnythingElse"));
}

static void emulated_extensions_are_listed(void **state)
{
    (void)state;
    assert_int_equal(pgs_emulated_extension_count, 2);
    assert_string_equal(pgs_emulated_extensions[1].name, "VK_EXT_transform_feedback");
    assert_int_equal(pgs_emulated_extensions[1].spec_version, 1);
    assert_int_equal(pgs_emulated_extensions[1].bit, PGS_EMULATED_EXT_TRANSFORM_FEEDBACK);
    assert_int_equal(pgs_hook_find_device("vkCmdDraw")->emulated, PGS_EMULATED_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_found_under_every_name),
        cmocka_unit_test(only_reviewed_commands_are_visible),
        cmocka_unit_test(emulated_extensions_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
