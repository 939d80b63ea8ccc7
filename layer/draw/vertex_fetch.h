/* SPDX-License-Identifier: MIT
 *
 * What the vertex stage of a draw fetches: as the pipeline says, or with dynamic vertex input as
 * vkCmdSetVertexInputEXT has said. Internal to draw/.
 */
#ifndef PGS_DRAW_VERTEX_FETCH_H
#define PGS_DRAW_VERTEX_FETCH_H

#include "draw/draw.h"

struct pgs_vertex_fetch {
    uint32_t attribute_count;
    /* Those that the shaders read, without those that the application has not described or that
     * cannot be fetched. */
    const struct pgs_vertex_attribute *attributes;
    const struct pgs_vertex_binding_state *bindings; /* by number, valid for those of attributes */
    uint32_t dynamic_strides; /* mask of bindings with the stride of vkCmdBindVertexBuffers2 */
    struct pgs_vertex_attribute own_attributes[PGS_MAX_ATTRIBUTES];
    struct pgs_vertex_binding_state own_bindings[PGS_MAX_BINDINGS];
};

/* Finds what a draw with the pipeline and the state fetches. *fetch refers to itself and to the
 * pipeline, so it must not move. */
void pgs_vertex_fetch_find(struct pgs_vertex_fetch *fetch,
                           const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state);

/* Bytes from an element of the binding to the next. */
static inline uint32_t pgs_vertex_stride(const struct pgs_vertex_fetch *fetch,
                                         const struct pgs_graphics_state *state, uint32_t binding)
{
    return fetch->dynamic_strides >> binding & 1 ? (uint32_t)state->vertex[binding].stride_B
                                                 : fetch->bindings[binding].stride_B;
}

#endif
