/* SPDX-License-Identifier: MIT
 *
 * Drivers that have geometry shaders, tessellation and transform feedback, but not all of it, and
 * drivers whose limits contradict their features: what the layer reports, emulates and asks for.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver_test.h"

#define ALL_CAPTURES                                                                               \
    (PGS_FEATURE_BIT(XFB) | PGS_FEATURE_BIT(STREAMS) | PGS_FEATURE_BIT(XFB_BUFFERS) |              \
     PGS_FEATURE_BIT(XFB_DRAW) | PGS_FEATURE_BIT(XFB_QUERIES) | PGS_FEATURE_BIT(STREAM_LINES) |    \
     PGS_FEATURE_BIT(STREAM_SELECT))
/* What the fake driver never has. */
#define USUAL                                                                                      \
    (PGS_FEATURE_BIT(STREAM_LINES) | PGS_FEATURE_BIT(STREAM_SELECT) |                              \
     PGS_FEATURE_BIT(PATCH_RESTART))

/* What has nothing to do with a stage. */
#define BROUGHT                                                                                    \
    (PGS_FEATURE_BIT(VIEWPORTS) | PGS_FEATURE_BIT(FILL) | PGS_FEATURE_BIT(CLIP) |                  \
     PGS_FEATURE_BIT(CULL) | PGS_FEATURE_BIT(LINES) | PGS_FEATURE_BIT(POINTS) |                    \
     PGS_FEATURE_BIT(STORES) | PGS_FEATURE_BIT(DRAWS) | PGS_FEATURE_BIT(FIRST) |                   \
     PGS_FEATURE_BIT(DRAW_COUNT) | PGS_FEATURE_BIT(DIVISOR) | PGS_FEATURE_BIT(ZERO_DIVISOR) |      \
     PGS_FEATURE_BIT(PUSH) | PGS_FEATURE_BIT(DEPTH_CLIP) | PGS_FEATURE_BIT(VIEWS) |                \
     PGS_FEATURE_BIT(LINE_MODES) | PGS_FEATURE_BIT(LAYER_OUTPUT) |                                 \
     PGS_FEATURE_BIT(VIEWPORT_OUTPUT))

static const char *const names[] = {"VK_EXT_transform_feedback",
                                    "VK_EXT_primitives_generated_query",
                                    "VK_EXT_primitive_topology_list_restart"};

static struct fake_config mali(void)
{
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = true;
    config.extensions = names;
    config.extension_count = COUNT(names);
    return config;
}

static int set_up(void **state)
{
    (void)state;
    begin_test(true);
    unsetenv("VK_POLY_GS_MISSING");
    unsetenv("VK_POLY_GS_TESSELLATION");
    return 0;
}

static void emulates_what_is_missing(void **state)
{
    (void)state;
    static const struct {
        bool geometry, no_point_size;
        const char *part, *missing, *force;
        uint32_t lacks, gaps;
        bool emulates_geometry, emulates_xfb;
    } cases[] = {
        /* A good desktop driver: what it lacks wakes nothing. */
        {true, false, NULL, "", "0", USUAL, 0, false, false},
        {true, false, "geometryStreams", "", "0", USUAL | PGS_FEATURE_BIT(STREAMS),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, "streams", "", "0", USUAL | PGS_FEATURE_BIT(STREAMS),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, "four streams", "", "0", USUAL | PGS_FEATURE_BIT(STREAMS),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, "buffers", "", "0", USUAL | PGS_FEATURE_BIT(XFB_BUFFERS),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, "transformFeedbackDraw", "", "0", USUAL | PGS_FEATURE_BIT(XFB_DRAW),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, "transformFeedbackQueries", "", "0", USUAL | PGS_FEATURE_BIT(XFB_QUERIES),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        /* The extension without its feature. */
        {true, false, "", "", "0", USUAL | ALL_CAPTURES, PGS_FEATURE_BIT(PATCH_RESTART), false,
         true},
        {true, true, NULL, "", "0", USUAL | PGS_FEATURE_BIT(POINT_SIZE),
         PGS_FEATURE_BIT(POINT_SIZE) | PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        /* With all geometry shaders emulated there is no driver's stage left that lacks sizes. */
        {true, true, NULL, "", "geometry", USUAL | PGS_FEATURE_BIT(POINT_SIZE), 0, true, true},
        {true, true, NULL, "", "1", USUAL | PGS_FEATURE_BIT(POINT_SIZE), 0, true, true},
        /* The setting. */
        {true, false, NULL, "primitiveTopologyPatchListRestart", "0", USUAL, 0, false, false},
        {true, false, NULL, "geometryStreams", "0", USUAL | PGS_FEATURE_BIT(STREAMS),
         PGS_FEATURE_BIT(PATCH_RESTART), false, true},
        {true, false, NULL, "transformFeedback -primitiveTopologyPatchListRestart", "0",
         ALL_CAPTURES, 0, false, true},
        {true, true, "geometryStreams", "-shaderTessellationAndGeometryPointSize,-geometrystreams",
         "0", USUAL, 0, false, false},
        {true, false, NULL, "geometryShader", "0", USUAL | PGS_FEATURE_BIT(GEOMETRY),
         PGS_FEATURE_BIT(PATCH_RESTART), true, true},
        {true, false, NULL, "no such thing", "0", USUAL, 0, false, false},
        {true, false, NULL, "geometryStreams nothing", "0", USUAL, 0, false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_config config = mali();
        config.geometry = cases[i].geometry;
        config.no_point_size = cases[i].no_point_size;
        config.no_xfb_part = cases[i].part;
        fake_reset(&config);
        setenv("VK_POLY_GS_FORCE", cases[i].force, 1);
        setenv("VK_POLY_GS_MISSING", cases[i].missing, 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const struct pgs_physical_device *phys =
            pgs_physical_device_from_handle(fake_first_physical_device(instance));
        assert_int_equal(phys->lacks & ~BROUGHT, cases[i].lacks);
        assert_int_equal(phys->gaps, cases[i].gaps);
        assert_int_equal(phys->emulates_geometry, cases[i].emulates_geometry);
        assert_int_equal(phys->emulates_xfb, cases[i].emulates_xfb);
        assert_int_equal(phys->native_geometry, !cases[i].emulates_geometry);
        assert_int_equal(phys->emulates, phys->emulates_geometry || phys->emulates_xfb);
        fake_close_instance(instance);
    }
}

/* Where raster vertex shaders can write what geometry shaders do, single pipelines are emulated for
 * the rest in front of the rasterizer, too. */
static void gives_the_rest_where_it_works(void **state)
{
    (void)state;
    static const char *const with_layer[] = {"VK_EXT_transform_feedback",
                                             "VK_EXT_shader_viewport_index_layer"};
    for (int i = 0; i < 8; i++) {
        const bool works = i & 1, layer = i & 2, lacks = i & 4;
        struct fake_config config = mali();
        config.no_point_size = works;
        config.only_fills = config.thin_lines = config.small_points = lacks;
        config.no_view_geometry = lacks;
        config.distances = !lacks;
        config.sample_shading = true;
        config.extensions = layer ? with_layer : names;
        config.extension_count = layer ? COUNT(with_layer) : COUNT(names);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const struct pgs_physical_device *phys =
            pgs_physical_device_from_handle(fake_first_physical_device(instance));
        const bool given = works && lacks;
        assert_true(phys->emulates == works && phys->native_geometry);
        assert_true(phys->emulates_fill == given && phys->emulates_clip == given &&
                    phys->emulates_lines == given && phys->emulates_points == given);
        assert_int_equal(phys->emulates_views, given);
        assert_int_equal(phys->replays_layers, works && !layer);
        assert_int_equal(phys->replays_viewports, works && !layer);
        fake_close_instance(instance);
    }
}

/* Wrappers say what is not there. */
static void does_not_believe_limits_of_zero(void **state)
{
    (void)state;
    for (int trusted = 0; trusted < 2; trusted++) {
        struct fake_config config = mali();
        config.lies = true;
        fake_reset(&config);
        setenv("VK_POLY_GS_MISSING",
               trusted ? "-geometryShader -tessellationShader -transformFeedback -geometryStreams "
                         "-maxTransformFeedbackBuffers"
                       : "",
               1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const struct pgs_physical_device *phys =
            pgs_physical_device_from_handle(fake_first_physical_device(instance));
        assert_int_equal(phys->emulates_geometry, !trusted);
        assert_int_equal(phys->emulates_tessellation, !trusted);
        assert_int_equal(phys->emulates_xfb, !trusted);
        assert_int_equal(phys->features.geometryShader, trusted);
        assert_int_equal(phys->features.tessellationShader, trusted);
        fake_close_instance(instance);
    }
}

/* A driver for which the layer is at work, with all that it could bring, or whose limits are those
 * of one without. */
static struct fake_config wrapper(bool lies)
{
    static const char *const all[] = {
        "VK_EXT_transform_feedback", "VK_EXT_shader_viewport_index_layer",
        "VK_EXT_depth_clip_enable",  "VK_EXT_vertex_attribute_divisor",
        "VK_KHR_push_descriptor",    "VK_EXT_line_rasterization",
    };
    struct fake_config config = mali();
    config.extensions = all;
    config.extension_count = COUNT(all);
    config.depth_clamp = config.depth_clip = config.divisors = true;
    config.line_modes = true;
    config.no_point_size = config.multi_draw_indirect = true;
    config.distances = config.sample_shading = true;
    if (lies) { /* of these alone */
        config.lies = true;
        config.limits.maxGeometryShaderInvocations = 32;
        config.limits.maxGeometryOutputVertices = 256;
        config.limits.maxGeometryTotalOutputComponents = 1024;
        config.limits.maxTessellationGenerationLevel = 64;
        config.limits.maxTessellationPatchSize = 32;
    }
    return config;
}

struct brought {
    bool viewports, fill, clip, lines, points, stores, draws, first;
    bool counts, divisors, zero_divisor, pushes, depth_clip, views, line_modes;
};

static struct brought brought_of(const struct fake_config *config, const char *missing)
{
    fake_reset(config);
    setenv("VK_POLY_GS_MISSING", missing, 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const struct pgs_physical_device *phys =
        pgs_physical_device_from_handle(fake_first_physical_device(instance));
    assert_true(phys->emulates && phys->native_geometry);
    const struct brought found = {
        phys->one_viewport,      phys->emulates_fill,        phys->emulates_clip,
        phys->emulates_lines,    phys->emulates_points,      phys->emulates_stores,
        phys->splits_draws,      phys->lacks_first_instance, phys->counts_draws,
        phys->lacks_divisors,    phys->lacks_zero_divisor,   phys->keeps_pushes,
        phys->brings_depth_clip, phys->emulates_views,       phys->brings_line_modes};
    fake_close_instance(instance);
    return found;
}

/* Limits that contradict a feature are believed, and settings before them. */
static void settings_decide_who_brings_each(void **state)
{
    (void)state;
    static const struct {
        bool lies;
        const char *missing;
        struct brought brought;
    } cases[] = {
        {false, "", {0}},
        {false, "multiViewport", {.viewports = true}},
        {false, "fillModeNonSolid", {.fill = true}},
        {false, "shaderClipDistance", {.clip = true}},
        {false, "shaderCullDistance", {.clip = true}},
        {false, "wideLines", {.lines = true}},
        {false, "largePoints", {.points = true}},
        {false, "vertexPipelineStoresAndAtomics", {.stores = true}},
        {false, "multiDrawIndirect", {.draws = true}},
        {false, "drawIndirectFirstInstance", {.first = true}},
        {false, "drawIndirectCount", {.counts = true}},
        {false, "vertexAttributeInstanceRateDivisor", {.divisors = true, .zero_divisor = true}},
        {false, "vertexAttributeInstanceRateZeroDivisor", {.zero_divisor = true}},
        {false, "pushDescriptor", {.pushes = true}},
        {false, "depthClipEnable", {.depth_clip = true}},
        {false, "multiviewGeometryShader", {.views = true}},
        {false, "rectangularLines", {.line_modes = true}},
        {false, "pushDescriptor drawIndirectCount -pushDescriptor", {.counts = true}},
        {true, "", {.viewports = true, .clip = true, .lines = true, .points = true, .draws = true}},
        {true, "-multiViewport", {.clip = true, .lines = true, .points = true, .draws = true}},
        {true, "-wideLines", {.viewports = true, .clip = true, .points = true, .draws = true}},
        {true, "-largePoints", {.viewports = true, .clip = true, .lines = true, .draws = true}},
        {true,
         "-multiDrawIndirect",
         {.viewports = true, .clip = true, .lines = true, .points = true}},
        {true,
         "-shaderClipDistance",
         {.viewports = true, .clip = true, .lines = true, .points = true, .draws = true}},
        {true,
         "-shaderClipDistance -shaderCullDistance",
         {.viewports = true, .lines = true, .points = true, .draws = true}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct fake_config config = wrapper(cases[i].lies);
        const struct brought found = brought_of(&config, cases[i].missing);
        assert_memory_equal(&found, &cases[i].brought, sizeof(found));
    }
}

/* A device extension is listed. */
static bool lists(VkInstance instance, const char *name)
{
    VkExtensionProperties list[32];
    uint32_t count = COUNT(list);
    bool found = false;
    assert_int_equal(((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                         instance, "vkEnumerateDeviceExtensionProperties"))(
                         fake_first_physical_device(instance), NULL, &count, list),
                     VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        found |= strcmp(list[i].extensionName, name) == 0;
    return found;
}

/* Core features and extensions that the layer could bring. */
static void reports_all(VkInstance instance, VkBool32 reported)
{
    VkPhysicalDeviceMultiviewFeatures views = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
    VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &views};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &core};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(fake_first_physical_device(instance), &all);
    assert_int_equal(all.features.multiViewport, reported);
    assert_int_equal(all.features.fillModeNonSolid, reported);
    assert_int_equal(all.features.wideLines, reported);
    assert_int_equal(all.features.largePoints, reported);
    assert_int_equal(all.features.shaderClipDistance, reported);
    assert_int_equal(all.features.vertexPipelineStoresAndAtomics, reported);
    assert_int_equal(all.features.multiDrawIndirect, reported);
    assert_int_equal(all.features.drawIndirectFirstInstance, reported);
    assert_int_equal(core.drawIndirectCount, reported);
    assert_int_equal(views.multiviewGeometryShader, reported);
    assert_int_equal(lists(instance, "VK_KHR_draw_indirect_count"), reported);
    assert_int_equal(lists(instance, "VK_EXT_vertex_attribute_divisor"), reported);
    assert_int_equal(lists(instance, "VK_KHR_push_descriptor"), reported);
    assert_int_equal(lists(instance, "VK_EXT_depth_clip_enable"), reported);
    assert_int_equal(lists(instance, "VK_EXT_line_rasterization"), reported);
}

#define LEAVES_ALL                                                                                 \
    "-multiViewport -fillModeNonSolid -wideLines -largePoints -shaderClipDistance "                \
    "-shaderCullDistance "                                                                         \
    "-vertexPipelineStoresAndAtomics -multiDrawIndirect -drawIndirectFirstInstance "               \
    "-drawIndirectCount -vertexAttributeInstanceRateDivisor "                                      \
    "-vertexAttributeInstanceRateZeroDivisor -pushDescriptor -depthClipEnable "                    \
    "-multiviewGeometryShader -rectangularLines"

/* "-NAME" where the driver does not even say it: nobody has it then. */
static void leaves_what_is_left_to_the_driver(void **state)
{
    (void)state;
    for (int left = 0; left < 2; left++) {
        struct fake_config config = wrapper(false);
        config.one_viewport = config.only_fills = config.thin_lines = config.small_points = true;
        config.no_stores = true;
        config.multi_draw_indirect = config.distances = config.draw_count = false;
        config.no_view_geometry = true;
        config.extension_count = 2;
        const struct brought found = brought_of(&config, left ? LEAVES_ALL : "");
        const struct brought all = {true, true, true, true, true, true, true, true,
                                    true, true, true, true, true, true, true},
                             none = {0};
        assert_memory_equal(&found, left ? &none : &all, sizeof(found));
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        reports_all(instance, !left);
        fake_close_instance(instance);
    }
}

/* Divisors and dynamic vertex input exclude each other; the setting asks for divisors. */
static void a_setting_prefers_divisors_to_dynamic_input(void **state)
{
    (void)state;
    static const char *const names_of[] = {"VK_EXT_transform_feedback",
                                           "VK_EXT_vertex_input_dynamic_state"};
    for (int i = 0; i < 2; i++) {
        struct fake_config config = wrapper(false);
        config.extensions = names_of;
        config.extension_count = COUNT(names_of);
        const struct brought found =
            brought_of(&config, i ? "vertexAttributeInstanceRateDivisor" : "");
        assert_int_equal(found.divisors, i);
        assert_int_equal(found.zero_divisor, i);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        assert_int_equal(lists(instance, names_of[1]), !i);
        assert_int_equal(lists(instance, "VK_EXT_vertex_attribute_divisor"), i);
        fake_close_instance(instance);
    }
}

struct report {
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture;
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceTransformFeedbackPropertiesEXT limits;
    VkPhysicalDeviceProperties2 properties;
};

static void ask(struct report *report)
{
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    *report = (struct report){
        .capture = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
                    .pNext = &report->restart},
        .restart =
            {.sType =
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT},
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                     .pNext = &report->capture},
        .limits = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT},
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                       .pNext = &report->limits},
    };
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &report->features);
    ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties2"))(physical, &report->properties);
    fake_close_instance(instance);
}

static void reports_the_union(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool lists_restart = i & 1, sized = i & 2;
        struct fake_config config = mali();
        config.no_point_size = !sized;
        config.no_xfb_part = sized ? "geometryStreams" : NULL;
        config.extension_count = lists_restart ? 3 : 2;
        fake_reset(&config);
        struct report report;
        ask(&report);
        const VkPhysicalDeviceFeatures *core = &report.features.features;
        assert_true(core->geometryShader && core->tessellationShader &&
                    core->shaderTessellationAndGeometryPointSize);
        assert_true(report.capture.transformFeedback && report.capture.geometryStreams);
        assert_int_equal(report.restart.primitiveTopologyPatchListRestart, lists_restart);
        assert_int_equal(report.limits.maxTransformFeedbackStreams, 4);
        assert_true(report.limits.transformFeedbackDraw &&
                    report.limits.transformFeedbackRasterizationStreamSelect);
    }
}

/* -- devices -- */

struct wish {
    VkPhysicalDeviceFeatures features;
    bool restart, capture;
};

static VkResult try_device(const struct wish *wish, struct pgs_device *dev)
{
    static const float priority = 1.0f;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = wish->capture};
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
        .pNext = &capture,
        .primitiveTopologyListRestart = VK_TRUE,
        .primitiveTopologyPatchListRestart = wish->restart};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &restart,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = COUNT(names),
                                     .ppEnabledExtensionNames = names,
                                     .pEnabledFeatures = &wish->features};
    const VkDeviceCreateInfo without = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                        .pNext = wish->restart ? &restart : NULL,
                                        .queueCreateInfoCount = 1,
                                        .pQueueCreateInfos = &queue,
                                        .enabledExtensionCount = wish->restart,
                                        .ppEnabledExtensionNames = &names[2],
                                        .pEnabledFeatures = &wish->features};
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, physical, wish->capture ? &info : &without, &device);
    if (result == VK_SUCCESS) {
        *dev = *pgs_device_from_handle(device);
        fake_close_device(device);
    }
    fake_close_instance(instance);
    return result;
}

static void devices_have_what_they_may_use(void **state)
{
    (void)state;
    static const struct {
        struct wish wish;
        bool active, xfb;
        uint32_t gaps;
    } cases[] = {
        {{{.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE}, false, false},
         false,
         false,
         0},
        {{{.geometryShader = VK_TRUE, .shaderTessellationAndGeometryPointSize = VK_TRUE}, 0, 0},
         true,
         false,
         PGS_FEATURE_BIT(POINT_SIZE)},
        {{{.tessellationShader = VK_TRUE}, true, false},
         true,
         false,
         PGS_FEATURE_BIT(PATCH_RESTART) | PGS_FEATURE_BIT(POINT_SIZE)},
        {{{.geometryShader = VK_TRUE}, false, true}, true, true, PGS_FEATURE_BIT(POINT_SIZE)},
    };
    struct fake_config config = mali();
    config.no_point_size = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pgs_device dev = {0};
        fake_reset(&config);
        assert_int_equal(try_device(&cases[i].wish, &dev), VK_SUCCESS);
        assert_int_equal(dev.active, cases[i].active);
        assert_int_equal(dev.xfb, cases[i].xfb);
        assert_int_equal(dev.gaps, cases[i].gaps);
        assert_false(dev.geometry || dev.tessellation);
        /* The stages stay the driver's. What it lacks it never hears of. */
        assert_int_equal(fake_device_created.features.geometryShader,
                         cases[i].wish.features.geometryShader);
        assert_int_equal(fake_device_created.features.tessellationShader,
                         cases[i].wish.features.tessellationShader);
        assert_false(fake_device_created.features.shaderTessellationAndGeometryPointSize);
        assert_false(fake_device_created.patch_restart);
        assert_false(fake_created_has_extension(&fake_device_created, names[0]));
    }
}

/* -- what is said -- */

static const char *said(void)
{
    static char text[4096];
    FILE *file = tmpfile();
    assert_non_null(file);
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    setenv("VK_POLY_GS_LOG", "info", 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    fake_first_physical_device(instance);
    fake_close_instance(instance);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void says_what_is_missing(void **state)
{
    (void)state;
    struct fake_config config = mali();
    config.no_point_size = true;
    config.no_xfb_part = "transformFeedbackDraw";
    fake_reset(&config);
    const char *text = said();
    assert_non_null(strstr(text, "VK_EXT_transform_feedback (the driver lacks a part)"));
    assert_non_null(strstr(text, "the driver lacks transformFeedbackDraw "
                                 "(vkCmdDrawIndirectByteCountEXT)"));
    assert_non_null(strstr(text, "shaderTessellationAndGeometryPointSize (the capability "));
    assert_non_null(strstr(text, "emulates all captures, and pipelines that need"));
    config = mali();
    config.lies = true;
    fake_reset(&config);
    text = said();
    assert_non_null(strstr(text, "reports geometryShader, but maxGeometryOutputVertices is 0: it "
                                 "is taken as missing"));
    assert_non_null(strstr(text, "reports transformFeedback, but maxTransformFeedbackBuffers is "
                                 "0"));
    assert_non_null(strstr(text, "emulates geometryShader (the driver lacks it), tessellation"));
    config = wrapper(true);
    fake_reset(&config);
    text = said();
    assert_non_null(strstr(text, "reports multiViewport, but there is no second viewport: it is"));
    assert_non_null(strstr(text, "reports shaderClipDistance, but maxClipDistances is 0: it is"));
    assert_non_null(strstr(text, "reports shaderCullDistance, but maxCullDistances is 0: it is"));
    assert_non_null(strstr(text, "reports wideLines, but no line is wider than 1: it is taken"));
    assert_non_null(
        strstr(text, "reports largePoints, but no point is larger than 1: it is taken"));
    assert_non_null(strstr(text, "reports multiDrawIndirect, but maxDrawIndirectCount is less "));
    config = mali();
    fake_reset(&config);
    assert_non_null(strstr(said(), "emulates nothing"));
    for (int few = 0; few < 2; few++) { /* one stream is a contradiction, three are too few */
        config.no_xfb_part = few ? "four streams" : "streams";
        fake_reset(&config);
        text = said();
        assert_int_equal(strstr(text, "reports geometryStreams, but there is no") == NULL, few);
        assert_non_null(strstr(text, "the driver lacks geometryStreams"));
    }
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(emulates_what_is_missing),
        TEST(does_not_believe_limits_of_zero),
        TEST(reports_the_union),
        TEST(devices_have_what_they_may_use),
        TEST(says_what_is_missing),
        TEST(gives_the_rest_where_it_works),
        TEST(settings_decide_who_brings_each),
        TEST(leaves_what_is_left_to_the_driver),
        TEST(a_setting_prefers_divisors_to_dynamic_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
