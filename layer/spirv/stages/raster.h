/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what the vertex shaders that stand where a geometry shader did have in
 * common: the built-ins that they hand to the rasterizer.
 */
#ifndef PGS_SPIRV_RASTER_H
#define PGS_SPIRV_RASTER_H

#include "spirv/io/interface.h"

struct pgs_spv_raster_port {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_layout
        *layout; /* of the stream, as `outputs`; what has no word is not there */
    const struct pgs_spv_leaves *outputs;
    const struct pgs_spv_raster_options *options;
    const uint8_t *invariant; /* by built-in, below 64 */
    uint32_t is_there;        /* id of a bool: false where there is no vertex; 0: there always is */
    /* Id of an element of a built-in that is there, as a value of `type`: a word, or all of
     * gl_Position. */
    uint32_t (*load)(const struct pgs_spv_raster_port *port, uint32_t type, uint32_t builtin,
                     uint32_t element);
    const void *source; /* for load */
};

/* A port without load and source. `outputs`, which it keeps, are all of the geometry shader's and
 * become those of the stream; their decorations have not gone yet. */
struct pgs_spv_raster_port pgs_spv_open_raster(struct pgs_spv_module *m,
                                               const struct pgs_spv_geometry_info *info,
                                               const struct pgs_spv_raster_options *options,
                                               struct pgs_spv_leaves *outputs);

/* Declares and stores them. Vertices that are not there, or that belong to another layer than the
 * one that is drawn, go to where every plane clips them. */
void pgs_spv_store_raster_builtins(const struct pgs_spv_raster_port *port);

/* output_copies.c. Variables that go out in the place of the user's, whose own become private. They
 * are noted while the interface says what they are, and declared when that has gone. */
struct pgs_spv_output_copy {
    uint32_t variable, copy; /* ids; copy is 0 until it is declared */
    uint32_t type;
    struct pgs_spv_list decorations;
};
struct pgs_spv_output_copies {
    struct pgs_spv_output_copy *items;
    uint32_t count;
    struct pgs_spv_list of_types; /* decorations */
};
void pgs_spv_note_outputs(struct pgs_spv_module *m, const struct pgs_spv_leaves *outputs,
                          struct pgs_spv_output_copies *copies);
void pgs_spv_declare_outputs(struct pgs_spv_module *m, struct pgs_spv_output_copies *copies);
/* Id of a pointer to where the leaf goes out. */
uint32_t pgs_spv_output_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_output_copies *copies,
                                const struct pgs_spv_leaf *leaf);

#endif
