/* SPDX-License-Identifier: MIT
 *
 * Settings from Android's system properties, which are a table here, and what a privileged process
 * ignores.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "entry/settings.h"
#include "entry/system_property.h"
#include "entry/user_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct property {
    const char *name, *value;
} * properties;

/* In place of the layer's, which finds none on this system. */
bool pgs_system_property(const char *name, char *value, size_t size_B)
{
    for (const struct property *property = properties; property && property->name; property++) {
        if (strcmp(property->name, name) == 0) {
            snprintf(value, size_B, "%s", property->value);
            return true;
        }
    }
    return false;
}

static struct pgs_settings read_settings(const struct property *set)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    struct pgs_settings settings;
    properties = set;
    assert_int_equal(pgs_settings_init(&settings, &info), VK_SUCCESS);
    return settings;
}

static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_POLY_GS_FORCE", "VK_POLY_GS_PLAN",
                                        "VK_POLY_GS_LOG",   "VK_POLY_GS_CACHE",
                                        "XDG_CACHE_HOME",   "VK_LAYER_SETTINGS_PATH"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_log_set_level(PGS_LOG_ERROR);
    return pgs_alloc_live() == 0 ? 0 : -1;
}

static void takes_properties(void **state)
{
    (void)state;
    static const struct property set[] = {{"debug.vulkan.poly_gs.force", "geometry"},
                                          {"debug.vulkan.poly_gs.plan", "vertex"},
                                          {"debug.vulkan.poly_gs.cache", "/data/cache"},
                                          {"debug.vulkan.poly_gs.log", "off"},
                                          {NULL, NULL}};
    struct pgs_settings settings = read_settings(set);
    assert_true(settings.force_geometry);
    assert_false(settings.force_xfb);
    assert_int_equal(settings.plan, PGS_PLAN_VERTEX);
    assert_string_equal(settings.cache_dir, "/data/cache");
    assert_false(pgs_log_enabled(PGS_LOG_ERROR));
    pgs_settings_finish(&settings);
}

/* The program of this test is the application. */
static void takes_those_of_the_application_first(void **state)
{
    (void)state;
    static const struct property set[] = {
        {"debug.vulkan.poly_gs.force", "0"},
        {"debug.vulkan.poly_gs.test_system_properties.force", "1"},
        {"debug.vulkan.poly_gs.test_system_properties.log", "off"},
        {"debug.vulkan.poly_gs.com.example.other.plan", "vertex"},
        {"debug.vulkan.poly_gs.log", "warn"},
        {NULL, NULL}};
    struct pgs_settings settings = read_settings(set);
    assert_true(settings.force_geometry && settings.force_xfb && settings.force_tessellation);
    assert_int_equal(settings.plan, PGS_PLAN_AUTO);
    assert_false(pgs_log_enabled(PGS_LOG_ERROR));
    pgs_settings_finish(&settings);
}

static void lets_the_environment_override(void **state)
{
    (void)state;
    static const struct property set[] = {
        {"debug.vulkan.poly_gs.plan", "vertex"}, {"debug.vulkan.poly_gs.log", "off"}, {NULL, NULL}};
    setenv("VK_POLY_GS_PLAN", "compute", 1);
    setenv("VK_POLY_GS_LOG", "warn", 1);
    struct pgs_settings settings = read_settings(set);
    assert_int_equal(settings.plan, PGS_PLAN_COMPUTE);
    assert_true(pgs_log_enabled(PGS_LOG_WARN));
    pgs_settings_finish(&settings);
}

static void names_the_process(void **state)
{
    (void)state;
    char name[64], few[8];
    assert_true(pgs_process_name(name, sizeof(name)));
    assert_string_equal(name, "test_system_properties");
    assert_false(pgs_process_name(few, sizeof(few)));
    assert_string_equal(few, "");
}

static void reads_the_environment(void **state)
{
    (void)state;
    setenv("VK_POLY_GS_PLAN", "compute", 1);
    assert_false(pgs_is_privileged());
    assert_string_equal(pgs_getenv("VK_POLY_GS_PLAN"), "compute");
    assert_null(pgs_getenv("VK_POLY_GS_FORCE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_properties, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_those_of_the_application_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lets_the_environment_override, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_the_process, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_the_environment, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
