/* SPDX-License-Identifier: MIT */
#include "pipeline/source.h"

#include "base/alloc.h"
#include "pipeline/device.h"
#include "pipeline/raster_behind.h"
#include "pipeline/raster_front.h"

struct pgs_robustness pgs_source_robustness(const struct pgs_pipeline_source *source, bool vs,
                                            bool tcs, bool tes, bool gs)
{
    const struct pgs_source_robustness *of = &source->robustness;
    const struct pgs_robustness *const shaders[4] = {
        vs ? &of->vs : NULL, tcs ? &of->tcs : NULL, tes ? &of->tes : NULL,
        gs && !source->pipeline->pass_through ? &of->gs : NULL};
    const struct pgs_robustness *first = NULL;
    struct pgs_robustness all = {.images = 0};
    for (int i = 0; i < 4; i++) {
        if (!shaders[i])
            continue;
        all = first ? pgs_robustness_join(&source->dev->pipelines->robustness.shaders, &all,
                                          shaders[i])
                    : *shaders[i];
        first = shaders[i];
    }
    return all;
}

bool pgs_pipeline_source_is_shareable(const struct pgs_pipeline_source *source)
{
    return !source->allocator &&
           !(source->cache && atomic_load(&source->dev->pipelines->has_unsynchronized_caches));
}

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
    for (int v = 0; v < PGS_VARIANT_COUNT; v++)
        pgs_raster_front_release(source->dev, source->fronts[v]);
    for (int i = 0; i < 2; i++)
        pgs_raster_behind_release(source->dev, source->behind[i]);
    pgs_shared_release(source->fragment_module);
    pgs_kept_info_destroy(source->dev, source->kept);
    pgs_free(source);
}
