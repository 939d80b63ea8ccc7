/* SPDX-License-Identifier: MIT */
#include "pipeline/source.h"

#include "base/alloc.h"

void pgs_pipeline_source_free(struct pgs_pipeline_source *source)
{
    if (!source)
        return;
    pgs_shader_release(source->vs);
    pgs_shader_release(source->tcs);
    pgs_shader_release(source->tes);
    pgs_shader_release(source->gs);
    pgs_shader_release(source->fs);
    for (int v = 0; v < PGS_VARIANT_COUNT; v++)
        pgs_shared_release(source->vertex_modules[v]);
    pgs_shared_release(source->fragment_module);
    pgs_kept_info_destroy(source->dev, source->kept);
    pgs_free(source);
}
