/* SPDX-License-Identifier: MIT
 *
 * The objects that all modules which know Vulkan share. entry/ creates and destroys them. Lower
 * modules attach their own contexts to the forward-declared pointers, which only they look into.
 */
#ifndef PGS_VULKAN_DEVICE_H
#define PGS_VULKAN_DEVICE_H

#include "vulkan/destroyed.h"
#include "vulkan/device_class.h"
#include "vulkan/feature.h"
#include "vulkan/learned.h"
#include "vulkan/settings.h"
#include "vulkan/stages.h"

#include "vulkan/dispatch.h" /* generated: struct pgs_instance_dispatch, struct pgs_device_dispatch */

#include <stdbool.h>

struct pgs_heap;            /* memory/: scratch heap */
struct pgs_buffer_table;    /* memory/: application buffers by handle */
struct pgs_pipeline_device; /* pipeline/: shader modules, layouts, pipelines, kernels */
struct pgs_query_device;    /* draw/: query pools with values that the layer counts */
struct pgs_command_device;  /* command/: pools and command buffers */

struct pgs_instance {
    VkInstance handle;
    uint32_t api_version; /* the driver's: what the application asked for, or raised to 1.2 */
    struct pgs_instance_dispatch vk;
    struct pgs_settings settings;
    PFN_GetPhysicalDeviceProcAddr next_gpdpa;
};

/* Who brings bufferDeviceAddress. They exclude each other. */
enum pgs_address {
    PGS_ADDRESS_NONE,
    PGS_ADDRESS_CORE,
    PGS_ADDRESS_KHR,
    PGS_ADDRESS_EXT, /* only where there is none of the others: memory needs no flag for it */
};

struct pgs_physical_device {
    VkPhysicalDevice handle;
    struct pgs_instance *instance;
    uint32_t api_version; /* min(instance, device) */
    bool native_geometry; /* geometryShader is the driver's, so its devices may enable it and the
                             stage bit. The negation of emulates_geometry where geometryShader is
                             reported at all */
    bool native_tessellation; /* likewise tessellationShader: not emulates_tessellation */
    uint32_t lacks;           /* features that the driver lacks, or is taken to lack: bits of enum
                                 pgs_feature */
    uint32_t gaps;          /* those of PGS_REMEDY_PIPELINES that the layer reports: it emulates the
                               pipelines that use them, though others like them are the driver's */
    bool emulates;          /* true if there are gaps, or one of the next three is */
    bool emulates_geometry; /* the layer reports geometryShader: its needs are met, and the driver
                               lacks it or force is set */
    bool emulates_xfb; /* the layer reports VK_EXT_transform_feedback and its queries: its needs are
                          met, and the driver lacks a part, or force is set, or another feature is
                          emulated, since the layer has to capture emulated draws. The driver's
                          devices then never enable it */
    bool emulates_tessellation; /* the layer reports tessellationShader, and no device of the driver
                                   enables it: its needs are met, and force is set, or the driver
                                   lacks it and another feature is emulated. If tessellation is the
                                   driver's, the layer runs such pipelines only for geometry shaders
                                   and captures */
    struct pgs_device_class traits;
    enum pgs_address address; /* what devices of the layer enable */
    bool has_memory_budget;   /* VK_EXT_memory_budget */
    bool has_shader_output_layer, has_shader_output_viewport_index;
    bool has_timeline_semaphores, has_timestamps; /* core version; one family draws, and has them */
    bool fits_shader_objects;  /* VK_EXT_shader_object is reported, if the driver has it */
    bool fits_narrow_varyings; /* and so is storageInputOutput16 */
    bool has_absent_ones;      /* inputs without an attribute read (0, 0, 0, 1) of the driver */
    bool any_topology;         /* dynamicPrimitiveTopologyUnrestricted */
    bool draws_points_beside;  /* POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY */
    bool replays_layers;    /* emulated draws choose their framebuffer layer by PGS_LAYERS_REPLAY */
    bool replays_viewports; /* likewise their viewport, by PGS_VIEWPORTS_REPLAY */
    bool one_viewport;      /* with replays_viewports: the driver's devices have no multiViewport */
    bool emulates_fill; /* the layer reports fillModeNonSolid, and no device of the driver enables
                           it; only with pgs_replaces_geometry */
    bool emulates_lines, emulates_points; /* likewise wideLines, largePoints */
    bool emulates_clip;                   /* likewise shaderClipDistance and shaderCullDistance */
    bool emulates_stores;                 /* likewise vertexPipelineStoresAndAtomics */
    bool emulates_layer_output, emulates_viewport_output; /* also where the driver has them */
    bool emulates_views; /* likewise multiviewGeometryShader, with geometry shaders of the driver */
    bool splits_draws;   /* likewise multiDrawIndirect */
    bool counts_draws;   /* likewise drawIndirectCount, or VK_KHR_draw_indirect_count */
    bool lacks_first_instance; /* likewise drawIndirectFirstInstance */
    bool lacks_divisors;       /* likewise vertexAttributeInstanceRateDivisor */
    bool keeps_pushes;         /* likewise VK_KHR_push_descriptor */
    bool lacks_zero_divisor;   /* likewise vertexAttributeInstanceRateZeroDivisor */
    bool brings_depth_clip;    /* VK_EXT_depth_clip_enable, as emulates_fill: depth_clip.h */
    bool brings_line_modes;    /* likewise VK_EXT_line_rasterization: line_modes.h */
    bool counts_statistics;    /* the layer reports pipelineStatisticsQuery, and no device of the
                                  driver enables it: it alone counts; only with emulates_xfb */
    uint32_t brought; /* enum pgs_brought: extensions of which the driver then never hears */
    VkPhysicalDeviceProperties properties; /* the driver's, unpatched */
    VkPhysicalDeviceFeatures features;     /* the driver's, without what `lacks` says */
    VkPhysicalDeviceMemoryProperties memory;
};

/* True if devices enable multiDrawIndirect and repeated draws that read stored vertices are one
 * indirect command, which is cheaper to record. An H200 takes a microsecond more for each draw of
 * such a command: 64 small ones took 134 us instead of 68. On a CPU the time to record counts as
 * much as any other. */
static inline bool pgs_draws_at_once(const struct pgs_physical_device *physical)
{
    return physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
           physical->features.multiDrawIndirect && !physical->splits_draws;
}

/* True if devices can enable drawIndirectFirstInstance; it may still be reported where they cannot.
 */
static inline bool pgs_knows_first_instances(const struct pgs_physical_device *physical)
{
    return physical->features.drawIndirectFirstInstance && !physical->lacks_first_instance;
}

/* True if the device's shaders run on CPUs: each takes long to compile, compared to what it saves.
 */
static inline bool pgs_runs_on_cpu(const struct pgs_physical_device *physical)
{
    return physical->traits.kind == PGS_DEVICE_CPU ||
           physical->traits.kind == PGS_DEVICE_SWIFTSHADER;
}

/* Threads that compile ahead. */
static inline uint32_t pgs_compile_threads(const struct pgs_physical_device *physical)
{
    const struct pgs_settings *settings = &physical->instance->settings;
    const uint32_t most = physical->traits.compile_threads;
    return settings->limits_threads && most && most < settings->threads ? most : settings->threads;
}

/* Queues of the family that a device will have. */
static inline uint32_t pgs_queue_count_of(const VkDeviceCreateInfo *info, uint32_t family)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
        if (info->pQueueCreateInfos[i].queueFamilyIndex == family)
            count += info->pQueueCreateInfos[i].queueCount;
    return count;
}

/* True if threads compile what creation of a pipeline leaves to them. */
static inline bool pgs_compiles_ahead(const struct pgs_physical_device *physical)
{
    return pgs_compile_threads(physical) && physical->instance->settings.compile != PGS_COMPILE_ALL;
}

/* True if pipelines may be emulated for what is not a stage of theirs, whatever they draw to: their
 * geometry shaders are emulated anyway, or the raster vertex shader can choose the layer. */
static inline bool pgs_replaces_geometry(const struct pgs_physical_device *physical)
{
    return physical->emulates_geometry ||
           (physical->emulates && (physical->has_shader_output_layer || physical->replays_layers));
}

#define PGS_MAX_OBJECT_STATES 64

struct pgs_device {
    VkDevice handle;
    struct pgs_physical_device *physical;
    struct pgs_device_dispatch vk;
    bool active;             /* false: every hook only forwards */
    bool geometry;           /* active, and the application enabled the emulated geometryShader */
    bool tessellation, fill; /* likewise tessellationShader, fillModeNonSolid */
    bool clip;               /* likewise shaderClipDistance or shaderCullDistance */
    bool lines, points;      /* likewise wideLines, largePoints */
    bool stores;             /* likewise vertexPipelineStoresAndAtomics */
    bool layer_output, viewport_output; /* likewise shaderOutputLayer, shaderOutputViewportIndex */
    bool splits_draws; /* the physical device does, and the application enabled multiDrawIndirect or
                          drawIndirectCount */
    bool counts_draws; /* likewise, and the application enabled drawIndirectCount */
    bool first_instances; /* likewise, and the application enabled drawIndirectFirstInstance */
    bool divisors;        /* likewise divisors that the driver lacks */
    bool keeps_pushes;    /* likewise VK_KHR_push_descriptor: pushed descriptors are in sets */
    bool depth_clip;      /* likewise depthClipEnable, or its extension */
    bool line_modes;      /* likewise a way to draw lines, or the extension */
    /* Active, and the application can capture or count by emulation: transform feedback, its
     * queries and those of generated primitives, pipeline statistics. */
    bool xfb;
    uint32_t gaps; /* active, and of the physical device's: those that the application may use */
    uint32_t emulated_extensions; /* enabled by the application: enum pgs_emulated */
    uint32_t own_extensions;      /* enabled by the layer alone: bits of entry/own_extensions.h */
    struct pgs_native_stages native;
    bool robust_buffer_access, robust_buffer_access2, robust_image_access, robust_image_access2,
        null_descriptor; /* enabled by the application */
    /* The application enabled multiDrawIndirect or drawIndirectFirstInstance. */
    bool draws_indirectly;
    bool sync2, mesh_shaders; /* synchronization2, meshShader is enabled */
    bool int64;               /* shaderInt64 is enabled, by the application or by the layer */
    bool pointers;            /* the application enabled bufferDeviceAddress */
    bool stipples;            /* it enabled stippled lines of any kind */
    _Atomic bool late_sets;   /* a set layout has descriptors written until commands are executed */
    _Atomic bool pushed_sets; /* one was created for descriptors that the driver is pushed */
    struct pgs_destroyed destroyed;
    /* graphicsPipelineLibrary is enabled. Pipelines that are linked later need render passes that
     * the application may have destroyed, so these are created without its allocator. */
    bool pipeline_libraries;
    /* What is dynamic with shader objects, so that pipelines can stand in for them; no state:
     * shaderObject is not enabled. */
    uint32_t object_state_count;
    VkDynamicState object_states[PGS_MAX_OBJECT_STATES];
    PFN_vkSetDeviceLoaderData set_loader_data;
    /* What the largest pools needed, how many were read, and what all hold; see draw/pool.h */
    _Atomic uint32_t pool_units, large_pool_units, vital_pool_units, open_pool_units;
    _Atomic uint32_t large_pools_read, open_pools_read;
    _Atomic uint64_t pools_held_B; /* without commons */
    _Atomic uint32_t rounds_log2;  /* as many times the usual rounds are done; see draw/rounds.h */
    struct pgs_learned learned;    /* of pipelines */
    _Atomic bool rounds_needed;    /* a draw in rounds needed more than one */
    _Atomic bool bounds_unsure;    /* a draw was lost that the bound buffers said to be small */
    /* What inline draws of pipelines took more than stored ones, by number; see draw/tier.h */
    _Atomic uint32_t inline_ksteps[PGS_TIER_SLOTS];
    struct pgs_heap *heap;
    struct pgs_all_commons *commons;
    struct pgs_buffer_table *buffers;
    struct pgs_pipeline_device *pipelines;
    struct pgs_query_device *queries; /* NULL without feedback */
    struct pgs_slices *slices;        /* draw/: of large draws; NULL: no draw has any */
    struct pgs_strip_lists *strips;   /* draw/: index lists of inline draws */
    struct pgs_command_device *commands;
};

/* By dispatchable handle: device, queue and command buffer all carry the device's dispatch key.
 * Never NULL for live handles, since the loader passes only devices that the layer created.
 * Thread-safe, lock-free on the hot path. */
struct pgs_device *pgs_device_from_handle(const void *dispatchable);
struct pgs_instance *pgs_instance_from_handle(const void *dispatchable);
struct pgs_physical_device *pgs_physical_device_from_handle(VkPhysicalDevice handle);

/* Makes an object known to the lookups by its `handle` member. Only entry/ calls it. The object
 * must not move until it is removed. VK_SUCCESS or VK_ERROR_OUT_OF_HOST_MEMORY. */
VkResult pgs_registry_add_instance(struct pgs_instance *instance);
VkResult pgs_registry_add_physical_device(struct pgs_physical_device *physical);
VkResult pgs_registry_add_device(struct pgs_device *dev);

/* Call it before the driver destroys the handle, since another thread may then get the same one.
 * Ignores unknown objects. */
void pgs_registry_remove_instance(const struct pgs_instance *instance);
void pgs_registry_remove_physical_device(const struct pgs_physical_device *physical);
void pgs_registry_remove_device(const struct pgs_device *dev);

/* From now on calls this whenever the last device of the process has been removed, before another
 * one is added. It must not use the registry. */
void pgs_registry_when_no_device(void (*emptied)(void));

#endif
