/* SPDX-License-Identifier: MIT
 *
 * Push descriptor sets (VK_KHR_push_descriptor): what an application pushed, in a form that can be
 * kept, merged with later pushes, and pushed again.
 */
#ifndef PGS_PIPELINE_PUSHED_SET_H
#define PGS_PIPELINE_PUSHED_SET_H

#include "base/arena.h"
#include "base/array.h"
#include "vulkan/device.h"

/* Stands in tracked state for the handle of a set that was pushed. */
#define PGS_PUSHED_SET ((VkDescriptorSet)UINT64_MAX)

/* Descriptors of a set where the layer brings the extension: what the specification promises. */
#define PGS_MAX_PUSHED 32

struct pgs_pushed_descriptor {
    uint32_t binding, element;
    VkDescriptorType type;
    union {
        VkDescriptorImageInfo image;
        VkDescriptorBufferInfo buffer;
        VkBufferView view;
        VkAccelerationStructureKHR structure;
    } info; /* as the type says; the rest is zero */
};

/* The descriptors of a set. A pipeline layout has one such set at most, so a bind point needs no
 * second one. Zero-initialised: empty. */
struct pgs_pushed_set {
    PGS_ARRAY(struct pgs_pushed_descriptor) descriptors;
    uint32_t index; /* the number of the set */
};

void pgs_pushed_set_finish(struct pgs_pushed_set *set);

/* Replaces *list, which need not be ordered, by what vkCmdPushDescriptorSetKHR writes to a set of
 * `layout`. Writes that go on in the next binding do so there. Fails when out of host memory. */
VkResult pgs_pushed_set_read(const struct pgs_device *dev, VkPipelineLayout layout, uint32_t index,
                             uint32_t count, const VkWriteDescriptorSet *writes,
                             struct pgs_pushed_set *list);

/* Likewise for entries [count] of an update template, with its data. */
VkResult pgs_pushed_set_read_entries(const struct pgs_device *dev, VkPipelineLayout layout,
                                     uint32_t index, uint32_t count,
                                     const VkDescriptorUpdateTemplateEntry *entries,
                                     const void *data, struct pgs_pushed_set *list);

/* Writes what is listed to *set, which stays ordered by binding and element and keeps its other
 * descriptors. Fails when out of host memory: the set is then as it was. */
VkResult pgs_pushed_set_write(struct pgs_pushed_set *set, const struct pgs_pushed_set *list);

/* Replaces *to, which owns its storage. Fails when out of host memory. */
VkResult pgs_pushed_set_copy(struct pgs_pushed_set *to, const struct pgs_pushed_set *from);

/* A copy in the arena, which is not finished. NULL: out of memory. */
struct pgs_pushed_set *pgs_pushed_set_keep(struct pgs_arena *arena,
                                           const struct pgs_pushed_set *from);

/* Both may be NULL. */
bool pgs_pushed_sets_match(const struct pgs_pushed_set *a, const struct pgs_pushed_set *b);

/* Writes all descriptors by `update` to an ordinary set with the same bindings. */
void pgs_pushed_set_store(const struct pgs_pushed_set *set, PFN_vkUpdateDescriptorSets update,
                          VkDevice device, VkDescriptorSet to);

/* Pushes all descriptors. */
void pgs_pushed_set_record(const struct pgs_pushed_set *set, VkPipelineBindPoint point,
                           VkPipelineLayout layout, const struct pgs_device_dispatch *vk,
                           VkCommandBuffer cb);

#endif
