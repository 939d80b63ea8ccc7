/* SPDX-License-Identifier: MIT
 *
 * Control flow of generated functions.
 */
#ifndef PGS_SPIRV_IR_CONTROL_FLOW_H
#define PGS_SPIRV_IR_CONTROL_FLOW_H

#include "spirv/ir/module.h"

/* Begins a function void(). */
void pgs_spv_begin_procedure(struct pgs_spv_module *m, struct pgs_spv_list *list,
                             uint32_t function);

/* if (condition_function(arguments)), uint constants. Pass the result to pgs_spv_end_if, or end. */
uint32_t pgs_spv_begin_guard(struct pgs_spv_module *m, struct pgs_spv_list *list,
                             uint32_t condition_function, const uint32_t *arguments,
                             uint32_t argument_count);

/* Both: what follows is the body of the function. */
uint32_t pgs_spv_begin_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list,
                               uint32_t function, uint32_t condition_function,
                               const uint32_t *arguments, uint32_t argument_count);
void pgs_spv_end_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done);

/* if (condition). Pass the result to end. */
uint32_t pgs_spv_begin_if(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t condition);
void pgs_spv_end_if(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done);

/* for (counter = 0; counter < count; counter++) over uints. `control`: the mask of OpLoopMerge. */
struct pgs_spv_loop {
    uint32_t counter;                   /* id of the counter's value, valid in the loop */
    uint32_t header, step, after, next; /* private */
};

void pgs_spv_begin_loop(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t count,
                        uint32_t control, struct pgs_spv_loop *loop);
void pgs_spv_end_loop(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_loop *loop);

/* while (condition_function(argument)); the function takes a uint and returns a bool. */
void pgs_spv_begin_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                         uint32_t condition_function, uint32_t argument, struct pgs_spv_loop *loop);
void pgs_spv_end_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                       const struct pgs_spv_loop *loop);

#endif
