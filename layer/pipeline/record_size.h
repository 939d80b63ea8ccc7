/* SPDX-License-Identifier: MIT
 *
 * How large the records of a pipeline's draws are.
 */
#ifndef PGS_PIPELINE_RECORD_SIZE_H
#define PGS_PIPELINE_RECORD_SIZE_H

#include "pipeline/pipeline.h"
#include "poly_gs/abi.h"

#include <stddef.h>

/* Bytes of a record with the attributes that this pipeline's shaders read. */
static inline size_t pgs_record_size(const struct pgs_emulated_pipeline *pipeline)
{
    uint32_t locations = 0;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        if (pipeline->attributes[i].location >= locations)
            locations = pipeline->attributes[i].location + 1;
    return offsetof(struct pgs_draw_record, attributes) + locations * sizeof(struct pgs_attribute);
}

/* Bytes from a record to the next, if nothing lies between them. */
static inline uint32_t pgs_record_stride(const struct pgs_emulated_pipeline *pipeline)
{
    return ((uint32_t)pgs_record_size(pipeline) + 15) & ~UINT32_C(15);
}

#endif
