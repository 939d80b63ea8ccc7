/* SPDX-License-Identifier: MIT */
#include "pipeline/source.h"

#include "base/alloc.h"

void pgs_pipeline_source_free(struct pgs_pipeline_source *source)
{
    if (!source)
        return;
    pgs_stage_code_finish(&source->vs);
    pgs_stage_code_finish(&source->tcs);
    pgs_stage_code_finish(&source->tes);
    pgs_stage_code_finish(&source->gs);
    pgs_stage_code_finish(&source->fs);
    pgs_spv_blob_free(&source->pass_through);
    pgs_kept_info_destroy(source->dev, source->kept);
    pgs_free(source);
}
