/* SPDX-License-Identifier: MIT
 *
 * The inputs of a vertex shader inside another stage: attributes and built-ins from functions.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_INPUTS_H
#define PGS_SPIRV_STAGES_VERTEX_INPUTS_H

#include "spirv/io/io_vars.h"

/* Functions of shaders/lib/vertex_inputs.glsl. They refer to one vertex at a time, which must be
 * chosen first. The last one is for shaders with push constants. */
enum pgs_spv_vertex_function {
    PGS_SPV_VERTEX_INDEX,
    PGS_SPV_VERTEX_INSTANCE_INDEX,
    PGS_SPV_VERTEX_BASE_VERTEX,
    PGS_SPV_VERTEX_BASE_INSTANCE,
    PGS_SPV_VERTEX_DRAW_INDEX,
    PGS_SPV_VERTEX_VIEW_INDEX,
    PGS_SPV_VERTEX_FETCH,
    PGS_SPV_VERTEX_FETCH_WIDE,
    PGS_SPV_VERTEX_FETCH_NEAR,
    PGS_SPV_VERTEX_PUSH_ADDRESS,
    PGS_SPV_VERTEX_FUNCTIONS,
};

#define PGS_SPV_VERTEX_FUNCTION_NAMES                                                              \
    "pgs_vertex_index", "pgs_instance_index", "pgs_base_vertex", "pgs_base_instance",              \
        "pgs_draw_index", "pgs_view_index", "pgs_fetch", "pgs_fetch_wide", "pgs_fetch_near",       \
        "pgs_push_address"

struct pgs_spv_vertex_options;

/* Fills the inputs, which are Private. With native_builtins it also fills built-ins that compute
 * shaders have, too; they become variables of the entry point. Otherwise these are UNSUPPORTED. */
struct pgs_spv_attribute_source {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_vertex_options *options;
    uint32_t *functions; /* [PGS_SPV_VERTEX_FUNCTIONS]; an id that is 0 is assigned when the
                          * function is first called */
    uint32_t *locations; /* NULL, or gets the bits of those that are fetched */
    bool native_builtins;
};

void pgs_spv_fill_attributes(const struct pgs_spv_attribute_source *source,
                             const struct pgs_spv_io_vars *inputs);

#endif
