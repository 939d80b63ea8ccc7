/* SPDX-License-Identifier: MIT
 *
 * The objects that every Vulkan-facing room shares. Their life belongs to entry/; the lower rooms
 * hang their own contexts on the forward-declared pointers and nobody else looks inside those.
 */
#ifndef PGS_VULKAN_DEVICE_H
#define PGS_VULKAN_DEVICE_H

#include "vulkan/stages.h"

#include "vulkan/dispatch.h" /* generated: struct pgs_instance_dispatch, struct pgs_device_dispatch */

#include <stdbool.h>

struct pgs_heap;          /* memory/: scratch heap */
struct pgs_buffer_table;  /* memory/: application buffers by handle */
struct pgs_pipeline_room; /* pipeline/: shader modules, layouts, pipelines, kernels */
struct pgs_query_room;    /* draw/: query pools that we count, wholly or in part */
struct pgs_command_room;  /* command/: pools and command buffers */

/* Ways to draw. What a way cannot do goes by compute. */
enum pgs_plan {
    PGS_PLAN_AUTO = 0,
    PGS_PLAN_COMPUTE, /* stages as compute, whose vertices are stored */
    PGS_PLAN_VERTEX,  /* the last stage inside of the raster vertex shader, nothing is stored */
};

/* How primitives of a geometry shader come to their layer. */
enum pgs_layers {
    PGS_LAYERS_AUTO = 0, /* from the raster vertex shader, where the driver can; else by replay */
    PGS_LAYERS_REPLAY,   /* the pass is recorded once for each layer */
};

/* Does the compute geometry shader run the vertex shader, too? */
enum pgs_fuse {
    PGS_FUSE_AUTO = 0, /* where that costs no more */
    PGS_FUSE_ALWAYS,   /* wherever it can */
    PGS_FUSE_NEVER,
};

/* How do shaders see their descriptors in the stage where the layer runs them? */
enum pgs_descriptors {
    PGS_DESCRIPTORS_AUTO = 0, /* by the driver's limits */
    PGS_DESCRIPTORS_WIDEN,    /* the application's set layouts show them to that stage, too */
    PGS_DESCRIPTORS_MIRROR,   /* in sets of the layer's own, which are copies */
};

/* When are the driver's pipelines behind an application's pipeline made? */
enum pgs_compile {
    PGS_COMPILE_LAZY = 0, /* when a draw first wants them; at creation what a usual draw wants */
    PGS_COMPILE_ALL,      /* all at creation */
};

/* Read once per instance (environment, settings file, VK_EXT_layer_settings); immutable afterwards.
 */
struct pgs_settings {
    bool force_geometry;     /* hide the driver's own geometryShader and emulate it */
    bool force_feedback;     /* the same with VK_EXT_transform_feedback and its queries */
    bool force_tessellation; /* the same with tessellationShader */
    bool feedback;           /* may be emulated at all; on unless switched off */
    bool tessellation; /* may be reported where the layer is at work; on unless switched off */
    enum pgs_plan plan;
    enum pgs_layers layers;
    enum pgs_fuse fuse;
    enum pgs_descriptors descriptors;
    enum pgs_compile compile;
    uint32_t pool_MiB; /* of the first pools for draws whose size only the GPU knows */
    char *dump_dir;    /* owned; NULL = no dump */
    int log_level;     /* enum pgs_log_level */
};

struct pgs_instance {
    VkInstance handle;
    uint32_t api_version; /* what the application asked for, 1.0 if it did not */
    struct pgs_instance_dispatch vk;
    struct pgs_settings settings;
    PFN_GetPhysicalDeviceProcAddr next_gpdpa;
};

struct pgs_physical_device {
    VkPhysicalDevice handle;
    struct pgs_instance *instance;
    uint32_t api_version; /* min(application, device) */
    bool native_geometry; /* geometryShader is the driver's: its devices may have it enabled, and
                             the stage bit is theirs. The negation of emulates_geometry where
                             geometryShader is reported at all */
    bool native_tessellation; /* the same with tessellationShader: the negation of
                                 emulates_tessellation where it is reported at all */
    bool emulates;            /* one of the following three */
    bool emulates_geometry;   /* we report geometryShader: needs met and (not native, or force) */
    bool emulates_feedback;   /* we report VK_EXT_transform_feedback and its queries: needs met and
                                 (the driver lacks it, or force, or another one is emulated, since
                                 the captures of emulated draws are ours). The driver's devices never
                                 have it enabled then */
    bool emulates_tessellation; /* we report tessellationShader, and no device of the driver has it
                                   enabled: needs met and (force, or the driver lacks it and one of
                                   the others is emulated). Where it is the driver's, pipelines
                                   with it are ours for geometry shaders and captures alone */
    bool has_shader_output_layer, has_shader_output_viewport_index;
    bool replays_layers; /* emulated draws reach their layers by enum pgs_layers' REPLAY */
    VkPhysicalDeviceProperties properties; /* the driver's, unpatched */
    VkPhysicalDeviceFeatures features;     /* the driver's, unpatched */
    VkPhysicalDeviceMemoryProperties memory;
};

struct pgs_device {
    VkDevice handle;
    struct pgs_physical_device *physical;
    struct pgs_device_dispatch vk;
    bool active;       /* false: every hook forwards */
    bool geometry;     /* active, and the application may use geometryShader, which is ours */
    bool tessellation; /* the same with tessellationShader */
    bool feedback;     /* active, and the application may capture or count, which is ours: transform
                          feedback, queries of it and of generated primitives, pipeline statistics */
    uint32_t emulated_extensions; /* enabled by the application: enum pgs_emulated */
    struct pgs_native_stages native;
    bool robust_buffer_access, robust_buffer_access2,
        null_descriptor; /* enabled by the application */
    bool sync2;          /* synchronization2 is enabled */
    PFN_vkSetDeviceLoaderData set_loader_data;
    /* What the largest pools would have needed, and what all hold; see draw/pool.h */
    _Atomic uint32_t pool_units, large_pool_units;
    _Atomic uint64_t pools_held_B;
    struct pgs_heap *heap;
    struct pgs_buffer_table *buffers;
    struct pgs_pipeline_room *pipelines;
    struct pgs_query_room *queries; /* NULL without feedback */
    struct pgs_command_room *commands;
};

/* By dispatchable handle (device, queue, command buffer all carry the device's dispatch key). Never
 * NULL for live handles: the loader calls us only with devices that we created. Thread-safe,
 * lock-free on the hot path. */
struct pgs_device *pgs_device_from_handle(const void *dispatchable);
struct pgs_instance *pgs_instance_from_handle(const void *dispatchable);
struct pgs_physical_device *pgs_physical_device_from_handle(VkPhysicalDevice handle);

/* Makes objects known to these lookups, by the `handle` member; called by entry/ only. VK_SUCCESS
 * or VK_ERROR_OUT_OF_HOST_MEMORY. The object must stay where it is until it is removed. */
VkResult pgs_registry_add_instance(struct pgs_instance *instance);
VkResult pgs_registry_add_physical_device(struct pgs_physical_device *physical);
VkResult pgs_registry_add_device(struct pgs_device *dev);

/* Before the handle goes down to be destroyed, since another thread may then get the same one.
 * Unknown objects are ignored. */
void pgs_registry_remove_instance(const struct pgs_instance *instance);
void pgs_registry_remove_physical_device(const struct pgs_physical_device *physical);
void pgs_registry_remove_device(const struct pgs_device *dev);

#endif
