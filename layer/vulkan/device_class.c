/* SPDX-License-Identifier: MIT */
#include "vulkan/device_class.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define VENDOR_IMAGINATION 0x1010
#define VENDOR_QUALCOMM 0x5143
#define VENDOR_ARM 0x13B5
#define VENDOR_BROADCOM 0x14E4
#define VENDOR_APPLE 0x106B
#define VENDOR_GOOGLE 0x1AE0

/* In a tiler, binning may run the vertex shader once more, so storing pays off earlier than on an
 * immediate GPU; but a dispatch and its barrier take longer than a few GS invocations. */
#define TILER_INVOCATIONS 64
/* Midgard and Bifrost put what is shaded into a region of 180 MiB. */
#define BIFROST_RANGE_B (32u << 20)

/* Up to here what is stored takes longer, for its dispatches and barriers, some 10 us. On an H100
 * 8000 invocations with 10 vertices each, of which up to six are emitted, took 0.98 of the native
 * time inline and 1.14 stored, 16000 took 1.11 and 1.10. On an H200 300000 vertices with 64 steps
 * of a loop for each vertex of a triangle took 370 us longer inline; without a step in it, 1000
 * invocations with 10 vertices took 3 us longer than natively, 6400 took 23 us. */
#define IMMEDIATE_EMITS 80000
#define IMMEDIATE_STEPS 40000
#define IMMEDIATE_BOTH 10000

/* Triangles to up to three lines took an H200 so many us, stored and inline:
 *
 *   drawn    20 000     50 000     100 000    300 000      1 000 000 triangles
 *    25 %    78,  82    141, 184   235, 358    578, 1061
 *    37 %   108,  99    203, 215   341, 371    830, 1102
 *    50 %   137, 123    264, 250   450, 420   1086, 1111
 *    75 %   197, 181    387, 365   667, 628   1593, 1458   4217, 3812
 *   100 %   258, 241    513, 487   885, 838   2107, 1945   5572, 5083
 */
#define IMMEDIATE_DENSE 600000
#define IMMEDIATE_DENSE_SHARE 45

/* A round takes half of it. On an H200 each costs some 25 us, and what is in caches still is drawn
 * sooner: with 256 MiB all but one of 42 workloads took as long as at once; with 64 a million edges
 * that store 225 MiB took 0.82 instead of 0.93 of the native time, others up to 8 % more. lavapipe
 * took 229 MiB of strips a fifth longer with 64. A tiler pays for each round with all attachments,
 * so there only the limit of the layer's memory counts. */
#define HEAP_B (UINT64_C(256) << 20)

/* Workgroups run at once, and read the same few words for each invocation from a cache, in less
 * time than another dispatch takes. */
#define IMMEDIATE_SUMMED_TILES 32

/* Smaller draws are listed by their geometry shader, which knows no other places. */
#define IMMEDIATE_SPREAD 16385

/* Shaders that list their strips themselves, which saves some 10 us of an H200, do not cut them. */
#define IMMEDIATE_CUT 8192

/* From here on it pays to look for what need not be drawn, of which only compute shaders on an H200
 * were measured: 32000 triangles that went to six layers, half of them outside, took 0.69 of the
 * native time instead of 0.68, 100000 took 0.47 instead of 0.51, and a million 0.175 instead of
 * 0.25. With nothing outside 100000 and a million took 1.01 of what they had. */
#define IMMEDIATE_SIFT 65536

/* Of 10000, 100000, 300000 and 1000000 triangles of 0 to 3 lines, half of which come, picked ones
 * took an H200 1.13, 1.05, 0.95 and 0.76 of the native time, and 0.97, 1.00, 1.01 and 0.81 as they
 * were drawn without. Of 1000000 of which all come 0.94 instead of 0.90, and of which one in 200
 * comes 0.04 instead of 0.11. */
#define IMMEDIATE_PICK 200000

/* MiB of which rounds of lines take a half. On an H200 a million edges that store 225 MiB took 0.97
 * of the native time with 64 to 80, 0.98 with 48, 0.99 with 96 and 1.03 with 256 or more; of other
 * shaders 0.82 with 64 and 0.93 with 256. Strips of triangles gain nothing. */
#define IMMEDIATE_LINES_HEAP 64

/* Up to here an inline draw takes lavapipe no longer than the dispatches and barriers of a stored
 * one: 967 flat triangles, or 230 triangles of 0 to 3 lines. Of these 300 took
 * lavapipe 22.3 1.14 of the native time inline and 1.07 stored. */
#define LAVAPIPE_STEPS 500000

/* Vertices of a slice, at most. With 12000, 24000 and 60000 lavapipe 22.3 took 0.84, 0.81 and 0.87
 * of the native time for 100000 points to quads, without slices 1.06 to 1.11; for 10000, which have
 * 60000 vertices, 1.02, 1.02 and 1.15. */
#define LAVAPIPE_SLICE 24000

/* Of joined strips alone, which may have twelve times as many vertices and must emit five per cent
 * more. 100000 strips of 4 to 64 vertices, of which half come, take lavapipe 22.3 1.03 to 1.10 of
 * the native time inline and 1.21 to 1.29 stored; other shares were not measured. */
#define LAVAPIPE_DENSE 1000000
#define LAVAPIPE_DENSE_SHARE 40

/* GS invocations from which on a compute shader with descriptors pays, where it does: each saves
 * some 50 ns of two processors, and the shader takes some 40 ms to compile, by a thread that nobody
 * waits for. */
#define LAVAPIPE_BOUND 4096

/* Where that is so, lists of strips are cut from as many on, and stored for it: 10000 and 100000
 * strips of 4 to 64 vertices, with triangles of some pixel, take 0.92 and 1.03 to 1.12 of the
 * native time inline, and 0.80 and 0.92 to 0.95 stored, without the triangles that cover no sample,
 * which are a third; 100000 with all of them 1.08 to 1.14. Of 1000 either takes 0.80. */
#define LAVAPIPE_22_CUT LAVAPIPE_BOUND

/* Of Mesa 22.3, of which lavapipe says no version of its own. */
#define LAVAPIPE_22_API VK_MAKE_API_VERSION(0, 1, 3, 230)

/* Of 1000, 2000, 4000, 8000, 16000 and 100000 triangles of 0 to 3 lines picked ones took lavapipe
 * 22.3 1.05, 1.05, 1.05, 1.04, 0.99 and 0.93 of the native time, stored
 * ones 1.08, 1.09, 1.07, 1.06, 1.10 and 1.08; of 1000, 4000 and 100000 lavapipe 25 1.05, 0.96 and
 * 0.55, and stored 1.03, 0.99 and 0.63; SwiftShader 0.84 and 0.90 of the stored time of 10000 and
 * 100000. But it is two shaders more to compile. */
#define CPU_PICK 4000

/* Less than any vertex shader has: with it in the control shader 100 and 5000 patches that become
 * four triangles took 1.15 and 1.03 of what they take with both, and compilation as long. */
#define SWIFTSHADER_FUSE 1

/* Integrated GPUs shade vertices several times as slowly, and wait about as long. None was
 * measured. */
#define INTEGRATED_SHARE 8

static const struct row {
    const char *name;
    struct pgs_device_class traits; /* costs that are 0 are the usual ones */
} classes[PGS_DEVICE_KINDS] = {
    [PGS_DEVICE_ANY] = {"auto", {0}},
    [PGS_DEVICE_IMMEDIATE] = {"immediate",
                              {.costs.of = {[PGS_COST_PASS_EMITS] = IMMEDIATE_EMITS,
                                            [PGS_COST_PASS_STEPS] = IMMEDIATE_STEPS,
                                            [PGS_COST_PASS_BOTH] = IMMEDIATE_BOTH,
                                            [PGS_COST_PASS_DENSE] = IMMEDIATE_DENSE,
                                            [PGS_COST_DENSE_SHARE] = IMMEDIATE_DENSE_SHARE,
                                            [PGS_COST_SPREAD_INVOCATIONS] = IMMEDIATE_SPREAD,
                                            [PGS_COST_CUT_INVOCATIONS] = IMMEDIATE_CUT,
                                            [PGS_COST_SIFT_PRIMITIVES] = IMMEDIATE_SIFT,
                                            [PGS_COST_PICK_PRIMITIVES] = IMMEDIATE_PICK,
                                            [PGS_COST_LINES_HEAP] = IMMEDIATE_LINES_HEAP},
                               .summed_tiles = IMMEDIATE_SUMMED_TILES,
                               .lists_at_once = true,
                               .heap_B = HEAP_B}},
    /* CPUs cut a draw at each restart: with lists 100000 triangles of 0 to 3 lines took lavapipe
     * 1.07 instead of 1.5 to 2.0 of the native time, strips of up to 64 vertices as long as before.
     * A frame of five scenes with 100000 primitives each took SwiftShader three quarters, with
     * short shaders inline in any number. lavapipe 25 and 22.3 take longer for that: 10000
     * triangles with normals took 1.16 to 1.20 and 1.32 of the native time inline, and 0.95 to 1.00
     * and 1.18 stored and fetched as attributes; 300 took 1.00 to 1.04 and 1.03 to 1.05. 100000
     * points to quads took lavapipe 22.3 1.01 to 1.35 inline, and 1.02 to 1.20 stored. */
    [PGS_DEVICE_CPU] = {"cpu",
                        {.lists_primitives = true,
                         .fetches_vertices = true,
                         .stores_large = true,
                         .draws_in_order = true,
                         .costs.of = {[PGS_COST_CPU_STEPS] = LAVAPIPE_STEPS,
                                      [PGS_COST_PASS_DENSE] = LAVAPIPE_DENSE,
                                      [PGS_COST_DENSE_SHARE] = LAVAPIPE_DENSE_SHARE,
                                      [PGS_COST_PICK_PRIMITIVES] = CPU_PICK,
                                      [PGS_COST_SLICE_VERTICES] = LAVAPIPE_SLICE,
                                      [PGS_COST_BOUND_INVOCATIONS] = LAVAPIPE_BOUND},
                         .heap_B = HEAP_B}},
    [PGS_DEVICE_SWIFTSHADER] = {"swiftshader",
                                {.lists_primitives = true,
                                 .costs.of = {[PGS_COST_FUSE_CONTROL_STEPS] = SWIFTSHADER_FUSE,
                                              [PGS_COST_PICK_PRIMITIVES] = CPU_PICK},
                                 .heap_B = HEAP_B}},
    /* Compilers that run one at a time need one thread. Imagination's recommendations say that
     * vertex attributes are loaded ahead, and storage buffers are not. */
    [PGS_DEVICE_POWERVR] = {"powervr",
                            {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                             .compile_threads = 1,
                             .fetches_vertices = true,
                             .draws_directly = true,
                             .shares_memory = true}},
    /* Of a Mali-G52 Mesa 25.0 counts 2 cycles of loads and stores and 14 instructions for positions
     * that are attributes, and 3 and 30 with an address. */
    [PGS_DEVICE_BIFROST] = {"bifrost",
                            {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                             .fetches_vertices = true,
                             .index_range_B = BIFROST_RANGE_B,
                             .packs_vertices = true,
                             .joins_loads = true,
                             .draws_directly = true,
                             .shares_memory = true}},
    /* From here on vertex shading is driven by indices: positions first (IDVS). */
    [PGS_DEVICE_VALHALL] = {"valhall",
                            {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                             .splits_vertices = true,
                             .joins_loads = true,
                             .draws_directly = true,
                             .shares_memory = true}},
    /* Adreno's binning runs what positions need. Up to the 640 it is very slow with restart, for
     * which Flutter's Impeller avoids it on all. The driver takes memory at the end of every pass
     * and does not give it back before the command buffer is reset. */
    [PGS_DEVICE_ADRENO] = {"adreno",
                           {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                            .splits_vertices = true,
                            .lists_primitives = true,
                            .keeps_passes = true,
                            .draws_directly = true,
                            .shares_memory = true}},
    [PGS_DEVICE_TURNIP] = {"turnip",
                           {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                            .splits_vertices = true,
                            .lists_primitives = true,
                            .draws_directly = true,
                            .shares_memory = true}},
    [PGS_DEVICE_APPLE] = {"apple",
                          {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                           .draws_directly = true,
                           .shares_memory = true}},
    [PGS_DEVICE_V3D] = {"v3d",
                        {.costs.of[PGS_COST_INLINE_INVOCATIONS] = TILER_INVOCATIONS,
                         .draws_directly = true,
                         .shares_memory = true}},
};

/* Id of the first Mali (v10) that takes commands from a stream, not from a chain of jobs. */
#define MALI_COMMAND_STREAM 0xA0000000u

/* Bugs of drivers, known by vendor, and where they say it by driver: below Vulkan 1.2 they do not,
 * and Huawei's Maleoon says that its driver is Arm's. */
static const struct guarded {
    VkDriverId driver;
    uint32_t vendor;
    uint32_t first_version, last_version; /* VkPhysicalDeviceProperties.driverVersion */
    uint32_t guards;
    uint32_t first_device; /* VkPhysicalDeviceProperties.deviceID */
} guarded[] = {
    /* The compiler crashes if threads create pipelines at once: Godot pull request 123614 (D-Series
     * and BXM). Zink clamps gl_Layer for this driver (needs_sanitised_layer). */
    {VK_DRIVER_ID_IMAGINATION_PROPRIETARY, VENDOR_IMAGINATION, 0, UINT32_MAX,
     PGS_GUARD_SERIAL_PIPELINES | PGS_GUARD_CLAMP_LAYER, 0},
    /* A shader with ClipDistance crashes the compiler: vkoverhead issue 44. Arm's driver does not
     * report the feature, but layers below may. */
    {VK_DRIVER_ID_ARM_PROPRIETARY, VENDOR_ARM, 0, UINT32_MAX, PGS_GUARD_NO_DISTANCES, 0},
    /* Up to Mesa 25.1: as much as is shared, rounded up to a power of two, for as many workgroups,
     * rounded up likewise, on each core, until the command buffer is reset; and the product is one
     * of 32 bits. Mesa 25.2 has a limit (release notes: "Limit direct dispatch WLS allocation").
     * Indirect dispatches it knows from 25.0 on, for GPUs with a command stream. */
    {VK_DRIVER_ID_MESA_PANVK, VENDOR_ARM, VK_MAKE_API_VERSION(0, 25, 0, 0),
     VK_MAKE_API_VERSION(0, 25, 2, 0) - 1, PGS_GUARD_GROUP_MEMORY, MALI_COMMAND_STREAM},
};

/* The architecture is in the highest bits of the GPU's id, of which older PanVK reports the upper
 * half alone. */
static enum pgs_device_kind kind_of_mali(uint32_t device)
{
    const uint32_t architecture = device > 0xFFFF ? device >> 28 : device >> 12;
    return architecture < 9 ? PGS_DEVICE_BIFROST : PGS_DEVICE_VALHALL;
}

static enum pgs_device_kind kind_by_vendor(const VkPhysicalDeviceProperties *properties)
{
    if (properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
        properties->vendorID == VENDOR_GOOGLE)
        return PGS_DEVICE_SWIFTSHADER;
    switch (properties->vendorID) {
    case VENDOR_IMAGINATION:
        return PGS_DEVICE_POWERVR;
    case VENDOR_ARM:
        return kind_of_mali(properties->deviceID);
    case VENDOR_QUALCOMM:
        return PGS_DEVICE_ADRENO;
    case VENDOR_BROADCOM:
        return PGS_DEVICE_V3D;
    case VENDOR_APPLE:
        return PGS_DEVICE_APPLE;
    default:
        break;
    }
    return properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? PGS_DEVICE_CPU
                                                                 : PGS_DEVICE_IMMEDIATE;
}

static enum pgs_device_kind kind_of(const VkPhysicalDeviceProperties *properties, VkDriverId driver)
{
    switch ((int)driver) {
    case VK_DRIVER_ID_MESA_TURNIP:
        return PGS_DEVICE_TURNIP;
    case VK_DRIVER_ID_QUALCOMM_PROPRIETARY:
        return PGS_DEVICE_ADRENO;
    case VK_DRIVER_ID_MOLTENVK:
        return PGS_DEVICE_APPLE;
    case VK_DRIVER_ID_MESA_V3DV:
        return PGS_DEVICE_V3D;
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
        return PGS_DEVICE_SWIFTSHADER;
    case VK_DRIVER_ID_IMAGINATION_PROPRIETARY:
    case VK_DRIVER_ID_IMAGINATION_OPEN_SOURCE_MESA:
        return PGS_DEVICE_POWERVR;
    case VK_DRIVER_ID_MESA_PANVK:
        return kind_of_mali(properties->deviceID);
    default:
        return kind_by_vendor(properties);
    }
}

/* `own`: those of the class, or 0. */
static struct pgs_costs costs_of(const struct pgs_costs *own, bool integrated,
                                 const struct pgs_chosen_costs *chosen)
{
    struct pgs_costs costs = pgs_costs_usual;
    for (int i = 0; i < PGS_COSTS; i++)
        if (own->of[i])
            costs.of[i] = own->of[i];
    for (int i = PGS_COST_PASS_EMITS; integrated && i <= PGS_COST_PASS_DENSE; i++)
        costs.of[i] /= INTEGRATED_SHARE;
    pgs_costs_choose(&costs, chosen);
    return costs;
}

static const struct guard_name {
    uint32_t guard;
    const char *name, *said; /* in the setting, and in the log */
} guard_names[] = {
    {PGS_GUARD_SERIAL_PIPELINES, "pipelines", "pipelines one at a time"},
    {PGS_GUARD_CLAMP_LAYER, "layer", "gl_Layer clamped"},
    {PGS_GUARD_NO_DISTANCES, "distances", "no clip distances for the driver"},
    {PGS_GUARD_GROUP_MEMORY, "group_memory", "large dispatches with shared memory by grids"},
};

/* 0: there is no such guard. */
static uint32_t guard_of(const struct pgs_word *word)
{
    for (size_t i = 0; i < COUNT(guard_names); i++)
        if (pgs_word_is(word, guard_names[i].name))
            return guard_names[i].guard;
    return 0;
}

/* The guards of a list of names; 0: one of them is none, or there are no names. */
static uint32_t guards_of_names(const char *list)
{
    uint32_t guards = 0;
    struct pgs_word word;
    while (pgs_word_next(&list, &word)) {
        const uint32_t guard = guard_of(&word);
        if (!guard)
            return 0;
        guards |= guard;
    }
    return guards;
}

bool pgs_guards_read(struct pgs_class_settings *settings, const char *text)
{
    const bool by_driver = strcasecmp(text, "auto") == 0, none = strcasecmp(text, "none") == 0;
    uint32_t guards = 0;
    if (!by_driver && !none) {
        guards = strcasecmp(text, "all") == 0 ? PGS_GUARDS_ALL : guards_of_names(text);
        if (!guards)
            return false;
    }
    settings->chooses_guards = !by_driver;
    settings->guards = guards;
    return true;
}

static uint32_t guards_of(const VkPhysicalDeviceProperties *properties, VkDriverId driver)
{
    uint32_t found = 0;
    for (size_t i = 0; i < COUNT(guarded); i++) {
        const struct guarded *row = &guarded[i];
        const bool same = row->vendor == properties->vendorID &&
                          properties->deviceID >= row->first_device &&
                          (!driver || row->driver == driver);
        if (same && properties->driverVersion >= row->first_version &&
            properties->driverVersion <= row->last_version)
            found |= row->guards;
    }
    return found;
}

/* lavapipe makes of each component of a load a loop over the invocations of a vector, in which the
 * CPU loads one of them. x86 and 64-bit Arm load from any address. 100000 triangles that are inline
 * took lavapipe 22.3 1.84 to 2.01 times the native time in pairs, and 2.22 to 2.56 word by word. */
static bool pairs_words(enum pgs_device_kind kind, const VkPhysicalDeviceProperties *properties)
{
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    const bool takes_any_address = true;
#else
    const bool takes_any_address = false;
#endif
    return takes_any_address && kind == PGS_DEVICE_CPU &&
           properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* lavapipe 25 takes as long for either or less for addresses. A vector of four words took 22.3 12.5
 * ns to load at an address and 17 to store, and 4 to 6 and 6 to 7 in a storage buffer; 100000
 * triangles whose vertices are stored take 0.84 to 0.89 of the time with addresses. */
static bool binds_words(const struct pgs_device_class *made,
                        const VkPhysicalDeviceProperties *properties, VkDriverId driver)
{
    return made->pairs_words && driver == VK_DRIVER_ID_MESA_LLVMPIPE &&
           properties->apiVersion <= LAVAPIPE_22_API;
}

struct pgs_device_class pgs_device_class_of(const VkPhysicalDeviceProperties *properties,
                                            VkDriverId driver,
                                            const struct pgs_class_settings *settings)
{
    const enum pgs_device_kind kind =
        settings->kind != PGS_DEVICE_ANY ? settings->kind : kind_of(properties, driver);
    struct pgs_device_class made = classes[kind].traits;
    made.kind = kind;
    const bool integrated = properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    made.shares_memory |= integrated;
    made.pairs_words = pairs_words(kind, properties);
    made.binds_words = binds_words(&made, properties, driver);
    if (made.binds_words)
        made.costs.of[PGS_COST_CUT_INVOCATIONS] = LAVAPIPE_22_CUT;
    made.costs = costs_of(&made.costs, integrated, &settings->costs);
    made.guards = settings->chooses_guards ? settings->guards : guards_of(properties, driver);
    if (settings->split != PGS_SPLIT_AUTO)
        made.keeps_passes = settings->split == PGS_SPLIT_NEVER;
    if (settings->layout != PGS_LAYOUT_AUTO)
        made.splits_vertices = settings->layout == PGS_LAYOUT_SPLIT;
    if (settings->slots != PGS_SLOTS_AUTO)
        made.packs_vertices = settings->slots == PGS_SLOTS_PACKED;
    if (settings->fetch != PGS_FETCH_AUTO)
        made.fetches_vertices = settings->fetch == PGS_FETCH_ATTRIBUTES;
    if (settings->arguments != PGS_ARGUMENTS_AUTO)
        made.draws_directly = settings->arguments == PGS_ARGUMENTS_DIRECT;
    made.draws_in_order &= settings->arguments != PGS_ARGUMENTS_BUFFER;
    if (settings->strips != PGS_STRIPS_AUTO)
        made.lists_primitives = settings->strips == PGS_STRIPS_LISTS;
    if (settings->index_range_KiB)
        made.index_range_B =
            settings->index_range_KiB == PGS_RANGES_WIDE ? 0 : settings->index_range_KiB << 10;
    if (settings->heap_MiB)
        made.heap_B = settings->heap_MiB == PGS_HEAP_ANY ? 0 : (uint64_t)settings->heap_MiB << 20;
    return made;
}

const char *pgs_device_kind_name(enum pgs_device_kind kind)
{
    return classes[kind].name;
}

/* Behind the text that is there. */
static void describe_guards(uint32_t guards, char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < COUNT(guard_names) && length < PGS_DEVICE_CLASS_TEXT_B; i++)
        if (guards & guard_names[i].guard)
            length += (size_t)snprintf(text + length, PGS_DEVICE_CLASS_TEXT_B - length, ", %s",
                                       guard_names[i].said);
}

void pgs_device_class_describe(const struct pgs_device_class *of, char *text)
{
    char inlined[48] = "any number of", range[64] = "any size", some[160] = "", heap[64] = "";
    const uint32_t *costs = of->costs.of;
    if (costs[PGS_COST_INLINE_INVOCATIONS])
        snprintf(inlined, sizeof(inlined), "at most %u", costs[PGS_COST_INLINE_INVOCATIONS]);
    if (of->index_range_B)
        snprintf(range, sizeof(range), "at most %u KiB", of->index_range_B >> 10);
    if (of->heap_B && !of->keeps_passes)
        snprintf(heap, sizeof(heap), ", rounds of draws beyond %u MiB",
                 (unsigned)(of->heap_B >> 20));
    if (costs[PGS_COST_PASS_EMITS])
        snprintf(some, sizeof(some),
                 " (%u vertices of a pass if the number of emits varies, %u if shaders loop or "
                 "read images, %u if both)",
                 costs[PGS_COST_PASS_EMITS], costs[PGS_COST_PASS_STEPS], costs[PGS_COST_PASS_BOTH]);
    snprintf(
        text, PGS_DEVICE_CLASS_TEXT_B,
        "class=%s: inline draws of %s GS invocations%s, passes %s split, index ranges of %s, "
        "%s memory%s%s%s%s%s%s%s%s%s%s",
        pgs_device_kind_name(of->kind), inlined, some, of->keeps_passes ? "are never" : "may be",
        range, of->shares_memory ? "little" : "much", heap,
        of->splits_vertices ? ", positions apart" : "",
        of->packs_vertices ? ", vertices without gaps" : "",
        of->fetches_vertices ? ", vertices as attributes" : "",
        of->lists_primitives ? ", lists for strips" : "", of->pairs_words ? ", words in pairs" : "",
        of->joins_loads ? ", loads joined" : "", of->binds_words ? ", words by descriptors" : "",
        of->draws_directly ? ", direct draws" : "",
        of->draws_in_order ? ", vertices in order without indices" : "");
    describe_guards(of->guards, text);
}
