/* SPDX-License-Identifier: MIT
 *
 * State of the application that our dispatches clobber: the compute pipeline, the compute
 * descriptor sets and the push constants. What stood before a render pass is put back between
 * the dispatches and the pass.
 */
#ifndef PGS_COMMAND_STATE_COMPUTE_STATE_H
#define PGS_COMMAND_STATE_COMPUTE_STATE_H

#include "base/array.h"
#include "draw/bound_sets.h"

struct pgs_compute_binds {
    VkPipeline pipeline;
    uint32_t set_count; /* one more than the highest that was bound */
    uint32_t order;
    struct pgs_bound_set sets[PGS_MAX_SETS];
};

#define PGS_MAX_PUSH_B (64 * sizeof(uint32_t))

/* Bytes pushed with one layout and set of stages. */
struct pgs_pushed_range {
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* the driver's */
    uint32_t offset_B, size_B;
    bool graphics; /* some stage of the application's is not compute */
};

/* The bytes that were pushed for compute alone are here; those for graphics are part of the state
 * that draws read, and kept there. */
struct pgs_pushes {
    PGS_ARRAY(struct pgs_pushed_range) ranges; /* in the order of the last push to each */
    uint32_t words[64];
};

/* What most pushes have: four vectors or a matrix. */
#define PGS_USUAL_PUSH_B 64

/* A push that only has to write its values when it comes again. */
struct pgs_push_again {
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* the application's */
    VkShaderStageFlags driver_stages;
    uint32_t offset_B, size_B; /* 0: there is none */
    char *bytes;               /* where they go */
};

/* A push for each of several stages, in turns, is usual, too. */
#define PGS_PUSHES_AGAIN 4

/* The state as it is now, and as it was when the pass began where that differs. */
struct pgs_compute_state {
    /* First: see struct pgs_command_buffer. The first one is of usual size and of stages that the
     * driver knows; its layout is VK_NULL_HANDLE if there is none. */
    struct pgs_push_again again[PGS_PUSHES_AGAIN];
    uint32_t next_again;
    uint32_t *graphics_push; /* 64 words, the owner's; to be set before anything is pushed */
    struct pgs_compute_binds binds, binds_before;
    struct pgs_pushes pushes, pushes_before;
    uint32_t graphics_push_before[64];
    bool in_pass, binds_differ, pushes_differ;
};

void pgs_compute_state_finish(struct pgs_compute_state *state);
void pgs_compute_state_reset(struct pgs_compute_state *state);

/* After vkCmdExecuteCommands, which leaves all state undefined. What stood before the pass is kept;
 * out of host memory when it cannot be. */
VkResult pgs_compute_state_forget(struct pgs_compute_state *state);

/* From here on pgs_compute_state_restore gives back what stands now. */
void pgs_compute_state_begin_pass(struct pgs_compute_state *state);
void pgs_compute_state_end_pass(struct pgs_compute_state *state);
void pgs_compute_state_bind_pipeline(struct pgs_compute_state *state, VkPipeline pipeline);

/* offset_count is at most that of pgs_bound_set. */
void pgs_compute_state_bind_set(struct pgs_compute_state *state, VkPipelineLayout layout,
                                uint32_t index, VkDescriptorSet set, uint32_t offset_count,
                                const uint32_t *offsets);

/* Those of one bind point, as they stand; what pgs_compute_state_bind_set and
 * pgs_compute_state_restore do for compute. */
void pgs_binds_forget(struct pgs_compute_binds *binds);
void pgs_binds_note(struct pgs_compute_binds *binds, VkPipelineLayout layout, uint32_t index,
                    VkDescriptorSet set, uint32_t offset_count, const uint32_t *offsets);

/* `stages` are the application's. Out of host memory: the push is not kept. */
VkResult pgs_compute_state_push(struct pgs_compute_state *state,
                                const struct pgs_pushed_range *range, VkShaderStageFlags stages,
                                const void *bytes);

/* NULL: it is not one of the last pushes again. */
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

/* Redoes what stood before the pass. */
void pgs_compute_state_restore(const struct pgs_compute_state *state,
                               const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
