/* SPDX-License-Identifier: MIT
 *
 * Generated shaders that are kept on disk from one run of a program to the next. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_TRANSLATION_H
#define PGS_PIPELINE_TRANSLATION_H

#include "pipeline/shader.h"

#define PGS_TRANSLATION_SHADERS 4

/* All that a generated shader depends on, besides this build of the layer. */
struct pgs_translation {
    const void *inputs; /* no pointers; padding is zero */
    size_t inputs_B;
    const struct pgs_shader *shaders[PGS_TRANSLATION_SHADERS]; /* NULL: none */
};

/* Finds a shader of this build of the layer that was made from the same. The caller frees *words
 * with pgs_spv_blob_free. False: there is none, or nothing is kept. Thread-safe. */
bool pgs_translation_read(const struct pgs_device *dev, const struct pgs_translation *translation,
                          struct pgs_spv_blob *words);

/* Keeps a shader, if anything is kept. Thread-safe. */
void pgs_translation_write(const struct pgs_device *dev, const struct pgs_translation *translation,
                           const struct pgs_spv_blob *words);

#endif
