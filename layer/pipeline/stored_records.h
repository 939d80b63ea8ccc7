/* SPDX-License-Identifier: MIT
 *
 * Which raster draws of stored vertices find the records of several draws. A public header of
 * pipeline/.
 */
#ifndef PGS_PIPELINE_STORED_RECORDS_H
#define PGS_PIPELINE_STORED_RECORDS_H

#include "pipeline/pipeline.h"

/* True if raster pipelines of stored vertices find those of the n-th record with firstInstance n,
 * counted from the one to which vertex binding 0 is bound, or in the vertex buffer by vertexOffset
 * alone. So one indirect draw takes the arguments of many records. Where vertices are split they
 * always do. physical: of the pipeline. */
static inline bool pgs_stored_finds_records(const struct pgs_physical_device *physical,
                                            const struct pgs_emulated_pipeline *pipeline)
{
    return pgs_draws_at_once(physical) && pgs_knows_first_instances(physical) &&
           !pipeline->tes_stored && pipeline->polygons == PGS_SPV_POLYGONS_FILLED;
}

#endif
