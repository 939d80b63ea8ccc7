/* SPDX-License-Identifier: MIT
 *
 * What is known about how the draws of a pipeline assemble primitives.
 */
#ifndef PGS_SPIRV_STAGES_ASSEMBLY_H
#define PGS_SPIRV_STAGES_ASSEMBLY_H

#include "poly_gs/abi.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a function takes one, NULL means that nothing is known. */
struct pgs_spv_assembly {
    uint32_t topology; /* of the record, 10 if all draws are tessellated, or PGS_TOPOLOGY_ANY */
    uint32_t flags;    /* PGS_DRAW_* flags that the record may have */
    /* The vertices of a primitive are shaded in a loop that drivers leave a loop: what is done once
     * for each vertex takes CPUs longest to compile. */
    bool stays_loop;
    /* Compute shaders load what they read of the record for each vertex once: for drivers of CPUs,
     * which do not see that all invocations load the same. */
    bool takes_record;
    /* With takes_record: attributes, indices and stored vertices are reached by descriptors of a
     * set behind those of the application (poly_gs/bound.h), whose number is one less. 0: by
     * address. */
    uint32_t bound_sets;
};

static inline struct pgs_spv_assembly
pgs_spv_known_assembly(const struct pgs_spv_assembly *assembly)
{
    const struct pgs_spv_assembly any = {.topology = PGS_TOPOLOGY_ANY, .flags = UINT32_MAX};
    return assembly ? *assembly : any;
}

#endif
