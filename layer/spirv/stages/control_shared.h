/* SPDX-License-Identifier: MIT
 *
 * Memory that the workgroup of a control shader shares: the patch, and outputs in Workgroup memory.
 */
#ifndef PGS_SPIRV_STAGES_CONTROL_SHARED_H
#define PGS_SPIRV_STAGES_CONTROL_SHARED_H

#include "spirv/ir/module.h"

/* Initial values of outputs, which the shader stores. */
struct pgs_spv_initializers {
    uint32_t *variables, *values;
    uint32_t count;
};

/* Turns the remaining Output variables into Workgroup memory and inputs into Private variables.
 * Barriers order that memory and the patch. */
void pgs_spv_share_outputs(struct pgs_spv_module *m, struct pgs_spv_initializers *taken);
void pgs_spv_shared_barrier(struct pgs_spv_module *m, struct pgs_spv_list *list);

/* Workgroup memory of all Output variables that are not ADDRESSED; saturates. uses: by id. */
uint32_t pgs_spv_size_of_outputs_B(struct pgs_spv_module *m, const uint8_t *uses);

/* The Vulkan memory model, in which each access says whether others see it. */
bool pgs_spv_has_vulkan_model(const struct pgs_spv_module *m);

/* Call it when all functions that use Workgroup memory are complete. In the Vulkan memory model
 * accesses are private, and barriers order execution only, unless they say otherwise. */
void pgs_spv_publish_shared(struct pgs_spv_module *m);

#endif
