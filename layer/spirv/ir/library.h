/* SPDX-License-Identifier: MIT
 *
 * What scripts/gen_spirv.py knows of a library when the layer is built, so that nothing has to be
 * parsed when functions of it are linked.
 */
#ifndef PGS_SPIRV_IR_LIBRARY_H
#define PGS_SPIRV_IR_LIBRARY_H

#include <stdint.h>

#define PGS_SPV_MAX_PARAMETERS 31
/* In a mask of parameters: it depends on something that no call says, too. */
#define PGS_SPV_UNKNOWN_PARAMETER (1u << 31)

/* Places are words of the library. Parameters decide something together if a branch, a choice or a
 * deciding argument of a further call is computed from them and from constants alone. */
struct pgs_spv_library_function {
    const char *name;
    uint32_t head;             /* place of OpFunction, which its parameters follow */
    uint32_t body, end;        /* places of the first OpLabel and of OpFunctionEnd */
    uint32_t parameter_count;  /* at most PGS_SPV_MAX_PARAMETERS */
    const uint32_t *decisions; /* masks of parameters that decide together */
    uint32_t decision_count;
    uint32_t returned; /* mask of the parameters that the result is computed from */
};

struct pgs_spv_library {
    const uint32_t *words;
    uint32_t bound;           /* of its ids */
    uint32_t outer_bound;     /* of the ids of functions, and of all outside of them */
    uint32_t label_bound;     /* of labels, which follow these; all others follow labels */
    const uint32_t *places;   /* by id: of the definition of a function or of what is outside */
    const uint32_t *numbers;  /* by id, likewise: number + 1 in functions; 0: no function */
    const uint32_t *blocks;   /* by label - outer_bound: twice the words to the next block of the
                               * function, or to its end, and 1 if it is the header of a loop */
    uint32_t capabilities[2]; /* each a begin and an end, as places */
    uint32_t names[2], annotations[2]; /* about what is no function's own */
    const struct pgs_spv_library_function *functions;
    const uint32_t *by_name; /* numbers of the functions, in the order of strcmp() */
    uint32_t function_count;
};

#endif
