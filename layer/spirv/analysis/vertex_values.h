/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader computes along a walk, as symbols of what it reads.
 */
#ifndef PGS_SPIRV_ANALYSIS_VERTEX_VALUES_H
#define PGS_SPIRV_ANALYSIS_VERTEX_VALUES_H

#include "spirv/analysis/region.h"
#include "spirv/analysis/symbols.h"

struct pgs_spv_io_var;
struct pgs_spv_io_vars;

/* The first member of what observes the walk. */
struct pgs_spv_vertex_values {
    struct pgs_spv_module *m;
    struct pgs_spv_symbols symbols;
    pgs_spv_symbol *values;       /* by id: of results; of variables, what they hold */
    pgs_spv_symbol *constants;    /* by id, as far as they were made */
    uint32_t *arguments;          /* by id of a parameter: that of its argument */
    uint8_t *is_per_vertex;       /* by id of an input */
    pgs_spv_symbol *staged;       /* phis of a block */
    pgs_spv_symbol returned;      /* by a function whose end a region is; 0: it is not known */
    struct pgs_spv_region region; /* the last one that was skipped */
    bool knows_region;            /* what comes out of it is noted */
    pgs_spv_symbol whole;         /* of all of it; 0: it is not known */
    uint32_t invocation_variable; /* 0: the shader does not read its number */
    bool is_refused;              /* nothing is known of the shader */
};

/* For a module of pgs_spv_open_geometry. The memory is the module's. False: out of memory. */
bool pgs_spv_vertex_values_init(struct pgs_spv_vertex_values *v, struct pgs_spv_module *m,
                                const struct pgs_spv_io_vars *inputs);

/* All of an observer but what is said of emits and ends of strips. */
void pgs_spv_vertex_values_observe(struct pgs_spv_emit_observer *observer);

/* Call it when a walk begins. */
void pgs_spv_vertex_values_begin(struct pgs_spv_vertex_values *v,
                                 const struct pgs_spv_emit_walk *w);

/* What an output holds. */
pgs_spv_symbol pgs_spv_vertex_output(struct pgs_spv_vertex_values *v,
                                     const struct pgs_spv_io_var *var);

#endif
