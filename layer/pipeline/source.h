/* SPDX-License-Identifier: MIT
 *
 * What the variants of a pipeline are made from. It outlives vkCreateGraphicsPipelines, and maybe
 * the application's shader modules. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_SOURCE_H
#define PGS_PIPELINE_SOURCE_H

#include "pipeline/ahead_task.h"
#include "pipeline/depth_clip.h"
#include "pipeline/kept_info.h"
#include "pipeline/pipeline.h"
#include "pipeline/raster_front.h"
#include "pipeline/robustness.h"
#include "pipeline/shader.h"
#include "spirv/spirv.h"

struct pgs_raster_link;

struct pgs_pipeline_source {
    struct pgs_device *dev;
    struct pgs_emulated_pipeline *pipeline; /* the facts */
    uint32_t dump_serial;
    /* References; NULL: the stage is missing, or not needed. gs may be a pass-through one. */
    struct pgs_shader *vs, *tcs, *tes, *gs, *fs;
    struct pgs_spv_vertex_info vertex_info;
    const struct pgs_spv_geometry_info *geometry_info; /* of gs; NULL: not known */
    const struct pgs_spv_control_info *control_info;   /* of tcs; NULL: not known */
    const struct pgs_spv_xfb *vertex_xfb;              /* of vs, if that is the last stage */
    bool evaluation_has_effects;
    bool tessellation_reads_view; /* either stage reads gl_ViewIndex */
    /* What the application's create info says, per stage; zero for shaders of the layer. */
    struct pgs_source_robustness {
        struct pgs_robustness vs, tcs, tes, gs;
        bool is_set; /* it says something */
    } robustness;

    /* How stored and inline vertices are rasterized. */
    uint32_t primitive_id_location; /* of the fragment shader's input; UINT32_MAX: none */
    bool takes_layer;               /* the fragment shader, as an input at layer_location */
    uint32_t layer_location;
    bool takes_viewport; /* likewise */
    uint32_t viewport_location;
    bool takes_front; /* likewise gl_FrontFacing, of polygons */
    uint32_t front_location;
    bool takes_point_coord; /* likewise gl_PointCoord, of large points */
    uint32_t point_coord_location;
    bool flattens;                    /* all inputs of the fragment shader are flat, but that */
    uint32_t stipple_location;        /* of lines whose stipple the layer draws */
    struct pgs_depth_clip depth_clip; /* a fact: it depends on modules that may be gone later */
    struct pgs_spv_depth_planes depth_planes;
    struct pgs_spv_distances distances;    /* on drivers without */
    uint32_t sample_count;                 /* likewise, or of such lines: of a pixel */
    uint64_t flat_mask[4], linear_mask[4]; /* as struct pgs_spv_fragment_info */
    bool widens;                           /* made for lines that are wider than the driver's */
    bool rewrites_fragment; /* the driver does not get the application's fragment shader */

    /* References to the driver's modules of raster variants (raster_module.h); NULL: not wanted. */
    struct pgs_shared *vertex_modules[PGS_VARIANT_COUNT], *fragment_module;
    /* References to the libraries that raster variants were linked of (raster_link.h). */
    struct pgs_raster_front *fronts[PGS_VARIANT_COUNT];
    struct pgs_raster_behind *behind[2]; /* likewise, of all of them; NULL: the application's */

    /* The arguments of vkCreateGraphicsPipelines, valid while it runs; the cache until `ahead` is
     * done. */
    const VkGraphicsPipelineCreateInfo *info;
    const struct pgs_raster_link *link; /* likewise; NULL: raster pipelines are made as a whole */
    bool falls_back;                    /* likewise, see struct pgs_create_call */
    /* Likewise: it must compile nothing, and draws wait for nothing that threads compile instead.
     */
    bool draws_at_once;
    bool is_generic; /* its compute variants draw with any vertex input (generic.h) */
    VkPipelineCache cache;
    VkPipelineCreateFlags flags;            /* for compute variants */
    const VkAllocationCallbacks *allocator; /* for the application's handle */

    struct pgs_ahead ahead;
    struct pgs_stored_ahead stored_ahead, listing_ahead, sift_ahead, pick_ahead, bound_ahead;
    struct pgs_front_ahead front_ahead;
    /* A reference to the library that still compiles generic variants which the pipeline wants
     * (generic.h); NULL: there is none. It changes under front_lock of the device. */
    _Atomic(struct pgs_library_part *) awaited;

    struct pgs_kept_info *kept; /* after creation; NULL: all raster variants are made */
};

/* The robustness of a shader of the driver that runs some of the stages; a pass-through geometry
 * shader has none of its own. */
struct pgs_robustness pgs_source_robustness(const struct pgs_pipeline_source *source, bool vs,
                                            bool tcs, bool tes, bool gs);

/* True if several threads may compile it at once, as far as its allocator and its cache go: an
 * allocator may be called in the calling thread only, and some caches may be used by one thread
 * only. */
bool pgs_pipeline_source_is_shareable(const struct pgs_pipeline_source *source);

/* Frees the source and what it owns. source may be NULL. */
void pgs_pipeline_source_free(struct pgs_pipeline_source *source);

#endif
