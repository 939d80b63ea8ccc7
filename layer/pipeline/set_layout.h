/* SPDX-License-Identifier: MIT
 *
 * The application's descriptor set layouts, and how the shaders of a stage group see their sets.
 * A mirror is a descriptor set of ours with those bindings of an application's set that a stage
 * group sees, made visible to the stage where that group runs. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_SET_LAYOUT_H
#define PGS_PIPELINE_SET_LAYOUT_H

#include "base/array.h"
#include "pipeline/descriptor_limits.h"
#include "pipeline/stage_group.h"

/* How the shaders of a stage group see a set. */
enum pgs_set_source {
    PGS_SET_NONE,        /* it has nothing for them */
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
    _Atomic uint32_t version; /* of the application's set when this one was last filled */
    struct pgs_mirror *next;  /* of those that are free */
};

/* One descriptor pool of ours, and what was allocated from it. */
struct pgs_mirror_block {
    VkDescriptorPool pool;
    struct pgs_mirror mirrors[];
};

/* Mirrors of the sets of one layout for one stage group. Guarded by the room's mirror_lock. */
struct pgs_mirror_pool {
    VkDescriptorSetLayout layout; /* VK_NULL_HANDLE: not wanted yet */
    struct pgs_mirror *free;
    PGS_ARRAY(struct pgs_mirror_block *) blocks;
};

/* Lives as long as the application's handle, its sets and the pipeline layouts made with it. */
struct pgs_set_layout {
    VkDescriptorSetLayout handle; /* the driver's; destroyed with this */
    _Atomic uint32_t refs;
    VkDescriptorSetLayoutCreateFlags flags;
    /* The driver's layout lets compute and vertex shaders see what moves there (see
     * pgs_set_layout_create): no group needs a mirror. */
    bool widened;
    enum pgs_set_source sources[PGS_GROUP_COUNT];
    bool mirrored;          /* some group needs a mirror */
    bool immediate;         /* some binding may be written while the set is in use */
    bool variable;          /* the last binding's count is variable */
    uint32_t dynamic_count; /* dynamic offsets */
    uint32_t binding_count;
    struct pgs_set_binding *bindings; /* [binding_count], by number */
    struct pgs_mirror_pool pools[PGS_GROUP_COUNT];
};

/* The stages that the driver knows. */
VkShaderStageFlags pgs_driver_stages(const struct pgs_device *dev, VkShaderStageFlags stages);

/* The stages whose shaders a group has. */
VkShaderStageFlags pgs_group_stages(enum pgs_stage_group group);

/* Does the group see the binding? */
bool pgs_group_sees(enum pgs_stage_group group, const struct pgs_set_binding *binding);

/* May the descriptors of the binding change while the set is bound? */
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

/* Adds what a stage sees that runs the group's shaders. */
void pgs_set_layout_count(const struct pgs_set_layout *layout, enum pgs_stage_group group,
                          struct pgs_descriptor_counts *counts);

/* The driver's set layout that the group's pipeline layouts have for such sets. It stays ours.
 * Thread-safe. */
VkResult pgs_set_layout_of_group(struct pgs_device *dev, struct pgs_set_layout *layout,
                                 enum pgs_stage_group group, VkDescriptorSetLayout *handle);
/* The same under mirror_lock, for a group that needs mirrors. */
VkResult pgs_set_layout_mirror_locked(struct pgs_device *dev, struct pgs_set_layout *layout,
                                      enum pgs_stage_group group);

void pgs_mirror_block_destroy(const struct pgs_device *dev, struct pgs_mirror_block *block);

/* Identically defined, so that sets of one fit where the other is wanted. */
bool pgs_set_layouts_match(const struct pgs_set_layout *a, const struct pgs_set_layout *b);

/* NULL: not known. The reference is the caller's. Thread-safe. */
struct pgs_set_layout *pgs_set_layout_acquire(const struct pgs_device *dev,
                                              VkDescriptorSetLayout handle);
void pgs_set_layout_release(struct pgs_device *dev, struct pgs_set_layout *layout);

#endif
