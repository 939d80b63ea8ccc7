/* SPDX-License-Identifier: MIT
 *
 * The application's descriptor set layouts, and how the shaders of a stage group see their sets. A
 * mirror is a descriptor set of the layer with the bindings of an application's set that a stage
 * group sees, visible to the stage in which the group runs. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_SET_LAYOUT_H
#define PGS_PIPELINE_SET_LAYOUT_H

#include "base/array.h"
#include "pipeline/descriptor_limits.h"
#include "pipeline/stage_group.h"

struct pgs_shared;

/* How the shaders of a stage group see a set. */
enum pgs_set_source {
    PGS_SET_NONE,        /* it has no bindings for them */
    PGS_SET_APPLICATION, /* as the application bound it */
    PGS_SET_MIRROR
};

struct pgs_set_binding {
    uint32_t binding, count; /* count: bytes of an inline uniform block */
    VkDescriptorType type;
    VkShaderStageFlags stages; /* the application's */
    VkDescriptorBindingFlags flags;
    const VkSampler *samplers;     /* immutable ones, [count]; NULL: none */
    const VkDescriptorType *types; /* [type_count], of a mutable descriptor */
    uint32_t type_count;
};

struct pgs_mirror {
    VkDescriptorSet set;
    _Atomic uint32_t version; /* of the application's set when the mirror was last filled */
    struct pgs_mirror *next;  /* in the list of free ones */
};

/* One of the layer's descriptor pools, and its sets. */
struct pgs_mirror_block {
    VkDescriptorPool pool;
    struct pgs_mirror mirrors[];
};

/* Mirrors of the sets of one layout for one stage group. Guarded by mirror_lock. */
struct pgs_mirror_pool {
    VkDescriptorSetLayout layout; /* VK_NULL_HANDLE until first used */
    struct pgs_mirror *free;
    PGS_ARRAY(struct pgs_mirror_block *) blocks;
};

/* Lives as long as the application's handle, its sets and the pipeline layouts that use it. */
struct pgs_set_layout {
    VkDescriptorSetLayout handle; /* the driver's; destroyed with this */
    _Atomic uint32_t refs;
    VkDescriptorSetLayoutCreateFlags flags;
    /* The driver's layout shows the bindings to compute and vertex shaders, too (see
     * pgs_set_layout_create), so no group needs a mirror. */
    bool widened;
    enum pgs_set_source sources[PGS_GROUP_COUNT];
    bool mirrored;          /* some group needs a mirror */
    bool immediate;         /* some binding may be written while the set is in use */
    bool variable;          /* the last binding's count is variable */
    uint32_t dynamic_count; /* dynamic offsets */
    uint32_t binding_count;
    struct pgs_set_binding *bindings; /* [binding_count], by number */
    const VkSampler *samplers;        /* immutable ones of all bindings, [sampler_count] */
    size_t sampler_count;
    struct pgs_mirror_pool pools[PGS_GROUP_COUNT];
    bool comparable; /* flags and bindings say all of it, and no handle that may be used again */
    _Atomic(struct pgs_shared *) content; /* see set_content.h; NULL: not wanted yet */
};

/* Removes the stages that the driver lacks. */
VkShaderStageFlags pgs_driver_stages(const struct pgs_device *dev, VkShaderStageFlags stages);

/* The stages whose shaders a group has. */
VkShaderStageFlags pgs_group_stages(enum pgs_stage_group group);

/* True if the group sees the binding. */
bool pgs_group_sees(enum pgs_stage_group group, const struct pgs_set_binding *binding);

/* True if the binding's descriptors may change while the set is bound. */
static inline bool pgs_binding_is_immediate(const struct pgs_set_binding *binding)
{
    return binding->flags & (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                             VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT);
}

static inline bool pgs_binding_is_dynamic(const struct pgs_set_binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* Adds what a stage sees when it runs the group's shaders. */
void pgs_set_layout_count(const struct pgs_set_layout *layout, enum pgs_stage_group group,
                          struct pgs_descriptor_counts *counts);

/* The driver's layout of a set without bindings, which belongs to the device. Errors: out of host
 * or device memory. Thread-safe. */
VkResult pgs_set_layout_empty(struct pgs_device *dev, VkDescriptorSetLayout *handle);

/* Likewise of the set of buffers that shaders of the layer are bound (poly_gs/bound.h). */
VkResult pgs_set_layout_bound(struct pgs_device *dev, VkDescriptorSetLayout *handle);

/* The driver's set layout for such sets in the group's pipeline layouts. The set layout owns it.
 * Thread-safe. */
VkResult pgs_set_layout_of_group(struct pgs_device *dev, struct pgs_set_layout *layout,
                                 enum pgs_stage_group group, VkDescriptorSetLayout *handle);
/* As pgs_set_layout_of_group, with mirror_lock held, for a group that needs mirrors. */
VkResult pgs_set_layout_mirror_locked(struct pgs_device *dev, struct pgs_set_layout *layout,
                                      enum pgs_stage_group group);

void pgs_mirror_block_destroy(const struct pgs_device *dev, struct pgs_mirror_block *block);

/* True if they are identically defined, so that their sets are compatible. */
bool pgs_set_layouts_match(const struct pgs_set_layout *a, const struct pgs_set_layout *b);

/* NULL: unknown. The caller owns the reference. Thread-safe. */
struct pgs_set_layout *pgs_set_layout_acquire(const struct pgs_device *dev,
                                              VkDescriptorSetLayout handle);
void pgs_set_layout_release(struct pgs_device *dev, struct pgs_set_layout *layout);

/* Another reference, which is returned. Thread-safe. */
struct pgs_set_layout *pgs_set_layout_refer(struct pgs_set_layout *layout);

#endif
