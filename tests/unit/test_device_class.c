/* SPDX-License-Identifier: MIT
 *
 * The tables of device classes and guards: which row a driver gets, and what settings change.
 */
#include "vulkan/device_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define DISCRETE VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
#define INTEGRATED VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
#define CPU VK_PHYSICAL_DEVICE_TYPE_CPU

static const struct pgs_class_settings by_driver;

static VkPhysicalDeviceProperties device(uint32_t vendor, uint32_t id, VkPhysicalDeviceType type)
{
    return (VkPhysicalDeviceProperties){.vendorID = vendor, .deviceID = id, .deviceType = type};
}

/* Vendors, ids and drivers as devices report them. */
static void finds_the_class_by_driver_or_vendor(void **state)
{
    static const struct {
        uint32_t vendor, id;
        VkPhysicalDeviceType type;
        int driver;
        enum pgs_device_kind kind;
        bool shares;
    } cases[] = {
        {0x10DE, 0x2330, DISCRETE, VK_DRIVER_ID_NVIDIA_PROPRIETARY, PGS_DEVICE_IMMEDIATE, false},
        {0x8086, 0x9A49, INTEGRATED, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, PGS_DEVICE_IMMEDIATE,
         true},
        {0x10005, 0, CPU, VK_DRIVER_ID_MESA_LLVMPIPE, PGS_DEVICE_CPU, false},
        {0x10005, 0, CPU, 0, PGS_DEVICE_CPU, false},
        {0x1AE0, 0xC0DE, CPU, VK_DRIVER_ID_GOOGLE_SWIFTSHADER, PGS_DEVICE_SWIFTSHADER, false},
        {0x1AE0, 0xC0DE, CPU, 0, PGS_DEVICE_SWIFTSHADER, false},
        {0x1010, 0x22054036, INTEGRATED, 0, PGS_DEVICE_POWERVR, true},
        {0x1010, 0x36052000, INTEGRATED, VK_DRIVER_ID_IMAGINATION_PROPRIETARY, PGS_DEVICE_POWERVR,
         true},
        {0x13B5, 0x08800000, INTEGRATED, 0, PGS_DEVICE_BIFROST, true}, /* Mali-T880 */
        {0x13B5, 0x72120000, INTEGRATED, VK_DRIVER_ID_ARM_PROPRIETARY, PGS_DEVICE_BIFROST, true},
        {0x13B5, 0x7212, INTEGRATED, VK_DRIVER_ID_MESA_PANVK, PGS_DEVICE_BIFROST, true},
        {0x13B5, 0x90930000, INTEGRATED, 0, PGS_DEVICE_VALHALL, true}, /* Mali-G57 */
        {0x13B5, 0xA8670000, INTEGRATED, VK_DRIVER_ID_ARM_PROPRIETARY, PGS_DEVICE_VALHALL, true},
        {0x13B5, 0xA867, INTEGRATED, VK_DRIVER_ID_MESA_PANVK, PGS_DEVICE_VALHALL, true},
        {0x5143, 0x43050A01, INTEGRATED, VK_DRIVER_ID_QUALCOMM_PROPRIETARY, PGS_DEVICE_ADRENO,
         true},
        {0x5143, 0x43050A01, INTEGRATED, 0, PGS_DEVICE_ADRENO, true},
        {0x5143, 0x43050A01, INTEGRATED, VK_DRIVER_ID_MESA_TURNIP, PGS_DEVICE_TURNIP, true},
        {0x106B, 0x1A020201, INTEGRATED, VK_DRIVER_ID_MOLTENVK, PGS_DEVICE_APPLE, true},
        {0x106B, 0x1A020201, INTEGRATED, 0, PGS_DEVICE_APPLE, true},
        {0x14E4, 0x55701C33, INTEGRATED, VK_DRIVER_ID_MESA_V3DV, PGS_DEVICE_V3D, true},
        /* Maleoon, which says that its driver is Arm's */
        {0x19E5, 0xA8670000, INTEGRATED, VK_DRIVER_ID_ARM_PROPRIETARY, PGS_DEVICE_IMMEDIATE, true},
        {0x144D, 0x02600020, INTEGRATED, VK_DRIVER_ID_SAMSUNG_PROPRIETARY, PGS_DEVICE_IMMEDIATE,
         true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const VkPhysicalDeviceProperties of = device(cases[i].vendor, cases[i].id, cases[i].type);
        const struct pgs_device_class found =
            pgs_device_class_of(&of, (VkDriverId)cases[i].driver, &by_driver);
        assert_int_equal(found.kind, cases[i].kind);
        assert_int_equal(found.shares_memory, cases[i].shares);
    }
}

static struct pgs_device_class kind(enum pgs_device_kind kind)
{
    const VkPhysicalDeviceProperties of = device(0x10DE, 1, DISCRETE);
    return pgs_device_class_of(&of, VK_DRIVER_ID_NVIDIA_PROPRIETARY,
                               &(struct pgs_class_settings){.kind = kind});
}

static void rows_differ_where_devices_do(void **state)
{
    (void)state;
    for (int k = PGS_DEVICE_IMMEDIATE; k < PGS_DEVICE_KINDS; k++) {
        const struct pgs_device_class of = kind((enum pgs_device_kind)k);
        const bool tiler = k >= PGS_DEVICE_POWERVR;
        assert_int_equal(of.kind, k);
        assert_int_equal(of.shares_memory, tiler);
        const bool adreno = k == PGS_DEVICE_ADRENO || k == PGS_DEVICE_TURNIP;
        assert_int_equal(of.keeps_passes, k == PGS_DEVICE_ADRENO);
        assert_int_equal(of.splits_vertices, adreno || k == PGS_DEVICE_VALHALL);
        assert_int_equal(of.packs_vertices, k == PGS_DEVICE_BIFROST);
        const bool cpu = k == PGS_DEVICE_CPU || k == PGS_DEVICE_SWIFTSHADER;
        assert_int_equal(of.lists_primitives, adreno || cpu);
        assert_int_equal(!of.heap_B, tiler);
        const bool lavapipe = k == PGS_DEVICE_CPU;
        assert_int_equal(of.fetches_vertices,
                         k == PGS_DEVICE_POWERVR || k == PGS_DEVICE_BIFROST || lavapipe);
        assert_int_equal(of.stores_large, lavapipe);
        assert_int_equal(of.draws_in_order, lavapipe);
        assert_int_equal(of.draws_directly, tiler);
        assert_int_equal(of.index_range_B, k == PGS_DEVICE_BIFROST ? 32 << 20 : 0);
        assert_int_equal(of.joins_loads, k == PGS_DEVICE_BIFROST || k == PGS_DEVICE_VALHALL);
        assert_int_equal(of.compile_threads, k == PGS_DEVICE_POWERVR ? 1 : 0);
        assert_int_equal(of.costs.of[PGS_COST_INLINE_INVOCATIONS], tiler ? 64 : 0);
        assert_int_equal(of.costs.of[PGS_COST_PASS_EMITS] != 0, k == PGS_DEVICE_IMMEDIATE);
        assert_int_equal(of.guards, 0); /* those are the driver's */
        assert_true(strlen(pgs_device_kind_name(of.kind)) > 0);
    }
}

/* Whatever the setting says, a GPU may not be told to load from any address. */
static void cpus_load_pairs_of_words(void **state)
{
    const VkPhysicalDeviceProperties lavapipe = device(0x10005, 0, VK_PHYSICAL_DEVICE_TYPE_CPU);
    const struct pgs_class_settings as_gpu = {.kind = PGS_DEVICE_IMMEDIATE};
    (void)state;
#if defined(__x86_64__) || defined(__aarch64__)
    assert_true(pgs_device_class_of(&lavapipe, VK_DRIVER_ID_MESA_LLVMPIPE, &by_driver).pairs_words);
#endif
    assert_false(pgs_device_class_of(&lavapipe, VK_DRIVER_ID_MESA_LLVMPIPE, &as_gpu).pairs_words);
    for (int k = PGS_DEVICE_ANY; k < PGS_DEVICE_KINDS; k++)
        assert_false(kind((enum pgs_device_kind)k).pairs_words);
}

/* Later versions of lavapipe load at an address as quickly. */
static void old_lavapipe_has_descriptors_for_words(void **state)
{
    VkPhysicalDeviceProperties lavapipe = device(0x10005, 0, VK_PHYSICAL_DEVICE_TYPE_CPU);
    (void)state;
    lavapipe.apiVersion = VK_MAKE_API_VERSION(0, 1, 3, 230);
    const struct pgs_device_class old =
        pgs_device_class_of(&lavapipe, VK_DRIVER_ID_MESA_LLVMPIPE, &by_driver);
    assert_int_equal(old.binds_words, old.pairs_words);
    assert_true(old.costs.of[PGS_COST_BOUND_INVOCATIONS] > 0);
    struct pgs_class_settings chosen = {.kind = PGS_DEVICE_ANY};
    assert_true(pgs_costs_read(&chosen.costs, "cut_invocations=7"));
    const struct pgs_device_class by_user =
        pgs_device_class_of(&lavapipe, VK_DRIVER_ID_MESA_LLVMPIPE, &chosen);
    assert_int_equal(by_user.costs.of[PGS_COST_CUT_INVOCATIONS], 7);
    assert_false(pgs_device_class_of(&lavapipe, (VkDriverId)0, &by_driver).binds_words);
    lavapipe.apiVersion = VK_MAKE_API_VERSION(0, 1, 4, 305);
    const struct pgs_device_class new =
        pgs_device_class_of(&lavapipe, VK_DRIVER_ID_MESA_LLVMPIPE, &by_driver);
    assert_false(new.binds_words);
    assert_int_equal(new.costs.of[PGS_COST_CUT_INVOCATIONS], 0);
    assert_int_equal(old.costs.of[PGS_COST_CUT_INVOCATIONS] != 0, old.binds_words);
    for (int k = PGS_DEVICE_ANY; k < PGS_DEVICE_KINDS; k++)
        assert_false(kind((enum pgs_device_kind)k).binds_words);
}

static void integrated_gpus_shade_less_inline(void **state)
{
    const VkPhysicalDeviceProperties of = device(0x8086, 1, INTEGRATED);
    const struct pgs_costs most = kind(PGS_DEVICE_IMMEDIATE).costs,
                           some = pgs_device_class_of(&of, 0, &by_driver).costs;
    (void)state;
    for (int i = PGS_COST_PASS_EMITS; i <= PGS_COST_PASS_BOTH; i++)
        assert_true(some.of[i] && some.of[i] < most.of[i]);
}

static void settings_come_first(void **state)
{
    const VkPhysicalDeviceProperties adreno = device(0x5143, 1, INTEGRATED);
    struct pgs_class_settings settings = {.split = PGS_SPLIT_NEEDED,
                                          .index_range_KiB = 32,
                                          .layout = PGS_LAYOUT_WHOLE,
                                          .slots = PGS_SLOTS_PACKED,
                                          .strips = PGS_STRIPS_RESTART,
                                          .arguments = PGS_ARGUMENTS_BUFFER};
    (void)state;
    struct pgs_device_class found = pgs_device_class_of(&adreno, (VkDriverId)0, &settings);
    assert_int_equal(found.kind, PGS_DEVICE_ADRENO);
    assert_false(found.keeps_passes || found.splits_vertices || found.lists_primitives ||
                 found.draws_directly);
    assert_int_equal(found.index_range_B, 32 << 10);
    assert_true(found.packs_vertices);
    settings = (struct pgs_class_settings){.kind = PGS_DEVICE_BIFROST,
                                           .split = PGS_SPLIT_NEVER,
                                           .index_range_KiB = PGS_RANGES_WIDE,
                                           .layout = PGS_LAYOUT_SPLIT,
                                           .slots = PGS_SLOTS_OWN,
                                           .fetch = PGS_FETCH_ATTRIBUTES,
                                           .strips = PGS_STRIPS_LISTS};
    found = pgs_device_class_of(&adreno, (VkDriverId)0, &settings);
    assert_int_equal(found.kind, PGS_DEVICE_BIFROST);
    assert_true(found.keeps_passes && found.shares_memory);
    assert_true(found.splits_vertices && found.lists_primitives && found.fetches_vertices);
    assert_int_equal(found.index_range_B, 0);
    assert_false(found.packs_vertices);
    settings =
        (struct pgs_class_settings){.kind = PGS_DEVICE_CPU, .arguments = PGS_ARGUMENTS_BUFFER};
    assert_false(pgs_device_class_of(&adreno, (VkDriverId)0, &settings).draws_in_order);
    settings = (struct pgs_class_settings){.kind = PGS_DEVICE_POWERVR, .fetch = PGS_FETCH_STORAGE};
    assert_false(pgs_device_class_of(&adreno, (VkDriverId)0, &settings).fetches_vertices);
}

static void guards_belong_to_drivers(void **state)
{
    const uint32_t powervr = PGS_GUARD_SERIAL_PIPELINES | PGS_GUARD_CLAMP_LAYER;
    const struct {
        uint32_t vendor;
        int driver;
        uint32_t guards;
    } cases[] = {
        {0x1010, 0, powervr},
        {0x1010, VK_DRIVER_ID_IMAGINATION_PROPRIETARY, powervr},
        {0x1010, VK_DRIVER_ID_IMAGINATION_OPEN_SOURCE_MESA, 0},
        {0x13B5, 0, PGS_GUARD_NO_DISTANCES},
        {0x13B5, VK_DRIVER_ID_ARM_PROPRIETARY, PGS_GUARD_NO_DISTANCES},
        {0x13B5, VK_DRIVER_ID_MESA_PANVK, 0},
        {0x19E5, VK_DRIVER_ID_ARM_PROPRIETARY, 0}, /* Maleoon */
        {0x19E5, 0, 0},
        {0x10DE, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const VkPhysicalDeviceProperties of = device(cases[i].vendor, 0xA8670000, INTEGRATED);
        const VkDriverId driver = (VkDriverId)cases[i].driver;
        struct pgs_class_settings settings = {0};
        assert_int_equal(pgs_device_class_of(&of, driver, &settings).guards, cases[i].guards);
        settings.chooses_guards = true;
        assert_int_equal(pgs_device_class_of(&of, driver, &settings).guards, 0);
        settings.guards = PGS_GUARD_GROUP_MEMORY;
        assert_int_equal(pgs_device_class_of(&of, driver, &settings).guards,
                         PGS_GUARD_GROUP_MEMORY);
    }
}

/* Of PanVK before 25.0 and of GPUs without a command stream there are no indirect dispatches. */
static void guards_belong_to_versions(void **state)
{
    const struct {
        uint32_t id, version, guards;
    } cases[] = {
        {0xA8670000, VK_MAKE_API_VERSION(0, 24, 3, 4), 0},
        {0xA8670000, VK_MAKE_API_VERSION(0, 25, 0, 0), PGS_GUARD_GROUP_MEMORY},
        {0xA8670000, VK_MAKE_API_VERSION(0, 25, 1, 99), PGS_GUARD_GROUP_MEMORY},
        {0xA8670000, VK_MAKE_API_VERSION(0, 25, 2, 0), 0},
        {0x72120000, VK_MAKE_API_VERSION(0, 25, 0, 7), 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        VkPhysicalDeviceProperties of = device(0x13B5, cases[i].id, INTEGRATED);
        of.driverVersion = cases[i].version;
        assert_int_equal(pgs_device_class_of(&of, VK_DRIVER_ID_MESA_PANVK, &by_driver).guards,
                         cases[i].guards);
    }
}

static void guards_are_read_by_name(void **state)
{
    const struct {
        const char *text;
        bool chooses;
        uint32_t guards;
    } cases[] = {
        {"none", true, 0},
        {"ALL", true, PGS_GUARDS_ALL},
        {"auto", false, 0},
        {"pipelines", true, PGS_GUARD_SERIAL_PIPELINES},
        {"layer", true, PGS_GUARD_CLAMP_LAYER},
        {"distances", true, PGS_GUARD_NO_DISTANCES},
        {"group_memory", true, PGS_GUARD_GROUP_MEMORY},
        {" Layer,\tdistances ; layer", true, PGS_GUARD_CLAMP_LAYER | PGS_GUARD_NO_DISTANCES},
        {"pipelines layer distances group_memory", true, PGS_GUARDS_ALL},
    };
    static const char *const wrong[] = {"",    " ",         ",",      "some",      "layers",
                                        "lay", "layer all", "-layer", "layer,none"};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pgs_class_settings settings = {.chooses_guards = !cases[i].chooses, .guards = 8};
        assert_true(pgs_guards_read(&settings, cases[i].text));
        assert_true(settings.chooses_guards == cases[i].chooses);
        assert_int_equal(settings.guards, cases[i].guards);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct pgs_class_settings settings = {.chooses_guards = true, .guards = 4};
        assert_false(pgs_guards_read(&settings, wrong[i]));
        assert_true(settings.chooses_guards);
        assert_int_equal(settings.guards, 4);
    }
}

static void is_described_in_a_line(void **state)
{
    char text[PGS_DEVICE_CLASS_TEXT_B];
    struct pgs_device_class of = {.kind = PGS_DEVICE_BIFROST,
                                  .costs.of = {[PGS_COST_INLINE_INVOCATIONS] = 64},
                                  .index_range_B = 32 << 20,
                                  .splits_vertices = true,
                                  .packs_vertices = true,
                                  .lists_primitives = true,
                                  .fetches_vertices = true,
                                  .draws_directly = true,
                                  .keeps_passes = true,
                                  .shares_memory = true,
                                  .guards = PGS_GUARDS_ALL};
    (void)state;
    pgs_device_class_describe(&of, text);
    assert_string_equal(
        text, "class=bifrost: inline draws of at most 64 GS invocations, passes are "
              "never split, index ranges of at most 32768 KiB, little memory, positions apart, "
              "vertices without gaps, vertices as attributes, lists for strips, direct draws, "
              "pipelines one at a time, "
              "gl_Layer clamped, no clip "
              "distances for "
              "the driver, large dispatches with shared memory by grids");
    of = kind(PGS_DEVICE_IMMEDIATE);
    pgs_device_class_describe(&of, text);
    assert_string_equal(text, "class=immediate: inline draws of any number of GS invocations "
                              "(80000 vertices of a pass if the number of emits varies, 40000 if "
                              "shaders loop or read images, 10000 if both), "
                              "passes may be split, index ranges of any size, much memory, "
                              "rounds of draws beyond 256 MiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_class_by_driver_or_vendor),
        cmocka_unit_test(rows_differ_where_devices_do),
        cmocka_unit_test(integrated_gpus_shade_less_inline),
        cmocka_unit_test(cpus_load_pairs_of_words),
        cmocka_unit_test(old_lavapipe_has_descriptors_for_words),
        cmocka_unit_test(settings_come_first),
        cmocka_unit_test(guards_belong_to_drivers),
        cmocka_unit_test(guards_belong_to_versions),
        cmocka_unit_test(guards_are_read_by_name),
        cmocka_unit_test(is_described_in_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
