/* SPDX-License-Identifier: MIT
 *
 * Shader objects (VK_EXT_shader_object), and what is made from them.
 */
#ifndef PGS_PIPELINE_OBJECT_TYPES_H
#define PGS_PIPELINE_OBJECT_TYPES_H

#include "base/map.h"

#include <pthread.h>
#include <stdbool.h>
#include <vulkan/vulkan.h>

#ifdef VK_EXT_shader_object
typedef VkShaderEXT pgs_shader_handle;
#else
typedef VkPipeline pgs_shader_handle; /* there are none */
#endif

/* Constant after creation. */
struct pgs_shader_object {
    pgs_shader_handle handle;
    VkShaderStageFlagBits stage;
    bool native; /* the driver can run it where all other bound objects are native, too */
    /* For pipelines that stand in for it: */
    VkShaderModule module;
    VkPipelineLayout layout;
    VkPipelineShaderStageCreateFlags flags;
    uint32_t subgroup_size_el; /* 0: any */
    bool shading_rate;         /* an attachment may say it */
    bool density_map;          /* likewise */
    bool buffered;             /* its sets are in descriptor buffers */
    bool independent;          /* `layout` may lack sets that only other stages have */
    const char *name;          /* of the entry point */
    VkSpecializationInfo constants;
    bool specialized; /* `constants` were given */
};

#define PGS_OBJECT_STAGES 5
#define PGS_OBJECT_MAX_COLORS 8

/* What a pipeline must know of the pass. */
struct pgs_object_target {
    uint32_t view_mask, color_count;
    VkFormat colors[PGS_OBJECT_MAX_COLORS], depth, stencil;
    /* VK_KHR_dynamic_rendering_local_read: what is mapped, of which `maps` says what is given. */
    uint32_t maps; /* enum pgs_object_map */
    uint32_t locations[PGS_OBJECT_MAX_COLORS], indices[PGS_OBJECT_MAX_COLORS];
    uint32_t depth_index, stencil_index;
};

/* Which members of a target are given. */
enum pgs_object_map {
    PGS_MAP_LOCATIONS = 1 << 0,
    PGS_MAP_INDICES = 1 << 1,
    PGS_MAP_DEPTH_INDEX = 1 << 2,
    PGS_MAP_STENCIL_INDEX = 1 << 3,
};

/* All that a pipeline is made from. Zeroed before it is filled, since it is compared as bytes. */
struct pgs_object_key {
    const struct pgs_shader_object *stages[PGS_OBJECT_STAGES]; /* by number of the stage's bit;
                                                                  NULL: none */
    struct pgs_object_target target;
    VkPrimitiveTopology topology; /* stands for its class */
    uint32_t stream;              /* that a geometry shader rasterizes; 0 without one */
};

struct pgs_object_pipelines {
    pthread_mutex_t lock;
    struct pgs_table by_hash; /* lists of struct pgs_object_pipeline */
};

#endif
