/* SPDX-License-Identifier: MIT
 *
 * What a user may choose. entry/ reads it, and all modules that know Vulkan look into it.
 */
#ifndef PGS_VULKAN_SETTINGS_H
#define PGS_VULKAN_SETTINGS_H

#include "vulkan/device_class.h"

#include <stdbool.h>
#include <stdint.h>

/* How draws are done. A draw that the setting cannot do falls back to compute. */
enum pgs_plan {
    PGS_PLAN_AUTO = 0,
    PGS_PLAN_COMPUTE, /* shaders run in compute and store vertices */
    PGS_PLAN_VERTEX,  /* the raster vertex shader runs the last stage; nothing is stored */
    PGS_PLAN_STORED,  /* as AUTO, but short geometry shaders run in compute, too, if they can */
};

/* How emulated primitives choose their framebuffer layer. */
enum pgs_layers {
    PGS_LAYERS_AUTO = 0, /* by the raster vertex shader if the driver allows it, else by replay */
    PGS_LAYERS_REPLAY,   /* the pass is recorded once for each framebuffer layer */
};

/* How emulated primitives choose their viewport. */
enum pgs_viewport_choice {
    PGS_VIEWPORTS_AUTO =
        0,                /* by the raster vertex shader if the driver allows it, else by replay */
    PGS_VIEWPORTS_REPLAY, /* draws are repeated for the parts of the framebuffer */
    PGS_VIEWPORTS_ONE,    /* likewise, and the driver's devices do not enable multiViewport */
};

/* Who brings what the driver may lack. */
enum pgs_bring {
    PGS_BRING_AUTO = 0, /* the layer where it is at work and the driver cannot */
    PGS_BRING_EMULATE,  /* the layer wherever it is at work */
};

/* Who counts pipeline statistics. */
enum pgs_statistics {
    PGS_STATISTICS_DRIVER = 0, /* drivers that can, with the layer's help */
    PGS_STATISTICS_BRING,      /* the layer, where the driver cannot */
    PGS_STATISTICS_EMULATE,    /* the layer alone, wherever it captures */
};

/* Whether one compute shader runs both vertex and geometry shader. */
enum pgs_fuse {
    PGS_FUSE_AUTO = 0, /* where it costs no more */
    PGS_FUSE_ALWAYS,   /* where it is possible */
    PGS_FUSE_NEVER,
};

/* Whether primitives outside of the clip volume are left out in front of the rasterizer. */
enum pgs_cull {
    PGS_CULL_AUTO = 0, /* where that was measured to pay */
    PGS_CULL_ALWAYS,   /* wherever nobody can tell */
    PGS_CULL_NEVER,
};

/* How shaders see their descriptors in the stage in which the layer runs them. */
enum pgs_descriptors {
    PGS_DESCRIPTORS_AUTO = 0, /* by the driver's limits */
    PGS_DESCRIPTORS_WIDEN,    /* the application's set layouts show them to that stage, too */
    PGS_DESCRIPTORS_MIRROR,   /* the layer has sets of its own, which are copies */
};

/* When the driver's pipelines behind an application's pipeline are compiled. */
enum pgs_compile {
    PGS_COMPILE_LAZY =
        0, /* when a draw first wants them, except the usual ones, which creation compiles */
    PGS_COMPILE_ALL, /* all at creation */
};

/* Read once per instance (environment, settings file, VK_EXT_layer_settings); immutable afterwards.
 */
struct pgs_settings {
    bool force_geometry;     /* hide the driver's own geometryShader and emulate it */
    bool force_xfb;          /* likewise VK_EXT_transform_feedback and its queries */
    bool force_tessellation; /* likewise tessellationShader */
    bool xfb;                /* allow emulation; on by default */
    bool tessellation;       /* allow emulation where the layer is at work; on by default */
    /* Features of drivers that are taken as missing, and those that are left to the driver,
     * whatever it says: bits of enum pgs_feature. */
    uint32_t missing_features, present_features;
    enum pgs_plan plan;
    enum pgs_layers layers;
    enum pgs_viewport_choice viewports;
    enum pgs_bring fill;                    /* fillModeNonSolid */
    enum pgs_bring clip;                    /* shaderClipDistance, shaderCullDistance */
    enum pgs_bring lines, points;           /* wideLines, largePoints */
    enum pgs_bring stores;                  /* vertexPipelineStoresAndAtomics */
    enum pgs_bring draws, divisors, pushes; /* see entry/brought.h */
    enum pgs_bring depth_clip;              /* likewise VK_EXT_depth_clip_enable */
    enum pgs_bring line_modes;              /* likewise VK_EXT_line_rasterization */
    enum pgs_statistics statistics;         /* pipelineStatisticsQuery */
    enum pgs_fuse fuse;
    enum pgs_cull cull;
    enum pgs_descriptors descriptors;
    enum pgs_compile compile;
    struct pgs_class_settings device_class;
    uint32_t threads;        /* that compile ahead, at most PGS_WORKERS_MAX; 0 = none */
    bool limits_threads;     /* unless the class does: nobody asked for a number */
    uint32_t pool_MiB;       /* size of the first pools for draws whose size only the GPU knows */
    bool scales_pools;       /* less where memory_limit_B is low: nobody asked for a size */
    uint32_t memory_MiB;     /* most that the layer takes where it can do with less; 0 = auto */
    char *dump_dir;          /* owned; NULL = no dump */
    char *shown_extensions;  /* owned; names that are visible, too; NULL = none */
    char *hidden_extensions; /* owned; names that are not visible; NULL = none */
    char *cache_dir;         /* owned; folder of translated shaders; NULL = none are kept */
    int log_level;           /* enum pgs_log_level */
};

#endif
