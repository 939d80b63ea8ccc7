/* SPDX-License-Identifier: MIT
 *
 * What VK_POLY_GS_LOG=info says of a device: what is emulated, what is hidden, in which ways, and
 * why. On the fake driver, as text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver_test.h"

#ifdef VK_API_VERSION_1_4
#define KNOWN "1.4"
#else
#define KNOWN "1.3"
#endif

static const char *const settings[] = {
    "VK_POLY_GS_TESSELLATION", "VK_POLY_GS_PLAN",      "VK_POLY_GS_FUSE",
    "VK_POLY_GS_VIEWPORTS",    "VK_POLY_GS_FILL",      "VK_POLY_GS_LAYERS",
    "VK_POLY_GS_DESCRIPTORS",  "VK_POLY_GS_CLASS",     "VK_POLY_GS_SPLIT",
    "VK_POLY_GS_RANGES",       "VK_POLY_GS_GUARDS",    "VK_POLY_GS_LAYOUT",
    "VK_POLY_GS_STRIPS",       "VK_POLY_GS_ARGUMENTS", "VK_POLY_GS_STATISTICS",
    "VK_POLY_GS_SLOTS",        "VK_POLY_GS_FETCH",     "VK_POLY_GS_CULL"};

static VkResult expected; /* of vkCreateDevice */

static int set_up(void **state)
{
    (void)state;
    expected = VK_SUCCESS;
    begin_test(true);
    setenv("VK_POLY_GS_LOG", "info", 1);
    for (size_t i = 0; i < COUNT(settings); i++)
        unsetenv(settings[i]);
    return 0;
}

/* What is said while an instance and, unless features is NULL, a device are there. */
static const char *said(const VkPhysicalDeviceFeatures *features)
{
    static char text[4096];
    static const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = features};
    FILE *file = tmpfile();
    assert_non_null(file);
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkDevice device;
    const VkResult result =
        features ? fake_create_device(instance, physical, &info, &device) : VK_SUCCESS;
    if (features && result == VK_SUCCESS)
        fake_close_device(device);
    fake_close_instance(instance);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(result, expected);
    return text;
}

#define OUTPUTS                                                                                    \
    "shaderOutputLayer (the driver lacks it), shaderOutputViewportIndex (the driver lacks it), "

static void says_what_the_driver_lacks(void **state)
{
    (void)state;
    assert_string_equal(said(NULL),
                        "poly_gs info: fake: emulates geometryShader (the driver lacks it), "
                        "tessellationShader (the driver lacks it), " OUTPUTS
                        "VK_EXT_vertex_attribute_divisor (the driver lacks it), "
                        "VK_KHR_push_descriptor (the driver lacks it), "
                        "VK_EXT_primitives_generated_query (the driver lacks it), "
                        "VK_EXT_transform_feedback (the driver lacks it)\n");
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    setenv("VK_POLY_GS_TESSELLATION", "0", 1);
    assert_string_equal(
        said(NULL), "poly_gs info: fake: emulates geometryShader (the driver lacks it), " OUTPUTS
                    "VK_EXT_vertex_attribute_divisor (the driver lacks it), "
                    "VK_KHR_push_descriptor (the driver lacks it)\n");
}

static void says_what_is_forced(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_transform_feedback"};
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = true;
    config.extensions = names;
    config.extension_count = COUNT(names);
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs info: fake: emulates nothing: the driver has geometryShader and "
                        "VK_EXT_transform_feedback\n");
    setenv("VK_POLY_GS_FORCE", "feedback", 1);
    assert_string_equal(said(NULL), "poly_gs info: fake: emulates " OUTPUTS
                                    "VK_EXT_vertex_attribute_divisor (the driver lacks it), "
                                    "VK_KHR_push_descriptor (the driver lacks it), "
                                    "VK_EXT_primitives_generated_query (forced), "
                                    "VK_EXT_transform_feedback (forced)\n");
    unsetenv("VK_POLY_GS_FORCE");
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    assert_string_equal(said(NULL),
                        "poly_gs info: fake: emulates nothing: the driver has geometryShader, and "
                        "VK_POLY_GS_FEEDBACK is off\n");
}

/* The driver has them, but they cannot go with an emulated geometry shader. */
static void says_what_goes_with_another(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_transform_feedback"};
    struct fake_config config = fake_default_config();
    config.tessellation = true;
    config.extensions = names;
    config.extension_count = COUNT(names);
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs info: fake: emulates geometryShader (the driver lacks it), "
                        "tessellationShader (the driver's lacks point sizes), " OUTPUTS
                        "VK_EXT_vertex_attribute_divisor (the driver lacks it), "
                        "VK_KHR_push_descriptor (the driver lacks it), "
                        "VK_EXT_primitives_generated_query (the driver lacks it), "
                        "VK_EXT_transform_feedback (the driver's cannot capture emulated draws)\n");
}

static void says_what_is_hidden(void **state)
{
    (void)state;
    static const char *const names[] = {
        "VK_KHR_swapchain", "VK_NV_mesh_shader", "VK_EXT_mesh_shader", "VK_EXT_no_2", "VK_EXT_no_3",
        "VK_EXT_no_4",      "VK_EXT_no_5",       "VK_EXT_no_6",        "VK_EXT_no_7", "VK_EXT_no_8",
        "VK_EXT_no_9",      "VK_EXT_no_10",      "VK_EXT_no_11",       "VK_EXT_no_12"};
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = 3;
    fake_reset(&config);
    assert_string_equal(strchr(said(NULL), '\n') + 1,
                        "poly_gs info: fake: hides VK_NV_mesh_shader, VK_EXT_mesh_shader: "
                        "the layer does not support them where it emulates (docs/support.md)\n");
    config.device_version = VK_MAKE_API_VERSION(0, 1, 9, 0);
    config.extension_count = COUNT(names);
    fake_reset(&config);
    assert_string_equal(strchr(said(NULL), '\n') + 1,
                        "poly_gs info: fake: hides Vulkan versions after " KNOWN ", "
                        "VK_NV_mesh_shader, VK_EXT_mesh_shader, VK_EXT_no_2, VK_EXT_no_3, "
                        "VK_EXT_no_4, VK_EXT_no_5, VK_EXT_no_6, VK_EXT_no_7, VK_EXT_no_8, "
                        "VK_EXT_no_9, VK_EXT_no_10, VK_EXT_no_11 and 1 more: "
                        "the layer does not support them where it emulates (docs/support.md)\n");
}

/* Users may know better. */
static void says_what_the_settings_hide(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_KHR_swapchain", "VK_NV_mesh_shader", "VK_NV_mesh",
                                        "VK_KHR_maintenance4", "VK_EXT_unheard_of"};
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = COUNT(names);
    fake_reset(&config);
    setenv("VK_POLY_GS_HIDE", "VK_KHR_swapchain, VK_EXT_none", 1);
    setenv("VK_POLY_GS_SHOW", "VK_NV_mesh_shader,VK_KHR_swapchain", 1);
    const char *const text = said(NULL);
    unsetenv("VK_POLY_GS_HIDE");
    unsetenv("VK_POLY_GS_SHOW");
    assert_non_null(strstr(text, "warning: setting poly_gs.show: the layer does not support "
                                 "VK_NV_mesh_shader,VK_KHR_swapchain\n"));
    assert_non_null(strstr(text, "fake: hides VK_KHR_swapchain, VK_NV_mesh, VK_EXT_unheard_of: "));
}

#define IMMEDIATE                                                                                  \
    "poly_gs info: fake: class=immediate: inline draws of any number of GS invocations (80000 "    \
    "vertices of a pass if the number of emits varies, 40000 if shaders loop or read images, "     \
    "10000 if both), passes "                                                                      \
    "may be split, index ranges of any size, much memory, rounds of draws beyond 256 MiB\n"        \
    "poly_gs info: fake: costs (VK_POLY_GS_COSTS): fuse_runs=8 fuse_steps=250 "                    \
    "fuse_control_steps=250 fuse_patches=1073741824 "                                              \
    "inline_vertices=18 inline_steps=1000 inline_invocations=0 inline_patches=512 "                \
    "inline_evaluations=75000 pass_emits=80000 pass_steps=40000 pass_both=10000 "                  \
    "pass_dense=600000 dense_share=45 "                                                            \
    "spread_invocations=16385 cut_invocations=8192 sift_primitives=65536 pick_primitives=200000 "  \
    "lines_heap=64 "                                                                               \
    "cpu_steps=4000000 "                                                                           \
    "cpu_ksteps=1000000 slice_vertices=0 bound_invocations=0\n"

static void says_how_a_device_emulates(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    const VkPhysicalDeviceFeatures all = {.geometryShader = VK_TRUE,
                                          .tessellationShader = VK_TRUE,
                                          .pipelineStatisticsQuery = VK_TRUE};
    const VkPhysicalDeviceFeatures none = {.robustBufferAccess = VK_TRUE};
    assert_string_equal(strchr(said(&geometry), '\n') + 1,
                        "poly_gs info: fake: a device with emulated geometryShader: plan=auto, "
                        "fuse=auto, cull=auto, descriptors=widen (the driver's limits are high), "
                        "layers=replay (the driver takes no gl_Layer from vertex shaders), "
                        "viewports=replay (the driver takes no gl_ViewportIndex from vertex "
                        "shaders)\n" IMMEDIATE);
    assert_string_equal(strchr(said(&none), '\n') + 1,
                        "poly_gs info: fake: inactive in this device: the program enables nothing "
                        "that is emulated\n");

    static const char *const names[] = {"VK_EXT_shader_viewport_index_layer"};
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = COUNT(names);
    config.limits.maxPerStageResources = 128;
    fake_reset(&config);
    setenv("VK_POLY_GS_PLAN", "vertex", 1);
    setenv("VK_POLY_GS_FUSE", "never", 1);
    setenv("VK_POLY_GS_CULL", "always", 1);
    setenv("VK_POLY_GS_DESCRIPTORS", "widen", 1);
    assert_string_equal(strchr(said(&all), '\n') + 1,
                        "poly_gs info: fake: a device with emulated geometryShader, "
                        "tessellationShader, transform feedback and queries: plan=vertex, "
                        "fuse=never, cull=always, descriptors=widen\n" IMMEDIATE);
    setenv("VK_POLY_GS_PLAN", "compute", 1);
    setenv("VK_POLY_GS_FUSE", "always", 1);
    setenv("VK_POLY_GS_CULL", "never", 1);
    setenv("VK_POLY_GS_LAYERS", "replay", 1);
    setenv("VK_POLY_GS_VIEWPORTS", "one", 1);
    unsetenv("VK_POLY_GS_DESCRIPTORS");
    assert_string_equal(
        strchr(said(&geometry), '\n') + 1,
        "poly_gs info: fake: a device with emulated geometryShader: plan=compute, "
        "fuse=always, cull=never, descriptors=mirror (a limit for one stage is below 65536), "
        "layers=replay (VK_POLY_GS_LAYERS), viewports=one "
        "(VK_POLY_GS_VIEWPORTS)\n" IMMEDIATE);
}

/* By the driver's id, the vendor's if there is none, or a setting. */
static void says_the_class_of_a_device(void **state)
{
    static const char *const names[] = {"VK_KHR_driver_properties"};
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    struct fake_config config = fake_default_config();
    (void)state;
    config.vendor = 0x13B5;
    config.device = 0xA8670000;
    config.driver = VK_DRIVER_ID_MESA_PANVK;
    fake_reset(&config);
    assert_non_null(strstr(said(&geometry),
                           "fake: class=valhall: inline draws of at most 64 GS "
                           "invocations, passes may be split, index ranges of any "
                           "size, little memory, positions apart, loads joined, direct draws\n"));
    config.device_version = VK_API_VERSION_1_1; /* which does not say whose driver it is */
    fake_reset(&config);
    assert_null(strstr(said(&geometry), "class="));
    const char *const address[] = {"VK_KHR_buffer_device_address"};
    config.extensions = address;
    config.extension_count = COUNT(address);
    fake_reset(&config);
    assert_non_null(
        strstr(said(&geometry),
               "positions apart, loads joined, direct draws, no clip distances for the driver\n"));
    const char *const both[] = {address[0], names[0]};
    config.extensions = both;
    config.extension_count = COUNT(both);
    fake_reset(&config);
    assert_non_null(
        strstr(said(&geometry), "little memory, positions apart, loads joined, direct draws\n"));
    setenv("VK_POLY_GS_CLASS", "adreno", 1);
    setenv("VK_POLY_GS_RANGES", "32768", 1);
    setenv("VK_POLY_GS_GUARDS", "all", 1);
    assert_non_null(strstr(said(&geometry),
                           "fake: class=adreno: inline draws of at most 64 GS invocations, passes "
                           "are never split, index ranges of at most 32768 KiB, little memory, "
                           "positions apart, lists for strips, direct draws, "
                           "pipelines one at a time, gl_Layer clamped, no clip distances for the "
                           "driver, large dispatches with shared memory by grids\n"));
    setenv("VK_POLY_GS_SPLIT", "needed", 1);
    setenv("VK_POLY_GS_RANGES", "wide", 1);
    setenv("VK_POLY_GS_GUARDS", "none", 1);
    setenv("VK_POLY_GS_LAYOUT", "whole", 1);
    setenv("VK_POLY_GS_STRIPS", "restart", 1);
    setenv("VK_POLY_GS_ARGUMENTS", "buffer", 1);
    assert_non_null(strstr(said(&geometry), "passes may be split, index ranges of any size, little "
                                            "memory\n"));
}

static void says_what_keeps_it_from_emulating(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.buffer_device_address = false;
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs warning: fake: cannot emulate geometryShader: the driver lacks "
                        "bufferDeviceAddress\n");
}

/* By the name of what the program asked for, not of what follows from it. */
static void names_what_cannot_be_emulated(void **state)
{
    (void)state;
    static const VkQueueFlags families[] = {VK_QUEUE_GRAPHICS_BIT,
                                            VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT};
    static const struct {
        VkPhysicalDeviceFeatures asked;
        bool counts; /* the driver */
        const char *name;
    } cases[] = {
        {{.geometryShader = VK_TRUE}, false, "geometryShader"},
        {{.tessellationShader = VK_TRUE, .pipelineStatisticsQuery = VK_TRUE},
         false,
         "tessellationShader"},
        {{.pipelineStatisticsQuery = VK_TRUE}, false, "pipelineStatisticsQuery"},
        {{.fillModeNonSolid = VK_TRUE, .pipelineStatisticsQuery = VK_TRUE},
         true,
         "fillModeNonSolid"},
        {{.multiViewport = VK_TRUE}, false, "multiViewport"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[256];
        struct fake_config config = fake_default_config();
        config.no_statistics = !cases[i].counts;
        config.only_fills = config.one_viewport = true;
        config.families = families;
        config.family_count = COUNT(families);
        fake_reset(&config);
        setenv("VK_POLY_GS_LOG", "error", 1);
        setenv("VK_POLY_GS_STATISTICS", "1", 1);
        expected = VK_ERROR_FEATURE_NOT_PRESENT;
        snprintf(text, sizeof(text),
                 "poly_gs error: fake: %s cannot be emulated with a graphics queue that cannot "
                 "compute\n",
                 cases[i].name);
        assert_string_equal(said(&cases[i].asked), text);
    }
}

/* On a driver with geometry shaders, which takes no layer from a vertex shader, and on one for
 * which there is nothing to do. */
static void names_settings_that_do_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_transform_feedback",
                                        "VK_EXT_shader_viewport_index_layer"};
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = config.depth_clamp = config.distances = true;
    fake_reset(&config);
    setenv("VK_POLY_GS_LINE_MODES", "emulate", 1);
    setenv("VK_POLY_GS_DEPTH_CLIP", "emulate", 1);
    const char *text = said(NULL);
    assert_non_null(strstr(text, "VK_EXT_line_rasterization (forced)"));
    assert_non_null(strstr(text, "VK_EXT_depth_clip_enable (forced)"));
    assert_null(strstr(text, "do nothing"));
    setenv("VK_POLY_GS_LOG", "warn", 1);
    config.depth_clamp = false;
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs warning: fake: these settings (VK_POLY_GS_) do nothing: "
                        "DEPTH_CLIP: the driver lacks what the layer needs for it\n");
    unsetenv("VK_POLY_GS_LINE_MODES");
    unsetenv("VK_POLY_GS_DEPTH_CLIP");
    setenv("VK_POLY_GS_DRAWS", "emulate", 1);
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs warning: fake: these settings (VK_POLY_GS_) do nothing: DRAWS: "
                        "the driver has geometry shaders, and takes no gl_Layer from vertex "
                        "shaders\n");
    config.extensions = names;
    config.extension_count = COUNT(names);
    fake_reset(&config);
    assert_string_equal(said(NULL),
                        "poly_gs warning: fake: these settings (VK_POLY_GS_) do nothing: DRAWS: "
                        "there is nothing else to emulate\n");
    unsetenv("VK_POLY_GS_DRAWS");
}

static void says_nothing_unless_asked(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    unsetenv("VK_POLY_GS_LOG");
    assert_string_equal(said(&geometry), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(says_what_the_driver_lacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_is_forced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_goes_with_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_is_hidden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_the_settings_hide, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_how_a_device_emulates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_the_class_of_a_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_keeps_it_from_emulating, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_what_cannot_be_emulated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_settings_that_do_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_nothing_unless_asked, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
