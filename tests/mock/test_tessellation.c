/* SPDX-License-Identifier: MIT
 *
 * What the layer reports of tessellation and makes of it in vkCreateDevice, on drivers that
 * tessellate themselves and on others.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
                                         VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                         VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};

/* The driver's half, and what the user says. */
struct circumstances {
    bool geometry, xfb, tessellation, point_size;
    const char *force, *gate;
};

static void arrange(const struct circumstances *c)
{
    struct fake_config config = fake_default_config();
    config.geometry = c->geometry;
    config.tessellation = c->tessellation;
    config.tessellation_point_size = c->point_size;
    config.extensions = extensions;
    config.extension_count = c->xfb ? 3 : 2;
    config.limits.maxComputeSharedMemorySize = 32768;
    fake_reset(&config);
    setenv("VK_POLY_GS_FORCE", c->force, 1);
    setenv("VK_POLY_GS_TESSELLATION", c->gate, 1);
}

static int set_up(void **state)
{
    (void)state;
    begin_test(true);
    return 0;
}

enum whose { HIDDEN, OURS, DRIVERS };

static enum whose whose(const struct pgs_physical_device *phys)
{
    assert_false(phys->emulates_tessellation && phys->native_tessellation);
    return phys->emulates_tessellation ? OURS : phys->native_tessellation ? DRIVERS : HIDDEN;
}

static void decides_whose_it_is(void **state)
{
    (void)state;
    static const struct {
        struct circumstances c;
        enum whose whose;
        bool xfb; /* is ours */
    } cases[] = {
        {{false, false, false, false, "0", "1"}, OURS, true},
        {{false, false, false, false, "0", "0"}, HIDDEN, true},
        {{false, false, true, true, "0", "1"}, DRIVERS, true},
        {{false, false, true, true, "0", "0"}, HIDDEN, true},
        {{false, false, true, false, "0", "1"}, OURS, true}, /* points need a size */
        {{true, false, true, true, "0", "1"}, DRIVERS, true},
        {{true, false, false, false, "0", "1"}, OURS, true},
        {{true, true, true, true, "0", "1"}, DRIVERS, false}, /* nothing is ours */
        {{true, true, true, true, "0", "0"}, DRIVERS, false},
        {{true, true, false, false, "0", "1"}, HIDDEN, false},
        {{true, true, true, true, "1", "1"}, OURS, true},
        {{true, true, true, true, "1", "0"}, HIDDEN, true},
        {{true, true, true, true, "tessellation", "1"}, OURS, true},
        {{true, true, true, true, "tessellation", "0"}, DRIVERS, false},
        {{true, true, true, true, "geometry", "1"}, DRIVERS, true},
        {{true, true, true, true, "feedback", "1"}, DRIVERS, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        arrange(&cases[i].c);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const struct pgs_physical_device *phys =
            pgs_physical_device_from_handle(fake_first_physical_device(instance));
        assert_int_equal(whose(phys), cases[i].whose);
        assert_int_equal(phys->emulates_xfb, cases[i].xfb);
        assert_int_equal(phys->emulates, phys->emulates_geometry || phys->emulates_xfb);
        fake_close_instance(instance);
    }
}

/* Tessellation alone, though transform feedback is not to be ours. */
static void is_ours_alone(void **state)
{
    (void)state;
    arrange(&(struct circumstances){true, true, true, true, "tessellation", "1"});
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const struct pgs_physical_device *phys =
        pgs_physical_device_from_handle(fake_first_physical_device(instance));
    assert_true(phys->emulates && phys->emulates_tessellation && phys->native_geometry);
    assert_false(phys->emulates_geometry || phys->emulates_xfb);
    fake_close_instance(instance);
}

struct report {
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT states2;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states3;
    VkPhysicalDeviceMultiviewFeatures multiview;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceProperties properties;
};

static void ask(struct report *r)
{
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    *r = (struct report){
        .states2 = {.sType =
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
                    .pNext = &r->states3},
        .states3 = {.sType =
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
                    .pNext = &r->multiview},
        .multiview = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES},
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &r->states2}};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &r->features);
    ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties"))(physical, &r->properties);
    fake_close_instance(instance);
}

static void reports_the_features(void **state)
{
    (void)state;
    static const struct {
        struct circumstances c;
        bool reported;
    } cases[] = {
        {{false, false, false, false, "0", "1"}, true},
        {{false, false, true, true, "0", "1"}, true},
        {{false, false, false, false, "0", "0"}, false},
        {{true, false, true, true, "0", "0"}, false},
        {{true, true, true, true, "1", "1"}, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct report r;
        arrange(&cases[i].c);
        ask(&r);
        assert_int_equal(r.features.features.tessellationShader, cases[i].reported);
        assert_int_equal(r.states2.extendedDynamicState2PatchControlPoints, cases[i].reported);
        assert_int_equal(r.states3.extendedDynamicState3TessellationDomainOrigin,
                         cases[i].reported);
        assert_true(r.features.features.shaderTessellationAndGeometryPointSize);
        assert_true(r.states2.extendedDynamicState2LogicOp);
        assert_int_equal(r.multiview.multiviewTessellationShader, cases[i].reported);
    }
    /* State of extensions that the driver has not. */
    struct report r;
    struct fake_config config = fake_default_config();
    setenv("VK_POLY_GS_TESSELLATION", "1", 1);
    setenv("VK_POLY_GS_FORCE", "0", 1);
    fake_reset(&config);
    ask(&r);
    assert_true(r.features.features.tessellationShader);
    assert_false(r.states2.extendedDynamicState2PatchControlPoints ||
                 r.states3.extendedDynamicState3TessellationDomainOrigin);
}

static void reports_the_limits(void **state)
{
    (void)state;
    static const struct {
        bool native, small; /* smaller than ours */
        uint32_t vertex, shared_B;
        uint32_t level, patch, in, out, of_patch, total, evaluation_out;
    } cases[] = {
        {false, false, 128, 32768, 64, 32, 128, 128, 120, 4096, 128},
        {false, false, 64, 16384, 64, 32, 64, 128, 120, 4096, 64},
        {false, false, 60, 1024, 64, 32, 64, 128, 120, 4096, 64},
        {true, true, 128, 32768, 63, 31, 60, 60, 60, 1000, 60},
        {true, false, 128, 32768, 64, 32, 128, 128, 120, 4096, 128},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const uint32_t native = cases[i].small ? 60 : 1 << 20;
        struct fake_config config = fake_default_config();
        config.tessellation = config.tessellation_point_size = cases[i].native;
        VkPhysicalDeviceLimits *l = &config.limits;
        l->maxVertexOutputComponents = cases[i].vertex;
        l->maxComputeSharedMemorySize = cases[i].shared_B;
        l->maxTessellationGenerationLevel = cases[i].small ? 63 : native;
        l->maxTessellationPatchSize = cases[i].small ? 31 : native;
        l->maxTessellationControlPerVertexInputComponents = native;
        l->maxTessellationControlPerVertexOutputComponents = native;
        l->maxTessellationControlPerPatchOutputComponents = native;
        l->maxTessellationControlTotalOutputComponents = cases[i].small ? 1000 : native;
        l->maxTessellationEvaluationInputComponents = native;
        l->maxTessellationEvaluationOutputComponents = native;
        setenv("VK_POLY_GS_TESSELLATION", "1", 1);
        setenv("VK_POLY_GS_FORCE", "0", 1);
        fake_reset(&config);
        struct report r;
        ask(&r);
        l = &r.properties.limits;
        assert_int_equal(l->maxTessellationGenerationLevel, cases[i].level);
        assert_int_equal(l->maxTessellationPatchSize, cases[i].patch);
        assert_int_equal(l->maxTessellationControlPerVertexInputComponents, cases[i].in);
        assert_int_equal(l->maxTessellationControlPerVertexOutputComponents, cases[i].out);
        assert_int_equal(l->maxTessellationControlPerPatchOutputComponents, cases[i].of_patch);
        assert_int_equal(l->maxTessellationControlTotalOutputComponents, cases[i].total);
        assert_int_equal(l->maxTessellationEvaluationInputComponents, cases[i].out);
        assert_int_equal(l->maxTessellationEvaluationOutputComponents, cases[i].evaluation_out);
        setenv("VK_POLY_GS_TESSELLATION", "0", 1); /* the driver's own, of a feature not there */
        ask(&r);
        assert_int_equal(l->maxTessellationPatchSize, cases[i].small ? 31 : native);
    }
}

static unsigned fail_at; /* call of vkCreateDevice and what follows; 0: none */

/* Creates a device with tessellationShader and its dynamic state; *dev is a copy of what the layer
 * thinks of it. */
static VkResult try_device(const VkPhysicalDeviceFeatures *features, bool states,
                           struct pgs_device *dev)
{
    static const float priority = 1.0f;
    static const VkDeviceQueueCreateInfo queue = {.sType =
                                                      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                  .queueCount = 1,
                                                  .pQueuePriorities = &priority};
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT states2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
        .extendedDynamicState2LogicOp = VK_TRUE,
        .extendedDynamicState2PatchControlPoints = states};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states3 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .pNext = &states2,
        .extendedDynamicState3PolygonMode = VK_TRUE,
        .extendedDynamicState3TessellationDomainOrigin = states};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &states3,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 2,
                                     .ppEnabledExtensionNames = extensions,
                                     .pEnabledFeatures = features};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice device;
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    fake_fail_after(fail_at, VK_ERROR_FEATURE_NOT_PRESENT);
    const VkResult result = fake_create_device(instance, physical, &info, &device);
    assert_int_equal(states2.extendedDynamicState2PatchControlPoints, states);
    assert_int_equal(states3.extendedDynamicState3TessellationDomainOrigin, states);
    if (result == VK_SUCCESS) {
        *dev = *pgs_device_from_handle(device);
        fake_close_device(device);
    }
    fake_close_instance(instance);
    return result;
}

static void devices_know_whose_it_is(void **state)
{
    (void)state;
    static const VkPhysicalDeviceFeatures wanted = {
        .tessellationShader = VK_TRUE, .shaderTessellationAndGeometryPointSize = VK_TRUE};
    struct pgs_device dev;
    arrange(&(struct circumstances){false, false, false, false, "0", "1"});
    assert_int_equal(try_device(&wanted, true, &dev), VK_SUCCESS);
    assert_true(dev.active && dev.tessellation && !dev.native.tessellation);
    assert_false(fake_device_created.features.tessellationShader ||
                 fake_device_created.features.shaderTessellationAndGeometryPointSize ||
                 fake_device_created.patch_control_points || fake_device_created.domain_origin);
    assert_true(fake_device_created.logic_op && fake_device_created.polygon_mode &&
                fake_device_created.buffer_device_address);

    /* The driver's, beside geometry shaders that are ours. */
    VkPhysicalDeviceFeatures both = wanted;
    both.geometryShader = VK_TRUE;
    arrange(&(struct circumstances){false, false, true, true, "0", "1"});
    assert_int_equal(try_device(&both, true, &dev), VK_SUCCESS);
    assert_true(dev.active && dev.geometry && !dev.tessellation && dev.native.tessellation);
    assert_false(fake_device_created.features.geometryShader);
    assert_true(fake_device_created.features.tessellationShader &&
                fake_device_created.features.shaderTessellationAndGeometryPointSize &&
                fake_device_created.patch_control_points && fake_device_created.domain_origin);

    /* Not asked for. */
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
    assert_int_equal(try_device(&geometry, false, &dev), VK_SUCCESS);
    assert_true(dev.active && !dev.tessellation && !dev.native.tessellation);
    arrange(&(struct circumstances){false, false, false, false, "0", "1"});
    const VkPhysicalDeviceFeatures nothing = {0};
    assert_int_equal(try_device(&nothing, false, &dev), VK_SUCCESS);
    assert_false(dev.active || dev.tessellation);
}

static void devices_refuse_what_is_hidden(void **state)
{
    (void)state;
    static const VkPhysicalDeviceFeatures wanted = {.tessellationShader = VK_TRUE}, nothing;
    struct pgs_device dev;
    for (int native = 0; native < 2; native++) {
        arrange(&(struct circumstances){false, false, native, native, "0", "0"});
        assert_int_equal(try_device(&wanted, false, &dev), VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(try_device(&nothing, true, &dev), VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(try_device(&nothing, false, &dev), VK_SUCCESS);
    }
}

static void devices_fall_back_to_the_driver(void **state)
{
    (void)state;
    static const VkPhysicalDeviceFeatures wanted = {.tessellationShader = VK_TRUE};
    struct pgs_device dev;
    for (int native = 0; native < 2; native++) {
        arrange(&(struct circumstances){true, true, native, native, "1", "1"});
        fail_at = 1;
        const VkResult result = try_device(&wanted, true, &dev);
        fail_at = 0;
        assert_true(fake_has_failed());
        assert_int_equal(result, native ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(fake_device_created.attempts, native ? 2 : 1);
        if (native)
            assert_true(!dev.active && !dev.tessellation && fake_device_created.domain_origin &&
                        fake_device_created.features.tessellationShader);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(decides_whose_it_is),
        TEST(is_ours_alone),
        TEST(reports_the_features),
        TEST(reports_the_limits),
        TEST(devices_know_whose_it_is),
        TEST(devices_refuse_what_is_hidden),
        TEST(devices_fall_back_to_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
