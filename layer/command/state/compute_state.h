/* SPDX-License-Identifier: MIT
 *
 * The application's state that the layer's dispatches clobber: compute pipeline, compute descriptor
 * sets and push constants. The state before a render pass is restored between the dispatches and
 * the pass.
 */
#ifndef PGS_COMMAND_STATE_COMPUTE_STATE_H
#define PGS_COMMAND_STATE_COMPUTE_STATE_H

#include "base/array.h"
#include "draw/bound_sets.h"
#include "pipeline/descriptor_buffers.h"
#include "pipeline/object_types.h"

struct pgs_compute_binds {
    VkPipeline pipeline;
    pgs_shader_handle shader; /* a shader object instead; VK_NULL_HANDLE: none */
    uint32_t set_count;       /* highest bound set plus 1 */
    uint32_t order;
    struct pgs_bound_set sets[PGS_MAX_SETS];
    struct pgs_dynamic_offsets offsets[PGS_MAX_SETS]; /* of the sets; see pgs_binds_finish */
};

#define PGS_MAX_PUSH_B (64 * sizeof(uint32_t))

/* Bytes pushed with one layout and set of stages. */
struct pgs_pushed_range {
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* the stages passed to the driver */
    uint32_t offset_B, size_B;
    bool graphics; /* the application's stages are not compute alone */
};

/* Push constants. Bytes for compute alone are stored here; those for graphics are part of the
 * graphics state and stored there. */
struct pgs_pushes {
    PGS_ARRAY(struct pgs_pushed_range) ranges; /* ordered by the last push to each */
    uint32_t words[64];
};

/* The size of most pushes: four vectors or a matrix. */
#define PGS_USUAL_PUSH_B 64

/* A push that, when repeated, only has to write its values. */
struct pgs_push_again {
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* the application's */
    VkShaderStageFlags driver_stages;
    uint32_t offset_B, size_B; /* 0: none */
    char *bytes;               /* where they go */
};

/* Programs often alternate pushes to several stages. */
#define PGS_PUSHES_AGAIN 4

/* The current state and, if it differs, the state at the begin of the pass. */
struct pgs_compute_state {
    /* First member: see struct pgs_command_buffer. again[0] has the usual size and stages that the
     * driver knows; its layout is VK_NULL_HANDLE if there is none. */
    struct pgs_push_again again[PGS_PUSHES_AGAIN];
    uint32_t next_again;
    uint32_t *graphics_push; /* 64 words, owned by the caller; set it before the first push */
    struct pgs_compute_binds binds, binds_before;
    struct pgs_pushed_set pushed, pushed_before; /* descriptors */
    struct pgs_pushes pushes, pushes_before;
    uint32_t graphics_push_before[64];
    /* VK_EXT_descriptor_buffer: of both bind points. Where the layer binds buffers for a dispatch,
     * the places of graphics sets are lost, too, so these are kept from the begin of the pass. */
    struct pgs_descriptor_buffers buffers, buffers_before;
    PGS_ARRAY(struct pgs_bound_set) graphics_sets_before; /* layout VK_NULL_HANDLE: not there */
    uint32_t graphics_words_before[PGS_MAX_SETS][PGS_BUFFER_SET_WORDS];
    bool in_pass, binds_differ, pushed_differs, pushes_differ;
};

void pgs_compute_state_finish(struct pgs_compute_state *state);
void pgs_compute_state_reset(struct pgs_compute_state *state);

/* Call it after vkCmdExecuteCommands, which leaves all state undefined. The state before the pass
 * is kept. Fails when out of host memory. */
VkResult pgs_compute_state_forget(struct pgs_compute_state *state);

/* pgs_compute_state_restore will restore the current state, and with descriptor buffers the sets of
 * `graphics`. Fails when out of host memory: those sets are then not restored. */
VkResult pgs_compute_state_begin_pass(struct pgs_compute_state *state,
                                      const struct pgs_graphics_state *graphics);
void pgs_compute_state_end_pass(struct pgs_compute_state *state);

/* Those that bind fail when out of host memory: the state before the pass is then not kept, or the
 * set not noted. */
VkResult pgs_compute_state_bind_pipeline(struct pgs_compute_state *state, VkPipeline pipeline);
VkResult pgs_compute_state_bind_shader(struct pgs_compute_state *state, pgs_shader_handle shader);
VkResult pgs_compute_state_bind_set(struct pgs_compute_state *state, VkPipelineLayout layout,
                                    uint32_t index, VkDescriptorSet set, uint32_t offset_count,
                                    const uint32_t *offsets);

/* vkCmdBindDescriptorBuffersEXT: sets in buffers are not bound any more. */
VkResult pgs_compute_state_bind_buffers(struct pgs_compute_state *state,
                                        const struct pgs_descriptor_buffers *buffers);

/* What vkCmdPushDescriptorSetKHR writes (pgs_pushed_set_read). Out of host memory: it is not
 * kept. */
VkResult pgs_compute_state_push_set(struct pgs_compute_state *state, const struct pgs_device *dev,
                                    VkPipelineLayout layout, const struct pgs_pushed_set *writes);

/* Binds of one bind point. pgs_compute_state_bind_set and pgs_compute_state_restore use them for
 * compute. */
void pgs_binds_finish(struct pgs_compute_binds *binds);
void pgs_binds_forget(struct pgs_compute_binds *binds);
/* Out of host memory: the set is not bound. */
VkResult pgs_binds_note(struct pgs_compute_binds *binds, VkPipelineLayout layout, uint32_t index,
                        VkDescriptorSet set, uint32_t offset_count, const uint32_t *offsets);
/* Writes to the set of the bind point that is pushed. Out of host memory: that set is undefined. */
VkResult pgs_binds_push(struct pgs_compute_binds *binds, struct pgs_pushed_set *pushed,
                        const struct pgs_device *dev, VkPipelineLayout layout,
                        const struct pgs_pushed_set *writes);

/* `stages` are the application's. Out of host memory: the push is not kept. */
VkResult pgs_compute_state_push(struct pgs_compute_state *state,
                                const struct pgs_pushed_range *range, VkShaderStageFlags stages,
                                const void *bytes);

/* NULL: it does not repeat one of the last pushes. */
static inline const struct pgs_push_again *
pgs_compute_state_pushes_again(const struct pgs_compute_state *state, VkPipelineLayout layout,
                               VkShaderStageFlags stages, uint32_t offset_B, uint32_t size_B)
{
    for (uint32_t i = 0; i < PGS_PUSHES_AGAIN; i++) {
        const struct pgs_push_again *again = &state->again[i];
        if (again->size_B == size_B && again->offset_B == offset_B && again->stages == stages &&
            again->layout == layout)
            return again;
    }
    return NULL;
}

/* Records the state that preceded the pass. */
void pgs_compute_state_restore(const struct pgs_compute_state *state,
                               const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
