/* SPDX-License-Identifier: MIT
 *
 * What is reported of transform feedback and its queries, and what vkCreateDevice makes of them, on
 * the fake driver.
 */
#include "vulkan/device.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

#define BROUGHT 3 /* extensions that the fake driver lacks and the layer brings */

#define CAPTURE VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME
#define GENERATED VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME
#define CAPTURE_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT
#define GENERATED_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT
#define PROVOKING_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT

static const char *const native_names[] = {"VK_KHR_swapchain", "VK_EXT_provoking_vertex",
                                           "VK_EXT_transform_feedback",
                                           "VK_EXT_primitives_generated_query"};
enum { WITHOUT_FEEDBACK = 2, WITH_FEEDBACK = 4 }; /* how many of them a driver has */

static struct fake_config driver(bool geometry, uint32_t extension_count)
{
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = geometry;
    config.extensions = native_names;
    config.extension_count = extension_count;
    fake_reset(&config);
    return config;
}

static int set_up(void **state)
{
    (void)state;
    begin_test(true);
    return 0;
}

/* -- which half is whose -- */

static void decides_each_half(void **state)
{
    (void)state;
    static const struct {
        bool native_geometry, native_xfb;
        const char *force, *gate;
        bool geometry, xfb;
    } cases[] = {
        {false, false, "0", "1", true, true},        {true, false, "0", "1", false, true},
        {false, true, "0", "1", true, true},         {true, true, "0", "1", false, false},
        {true, true, "1", "1", true, true},          {true, true, "geometry", "1", true, true},
        {true, true, "feedback", "1", false, true},  {false, true, "feedback", "1", true, true},
        {false, false, "0", "0", true, false},       {true, false, "0", "0", false, false},
        {true, true, "feedback", "0", false, false}, {true, true, "1", "0", true, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        driver(cases[i].native_geometry, cases[i].native_xfb ? WITH_FEEDBACK : WITHOUT_FEEDBACK);
        setenv("VK_POLY_GS_FORCE", cases[i].force, 1);
        setenv("VK_POLY_GS_FEEDBACK", cases[i].gate, 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const struct pgs_physical_device *phys =
            pgs_physical_device_from_handle(fake_first_physical_device(instance));
        assert_int_equal(phys->emulates_geometry, cases[i].geometry);
        assert_int_equal(phys->emulates_xfb, cases[i].xfb);
        assert_int_equal(phys->emulates, cases[i].geometry || cases[i].xfb);
        assert_int_equal(phys->native_geometry, !cases[i].geometry);
        fake_close_instance(instance);
    }
}

static void needs_what_geometry_shaders_need(void **state)
{
    (void)state;
    struct fake_config config = driver(true, WITHOUT_FEEDBACK);
    config.buffer_device_address = false;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    assert_false(pgs_physical_device_from_handle(fake_first_physical_device(instance))->emulates);
    fake_close_instance(instance);
}

/* -- what is reported -- */

struct report {
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture;
    VkPhysicalDeviceMultiviewFeatures multiview;
    VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated;
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceTransformFeedbackPropertiesEXT limits;
    VkPhysicalDeviceProvokingVertexPropertiesEXT provoking_properties;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceProperties2 properties;
};

static void ask(VkInstance instance, struct report *report)
{
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    *report = (struct report){
        .capture = {.sType = CAPTURE_FEATURES, .pNext = &report->multiview},
        .multiview = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
                      .pNext = &report->generated},
        .generated = {.sType = GENERATED_FEATURES, .pNext = &report->provoking},
        .provoking = {.sType = PROVOKING_FEATURES},
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                     .pNext = &report->capture},
        .limits = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT,
                   .pNext = &report->provoking_properties},
        .provoking_properties =
            {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT},
        .subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                     .pNext = &report->limits},
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                       .pNext = &report->subgroup},
    };
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &report->features);
    assert_true(fake_queried_struct(PROVOKING_FEATURES));
    assert_int_equal(fake_queried_struct(CAPTURE_FEATURES) &&
                         fake_queried_struct(GENERATED_FEATURES),
                     !pgs_physical_device_from_handle(physical)->emulates_xfb);
    ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties2"))(physical, &report->properties);
    assert_int_equal(fake_queried_struct(report->limits.sType),
                     !pgs_physical_device_from_handle(physical)->emulates_xfb);
    assert_ptr_equal(report->capture.pNext, &report->multiview); /* the links are untouched */
    assert_ptr_equal(report->multiview.pNext, &report->generated);
    assert_ptr_equal(report->generated.pNext, &report->provoking);
    assert_ptr_equal(report->subgroup.pNext, &report->limits);
    assert_ptr_equal(report->limits.pNext, &report->provoking_properties);
}

static void reports_everything(void **state)
{
    (void)state;
    static const struct {
        uint32_t storage_B;
        VkDeviceSize size_B;
    } sizes[] = {{1u << 27, 1u << 27}, {1u << 30, 1u << 30}, {UINT32_MAX, UINT32_MAX - 3}};
    for (size_t i = 0; i < 3 * COUNT(sizes); i++) {
        const bool native_geometry = i >= COUNT(sizes);
        struct fake_config config = driver(native_geometry, WITH_FEEDBACK);
        config.limits.maxStorageBufferRange = sizes[i % COUNT(sizes)].storage_B;
        config.limits.maxGeometryOutputVertices = i % 2 ? 256 : 4096;
        fake_reset(&config);
        setenv("VK_POLY_GS_FORCE", i >= 2 * COUNT(sizes) ? "feedback" : "geometry", 1);
        const VkInstance instance =
            fake_open_instance(i % 2 ? VK_API_VERSION_1_0 : VK_API_VERSION_1_3);
        struct report report;
        ask(instance, &report);
        assert_true(report.capture.transformFeedback && report.capture.geometryStreams);
        assert_true(report.generated.primitivesGeneratedQuery &&
                    report.generated.primitivesGeneratedQueryWithRasterizerDiscard &&
                    report.generated.primitivesGeneratedQueryWithNonZeroStreams);
        assert_true(report.provoking.provokingVertexLast &&
                    report.provoking.transformFeedbackPreservesProvokingVertex);
        assert_true(
            report.provoking_properties.transformFeedbackPreservesTriangleFanProvokingVertex);
        assert_true(report.multiview.multiview);
        assert_true(report.multiview.multiviewGeometryShader);
        assert_true(report.features.features.geometryShader &&
                    report.features.features.pipelineStatisticsQuery);
        assert_true(report.features.features.tessellationShader);
        const VkPhysicalDeviceTransformFeedbackPropertiesEXT *limits = &report.limits;
        assert_int_equal(limits->maxTransformFeedbackStreams, 4);
        assert_int_equal(limits->maxTransformFeedbackBuffers, 4);
        assert_int_equal(limits->maxTransformFeedbackBufferSize, sizes[i % COUNT(sizes)].size_B);
        assert_int_equal(limits->maxTransformFeedbackStreamDataSize, 2048);
        assert_int_equal(limits->maxTransformFeedbackBufferDataSize, 512);
        assert_int_equal(limits->maxTransformFeedbackBufferDataStride, 2048);
        assert_true(
            limits->transformFeedbackQueries && limits->transformFeedbackStreamsLinesTriangles &&
            limits->transformFeedbackRasterizationStreamSelect && limits->transformFeedbackDraw);
        assert_int_equal((report.subgroup.supportedStages & VK_SHADER_STAGE_GEOMETRY_BIT) != 0,
                         i < 2 * COUNT(sizes)); /* the rest is the driver's */
        assert_true(report.subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
        const bool both = i >= 2 * COUNT(sizes); /* the driver's and ours */
        assert_int_equal(report.properties.properties.limits.maxGeometryOutputVertices,
                         both && i % 2 ? 256 : 1024);
        fake_close_instance(instance);
    }
}

static void reports_nothing_while_the_gate_is_shut(void **state)
{
    (void)state;
    driver(true, WITH_FEEDBACK);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    struct report report;
    ask(instance, &report);
    assert_true(report.features.features.geometryShader);
    assert_false(report.features.features.pipelineStatisticsQuery);
    assert_false(report.capture.transformFeedback || report.capture.geometryStreams ||
                 report.generated.primitivesGeneratedQuery);
    assert_false(report.provoking.transformFeedbackPreservesProvokingVertex);
    assert_false(report.provoking_properties.transformFeedbackPreservesTriangleFanProvokingVertex);
    fake_close_instance(instance);
}

static void leaves_native_xfb_alone(void **state)
{
    (void)state;
    driver(true, WITH_FEEDBACK);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    struct report report;
    ask(instance, &report);
    assert_true(report.capture.transformFeedback && report.features.features.tessellationShader &&
                report.multiview.multiviewGeometryShader);
    assert_int_equal(report.limits.maxTransformFeedbackStreams, 5);
    fake_close_instance(instance);
}

/* The driver does not know the usages. It is asked for those that buffers get. */
static void exports_what_captures(void **state)
{
    (void)state;
    static const VkBufferUsageFlags usages[] = {
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
            VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT};
    for (size_t i = 0; i < 2 * COUNT(usages); i++) {
        const bool native = i >= COUNT(usages);
        driver(native, native ? WITH_FEEDBACK : WITHOUT_FEEDBACK);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDeviceExternalBufferInfo info = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
            .usage = usages[i % COUNT(usages)],
            .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
        VkExternalBufferProperties properties = {
            .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES,
            .externalMemoryProperties.externalMemoryFeatures = UINT32_MAX};
        fake_log_clear();
        ((PFN_vkGetPhysicalDeviceExternalBufferProperties)fake_instance_proc(
            instance, i % 2 ? "vkGetPhysicalDeviceExternalBufferProperties"
                            : "vkGetPhysicalDeviceExternalBufferPropertiesKHR"))(
            fake_first_physical_device(instance), &info, &properties);
        const VkBufferUsageFlags added =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        const struct fake_call *call =
            fake_log_find("vkGetPhysicalDeviceExternalBufferProperties", 0);
        assert_non_null(call);
        assert_int_equal(call->arguments[1],
                         native ? info.usage
                                : (info.usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) | added);
        assert_int_equal(properties.externalMemoryProperties.externalMemoryFeatures,
                         VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT);
        assert_int_equal(properties.externalMemoryProperties.compatibleHandleTypes,
                         info.handleType);
        fake_close_instance(instance);
    }
}

/* What stands behind a struct of unknown size cannot be copied; it is filled all the same. */
static void answers_behind_unknown_structs(void **state)
{
    (void)state;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {.sType = CAPTURE_FEATURES};
    VkBaseOutStructure unknown = {.sType = (VkStructureType)1999999999,
                                  .pNext = (VkBaseOutStructure *)&capture};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &unknown};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(fake_first_physical_device(instance), &features);
    assert_true(features.features.geometryShader && capture.transformFeedback);
    assert_true(fake_queried_struct(CAPTURE_FEATURES));
    assert_ptr_equal(unknown.pNext, &capture);
    fake_close_instance(instance);
}

static uint32_t times_in(const char *name, const VkExtensionProperties *list, uint32_t count)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < count; i++)
        times += strcmp(list[i].extensionName, name) == 0;
    return times;
}

static void lists_the_extensions_once(void **state)
{
    (void)state;
    static const struct {
        uint32_t native;
        const char *force, *gate;
        uint32_t all, ours;
        uint32_t brought; /* besides: see test_brought.c */
    } cases[] = {{WITHOUT_FEEDBACK, "0", "1", 4, 2, BROUGHT},
                 {WITH_FEEDBACK, "1", "1", 4, 2, BROUGHT},
                 {WITH_FEEDBACK, "feedback", "1", 4, 2, BROUGHT},
                 {WITH_FEEDBACK, "0", "1", 4, 0, 0},
                 {WITH_FEEDBACK, "1", "0", 2, 0, BROUGHT}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        driver(cases[i].native == WITH_FEEDBACK, cases[i].native);
        setenv("VK_POLY_GS_FORCE", cases[i].force, 1);
        setenv("VK_POLY_GS_FEEDBACK", cases[i].gate, 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDevice physical = fake_first_physical_device(instance);
        const PFN_vkEnumerateDeviceExtensionProperties enumerate =
            (PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                instance, "vkEnumerateDeviceExtensionProperties");
        VkExtensionProperties list[8];
        uint32_t count = 0;
        assert_int_equal(enumerate(physical, NULL, &count, NULL), VK_SUCCESS);
        assert_int_equal(count, cases[i].all + cases[i].brought);
        assert_int_equal(enumerate(physical, NULL, &count, list), VK_SUCCESS);
        const bool there = cases[i].all == 4;
        assert_int_equal(times_in(CAPTURE, list, count), there);
        assert_int_equal(times_in(GENERATED, list, count), there);
        assert_int_equal(times_in("VK_KHR_swapchain", list, count), 1);
        count = cases[i].all - 1;
        assert_int_equal(enumerate(physical, "", &count, list), VK_INCOMPLETE);
        assert_int_equal(count, cases[i].all - 1);

        count = COUNT(list);
        assert_int_equal(enumerate(physical, "VK_LAYER_poly_gs", &count, list), VK_SUCCESS);
        assert_int_equal(count, cases[i].ours);
        assert_int_equal(times_in(CAPTURE, list, count), cases[i].ours > 0);
        assert_int_equal(times_in(GENERATED, list, count), cases[i].ours > 0);
        for (uint32_t j = 0; j < count; j++)
            assert_int_equal(list[j].specVersion, 1);
        count = 1;
        assert_int_equal(enumerate(physical, "VK_LAYER_poly_gs", &count, list),
                         cases[i].ours ? VK_INCOMPLETE : VK_SUCCESS);
        fake_close_instance(instance);
    }
}

/* -- devices -- */

static const float priority = 1.0f;
static const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};

/* What an application enables. */
struct wish {
    const char *names[3];
    bool capture, streams, generated, provoking;
    VkPhysicalDeviceFeatures features;
};

/* Creates a device as wished; *dev is what the layer thinks of it (a copy), if there is one. */
static VkResult try_device(const struct wish *wish, struct pgs_device *dev)
{
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
        .sType = PROVOKING_FEATURES,
        .provokingVertexLast = wish->provoking,
        .transformFeedbackPreservesProvokingVertex = wish->provoking};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {.sType = CAPTURE_FEATURES,
                                                            .pNext = &provoking,
                                                            .transformFeedback = wish->capture,
                                                            .geometryStreams = wish->streams};
    VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated;
    memset(&generated, 0xff, sizeof(generated)); /* the padding, too */
    generated = (VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT){
        .sType = GENERATED_FEATURES,
        .pNext = &capture,
        .primitivesGeneratedQuery = wish->generated,
        .primitivesGeneratedQueryWithNonZeroStreams = wish->generated};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &generated,
                                          .features = wish->features};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .ppEnabledExtensionNames = wish->names};
    while (info.enabledExtensionCount < COUNT(wish->names) &&
           wish->names[info.enabledExtensionCount])
        info.enabledExtensionCount++;
    const VkDeviceCreateInfo info_before = info;
    const VkPhysicalDeviceFeatures2 features_before = features;
    const VkPhysicalDeviceTransformFeedbackFeaturesEXT capture_before = capture;
    const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking_before = provoking;

    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device);
    assert_memory_equal(&info_before, &info, sizeof(info));
    assert_memory_equal(&features_before, &features, sizeof(features));
    assert_memory_equal(&capture_before, &capture, sizeof(capture));
    assert_memory_equal(&provoking_before, &provoking, sizeof(provoking));
    assert_ptr_equal(generated.pNext, &capture);
    if (result == VK_SUCCESS) {
        *dev = *pgs_device_from_handle(device);
        fake_close_device(device);
    }
    fake_close_instance(instance);
    return result;
}

static void assert_driver_knows_nothing(void)
{
    const struct fake_created *created = &fake_device_created;
    assert_int_equal(created->attempts, 1);
    assert_false(fake_created_has_extension(created, CAPTURE) ||
                 fake_created_has_extension(created, GENERATED));
    assert_false(fake_created_has_struct(created, CAPTURE_FEATURES) ||
                 fake_created_has_struct(created, GENERATED_FEATURES));
    assert_true(fake_created_has_struct(created, PROVOKING_FEATURES));
    assert_false(created->preserves_provoking_vertex);
    assert_true(created->buffer_device_address);
}

static void devices_are_active_for_xfb_alone(void **state)
{
    (void)state;
    static const struct {
        struct wish wish;
        uint32_t extensions;
    } cases[] = {
        {{.names = {CAPTURE}, .capture = true}, PGS_EMULATED_EXT_TRANSFORM_FEEDBACK},
        {{.names = {CAPTURE}}, PGS_EMULATED_EXT_TRANSFORM_FEEDBACK},
        {{.names = {CAPTURE, "VK_KHR_swapchain", GENERATED},
          .capture = true,
          .streams = true,
          .generated = true,
          .provoking = true},
         PGS_EMULATED_EXT_TRANSFORM_FEEDBACK | PGS_EMULATED_EXT_PRIMITIVES_GENERATED_QUERY},
        {{.names = {GENERATED}, .generated = true}, PGS_EMULATED_EXT_PRIMITIVES_GENERATED_QUERY},
        {{.provoking = true}, 0},
    };
    for (size_t i = 0; i < 3 * COUNT(cases); i++) {
        driver(i >= COUNT(cases), i >= 2 * COUNT(cases) ? WITH_FEEDBACK : WITHOUT_FEEDBACK);
        setenv("VK_POLY_GS_FORCE", i >= 2 * COUNT(cases) ? "1" : "0", 1);
        const struct wish *wish = &cases[i % COUNT(cases)].wish;
        struct pgs_device dev;
        assert_int_equal(try_device(wish, &dev), VK_SUCCESS);
        assert_true(dev.active && dev.xfb);
        assert_false(dev.geometry);
        assert_int_equal(dev.emulated_extensions, cases[i % COUNT(cases)].extensions);
        assert_driver_knows_nothing();
        assert_int_equal(fake_created_has_extension(&fake_device_created, "VK_KHR_swapchain"),
                         wish->names[1] != NULL);
    }
}

static void devices_keep_native_geometry_shaders(void **state)
{
    (void)state;
    const struct wish wish = {
        .names = {CAPTURE},
        .capture = true,
        .features = {.geometryShader = VK_TRUE, .shaderTessellationAndGeometryPointSize = VK_TRUE}};
    for (int half = 0; half < 2; half++) {
        struct pgs_device dev;
        driver(true, WITH_FEEDBACK);
        setenv("VK_POLY_GS_FORCE", half ? "feedback" : "geometry", 1);
        assert_int_equal(try_device(&wish, &dev), VK_SUCCESS);
        assert_true(dev.active && dev.xfb);
        assert_int_equal(dev.geometry, !half);
        assert_int_equal(fake_device_created.features.geometryShader, half);
        assert_true(fake_device_created.features.shaderTessellationAndGeometryPointSize);
        assert_driver_knows_nothing();
    }
}

static void devices_count_when_statistics_are_asked_for(void **state)
{
    (void)state;
    for (int statistics = 0; statistics < 2; statistics++) {
        const struct wish wish = {
            .features = {.geometryShader = VK_TRUE, .pipelineStatisticsQuery = statistics}};
        struct pgs_device dev;
        driver(false, WITHOUT_FEEDBACK);
        assert_int_equal(try_device(&wish, &dev), VK_SUCCESS);
        assert_true(dev.active && dev.geometry);
        assert_int_equal(dev.xfb, statistics);
        assert_int_equal(fake_device_created.features.pipelineStatisticsQuery, statistics);
        driver(true, WITHOUT_FEEDBACK); /* both are the driver's, and nothing else is asked for */
        assert_int_equal(try_device(&wish, &dev), VK_SUCCESS);
        assert_false(dev.active || dev.geometry || dev.xfb);
    }
}

static void devices_without_xfb_stay_as_they_were(void **state)
{
    (void)state;
    const struct wish nothing = {.features = {.robustBufferAccess = VK_TRUE}};
    const struct wish native = {.names = {CAPTURE, GENERATED},
                                .capture = true,
                                .streams = true,
                                .generated = true,
                                .provoking = true,
                                .features = {.geometryShader = VK_TRUE}};
    struct pgs_device dev;
    driver(false, WITHOUT_FEEDBACK);
    assert_int_equal(try_device(&nothing, &dev), VK_SUCCESS);
    assert_false(dev.active || dev.xfb);
    driver(true, WITH_FEEDBACK);
    assert_int_equal(try_device(&native, &dev), VK_SUCCESS);
    assert_false(dev.active || dev.xfb);
    assert_true(fake_created_has_extension(&fake_device_created, CAPTURE) &&
                fake_created_has_struct(&fake_device_created, CAPTURE_FEATURES) &&
                fake_device_created.preserves_provoking_vertex);
}

static void refuses_what_the_gate_hides(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    const struct {
        struct wish wish;
        VkResult result;
    } cases[] = {
        {{.names = {CAPTURE}, .features = geometry}, VK_ERROR_EXTENSION_NOT_PRESENT},
        {{.names = {GENERATED}, .features = geometry}, VK_ERROR_EXTENSION_NOT_PRESENT},
        {{.capture = true, .features = geometry}, VK_ERROR_FEATURE_NOT_PRESENT},
        {{.streams = true, .features = geometry}, VK_ERROR_FEATURE_NOT_PRESENT},
        {{.generated = true, .features = geometry}, VK_ERROR_FEATURE_NOT_PRESENT},
        {{.provoking = true, .features = geometry}, VK_ERROR_FEATURE_NOT_PRESENT},
        {{.capture = true}, VK_ERROR_FEATURE_NOT_PRESENT}, /* where nothing else is emulated, too */
        {{.provoking = true}, VK_ERROR_FEATURE_NOT_PRESENT},
        {{.features = geometry}, VK_SUCCESS},
    };
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pgs_device dev;
        driver(true, WITH_FEEDBACK);
        assert_int_equal(try_device(&cases[i].wish, &dev), cases[i].result);
        assert_int_equal(fake_device_created.attempts, cases[i].result == VK_SUCCESS);
    }
    setenv("VK_POLY_GS_FEEDBACK", "1", 1);
    const struct wish tessellation = {.names = {CAPTURE},
                                      .features = {.tessellationShader = VK_TRUE}};
    struct pgs_device dev;
    driver(true, WITH_FEEDBACK);
    setenv("VK_POLY_GS_TESSELLATION", "0", 1);
    assert_int_equal(try_device(&tessellation, &dev), VK_ERROR_FEATURE_NOT_PRESENT);
    unsetenv("VK_POLY_GS_TESSELLATION");
}

/* A driver that has all that is asked for takes over when it cannot be emulated. */
static void falls_back_to_native_xfb(void **state)
{
    (void)state;
    static const VkQueueFlags families[] = {VK_QUEUE_GRAPHICS_BIT,
                                            VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT};
    const struct wish wish = {.names = {CAPTURE, GENERATED}, .capture = true, .generated = true};
    static const uint32_t natives[] = {WITH_FEEDBACK, WITHOUT_FEEDBACK, WITH_FEEDBACK - 1};
    for (size_t i = 0; i < COUNT(natives); i++) {
        struct fake_config config = driver(true, natives[i]);
        config.families = families;
        config.family_count = 2;
        fake_reset(&config);
        setenv("VK_POLY_GS_FORCE", "1", 1);
        struct pgs_device dev;
        const bool native = natives[i] == WITH_FEEDBACK;
        assert_int_equal(try_device(&wish, &dev),
                         native ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(fake_device_created.attempts, native);
        if (native) {
            assert_false(dev.active || dev.xfb || dev.emulated_extensions);
            assert_true(fake_created_has_extension(&fake_device_created, CAPTURE));
        }
    }
}

/* -- commands -- */

static void gives_commands_to_those_who_enabled_them(void **state)
{
    (void)state;
    static const char *const commands[] = {"vkCmdBindTransformFeedbackBuffersEXT",
                                           "vkCmdBeginTransformFeedbackEXT",
                                           "vkCmdEndTransformFeedbackEXT",
                                           "vkCmdBeginQueryIndexedEXT",
                                           "vkCmdEndQueryIndexedEXT",
                                           "vkCmdDrawIndirectByteCountEXT"};
    static const char *const names[] = {CAPTURE};
    static const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    for (uint32_t i = 0; i < 6; i++) {
        const bool enabled = i % 2, emulated = i < 4;
        driver(i >= 2, i >= 2 ? WITH_FEEDBACK : WITHOUT_FEEDBACK);
        setenv("VK_POLY_GS_FORCE", i >= 2 && emulated ? "1" : "0", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                         .queueCreateInfoCount = 1,
                                         .pQueueCreateInfos = &queue,
                                         .enabledExtensionCount = enabled,
                                         .ppEnabledExtensionNames = names,
                                         .pEnabledFeatures = &geometry};
        VkDevice device;
        assert_int_equal(
            fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
            VK_SUCCESS);
        for (size_t j = 0; j < COUNT(commands); j++) {
            const PFN_vkVoidFunction drivers = fake_GetDeviceProcAddr(device, commands[j]);
            const PFN_vkVoidFunction got = fake_device_proc(device, commands[j]);
            assert_non_null(drivers);
            if (emulated && !enabled)
                assert_null(got);
            else if (emulated)
                assert_true(got && got != drivers);
            else
                assert_ptr_equal(got, drivers);
            assert_non_null(fake_instance_proc(instance, commands[j]));
        }
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(decides_each_half),
        TEST(needs_what_geometry_shaders_need),
        TEST(reports_everything),
        TEST(reports_nothing_while_the_gate_is_shut),
        TEST(leaves_native_xfb_alone),
        TEST(exports_what_captures),
        TEST(answers_behind_unknown_structs),
        TEST(lists_the_extensions_once),
        TEST(devices_are_active_for_xfb_alone),
        TEST(devices_keep_native_geometry_shaders),
        TEST(devices_count_when_statistics_are_asked_for),
        TEST(devices_without_xfb_stay_as_they_were),
        TEST(refuses_what_the_gate_hides),
        TEST(falls_back_to_native_xfb),
        TEST(gives_commands_to_those_who_enabled_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
