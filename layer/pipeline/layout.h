/* SPDX-License-Identifier: MIT
 *
 * The application's pipeline layouts, as pipeline creation uses them; bind_sets.h has what draws
 * use. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_LAYOUT_H
#define PGS_PIPELINE_LAYOUT_H

#include "pipeline/set_layout.h"

struct pgs_layout {
    VkPipelineLayout handle; /* the driver's; destroyed with this */
    _Atomic uint32_t refs;
    VkPipelineLayoutCreateFlags flags;
    uint32_t set_count;
    struct pgs_set_layout *sets[PGS_MAX_SETS]; /* references; NULL: unknown */
    VkDescriptorSetLayout set_handles[PGS_MAX_SETS];
    bool fragments_see; /* fragment shaders see some binding, for all that is known */
    bool one_group;     /* all compute shaders run as PGS_GROUP_ALL */
    _Atomic(VkPipelineLayout) of_group[PGS_GROUP_COUNT]; /* VK_NULL_HANDLE until first used */
    _Atomic(VkPipelineLayout) bound[PGS_GROUP_COUNT];    /* likewise, with the layer's own set */
    uint32_t push_B; /* where the last of the application's ranges ends */
    /* Vertex shaders get the push constants of geometry shaders, whose stage the driver lacks. */
    bool vertices_get_all;
    uint32_t range_count;
    VkPushConstantRange ranges[]; /* the application's, as the driver knows them */
};

/* NULL when the application's layout is not known. The reference is the caller's. Thread-safe. */
struct pgs_layout *pgs_layout_acquire(const struct pgs_device *dev, VkPipelineLayout handle);
void pgs_layout_release(struct pgs_device *dev, struct pgs_layout *layout);

static inline enum pgs_set_source pgs_layout_source(const struct pgs_layout *layout,
                                                    enum pgs_stage_group group, uint32_t index)
{
    const struct pgs_set_layout *set = layout->sets[index];
    return set ? set->sources[group] : PGS_SET_APPLICATION;
}

/* True if one shader stage of the driver may see all that the layout shows to the group. */
bool pgs_layout_group_fits(const struct pgs_device *dev, const struct pgs_layout *layout,
                           enum pgs_stage_group group);

/* True if pipelines of the group PGS_GROUP_RASTER need another layout than the application's. */
bool pgs_layout_needs_raster_group(const struct pgs_layout *layout);

/* What pipeline layouts of a stage group, except PGS_GROUP_RASTER, are made from. The driver's are
 * identically defined if these are equal, so a pipeline made for one can be used with another. */
struct pgs_layout_identity {
    const void *sets[PGS_MAX_SETS]; /* pgs_set_layout_content; the layout keeps them alive */
    uint32_t set_count, flags;
};

/* Fills a zeroed *identity, without padding. Thread-safe. */
void pgs_layout_identify(struct pgs_device *dev, const struct pgs_layout *layout,
                         struct pgs_layout_identity *identity);

/* Another reference, which is returned. Thread-safe. */
struct pgs_layout *pgs_layout_refer(struct pgs_layout *layout);

/* Makes the driver's layout of the group unless it exists. Errors: out of host or device memory.
 * Thread-safe. */
VkResult pgs_layout_prepare(struct pgs_device *dev, struct pgs_layout *layout,
                            enum pgs_stage_group group);

/* True if the group's layout may have a set of the layer's own behind those of the application
 * (poly_gs/bound.h), whose descriptors are pushed. */
bool pgs_layout_may_bind(const struct pgs_device *dev, const struct pgs_layout *layout,
                         enum pgs_stage_group group);

/* Makes that layout unless it exists, as pgs_layout_prepare does the group's. */
VkResult pgs_layout_prepare_bound(struct pgs_device *dev, struct pgs_layout *layout,
                                  enum pgs_stage_group group);

/* True if `layout` has every set and push constant range of `part`. */
bool pgs_layout_includes(const struct pgs_layout *layout, const struct pgs_layout *part);

/* Makes a layout with the sets and push constant ranges of all `parts`, which are compatible where
 * they have the same. Elements may be NULL. Destroy the handle with pgs_DestroyPipelineLayout.
 * VK_NULL_HANDLE on failure. Errors: those of vkCreatePipelineLayout. Thread-safe. */
VkResult pgs_layout_merge(struct pgs_device *dev, struct pgs_layout *const *parts, uint32_t count,
                          VkPipelineLayout *handle);

/* The stages of a push constant range that the driver has. May be 0. */
VkShaderStageFlags pgs_push_constant_stages(const struct pgs_device *dev,
                                            VkShaderStageFlags stages);

/* What vkCmdPushConstants with a layout is to use in place of the application's stages, as its
 * ranges have them. May be 0. Thread-safe. */
VkShaderStageFlags pgs_layout_push_stages(const struct pgs_device *dev, VkPipelineLayout layout,
                                          VkShaderStageFlags stages);

/* The layout of a set of a pipeline layout; NULL: unknown. Lives as long as the pipeline layout.
 * Thread-safe. */
const struct pgs_set_layout *pgs_layout_set(const struct pgs_device *dev, VkPipelineLayout layout,
                                            uint32_t index);

/* True if what was pushed to the set with layout `a` stays when `b` is pushed with: the layouts of
 * the set are identically defined. Thread-safe. */
bool pgs_layouts_share_set(const struct pgs_device *dev, VkPipelineLayout a, VkPipelineLayout b,
                           uint32_t index);

/* Number of dynamic offsets that a set of the layout takes in vkCmdBindDescriptorSets. Thread-safe.
 */
uint32_t pgs_layout_dynamic_count(const struct pgs_device *dev, VkPipelineLayout layout,
                                  uint32_t set);

#endif
