/* SPDX-License-Identifier: MIT
 *
 * What the workgroup of a control shader shares: the patch, and outputs as Workgroup memory.
 */
#ifndef PGS_SPIRV_STAGES_CONTROL_SHARED_H
#define PGS_SPIRV_STAGES_CONTROL_SHARED_H

#include "spirv/ir/module.h"

/* What outputs are at first, for the shader to store. */
struct pgs_spv_initializers {
    uint32_t *variables, *values;
    uint32_t count;
};

/* Output variables that are left become Workgroup memory, inputs Private. Barriers order that
 * memory and the patch. */
void pgs_spv_share_outputs(struct pgs_spv_module *m, struct pgs_spv_initializers *taken);
void pgs_spv_shared_barrier(struct pgs_spv_module *m, struct pgs_spv_list *list);

/* Memory that all Output variables take that are not ADDRESSED; saturates. uses: by id. */
uint32_t pgs_spv_size_of_outputs_B(struct pgs_spv_module *m, const uint8_t *uses);

/* When all functions are written that use Workgroup memory: the Vulkan memory model takes
 * every access of it for private, and every barrier for one of execution alone, that does not say
 * otherwise. */
void pgs_spv_publish_shared(struct pgs_spv_module *m);

#endif
