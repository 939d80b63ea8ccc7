/* SPDX-License-Identifier: MIT
 *
 * Outputs that become private, and the output variables that replace them.
 */
#ifndef PGS_SPIRV_IO_OUTPUT_COPIES_H
#define PGS_SPIRV_IO_OUTPUT_COPIES_H

#include "spirv/io/io_vars.h"

/* Output variables that replace the user's, which become private. They are noted while the
 * interface decorations still exist, and declared after these are removed. */
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

void pgs_spv_note_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                          struct pgs_spv_output_copies *copies);
void pgs_spv_declare_outputs(struct pgs_spv_module *m, struct pgs_spv_output_copies *copies);

/* Id of a pointer to the I/O variable in its replacement. */
uint32_t pgs_spv_output_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_output_copies *copies,
                                const struct pgs_spv_io_var *var);

#endif
