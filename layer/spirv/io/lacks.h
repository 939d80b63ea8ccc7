/* SPDX-License-Identifier: MIT
 *
 * Features that the driver lacks, and modules that do without them.
 */
#ifndef PGS_SPIRV_IO_LACKS_H
#define PGS_SPIRV_IO_LACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgs_spv_module;

/* Features that the driver lacks. */
struct pgs_spv_lacks {
    bool geometry;     /* geometryShader */
    bool xfb;          /* transformFeedback and geometryStreams */
    bool tessellation; /* tessellationShader */
    bool distances;    /* shaderClipDistance and shaderCullDistance */
    bool stores;       /* vertexPipelineStoresAndAtomics; see analysis/stores.h */
    bool viewports;    /* multiViewport */
    bool point_size;   /* shaderTessellationAndGeometryPointSize, though the stages are there */
    bool layer_output, viewport_output; /* shaderOutputLayer, shaderOutputViewportIndex */
};

/* True if the module declares, or uses without declaring, what the driver refuses. Without
 * geometry: the capabilities Geometry, GeometryPointSize and MultiViewport; without it or xfb:
 * GeometryStreams and TransformFeedback; without tessellation: Tessellation and
 * TessellationPointSize; without distances: ClipDistance and CullDistance; without viewports:
 * MultiViewport; without point_size: the capabilities of point sizes; without layer_output or
 * viewport_output: ShaderLayer, ShaderViewportIndex and that of the extension, which only they
 * permit. A cheap scan of everything before the functions. False for words that are no SPIR-V. */
bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks);

/* Removes the capabilities that the driver lacks, and transform feedback declarations. */
void pgs_spv_clean(struct pgs_spv_module *m, struct pgs_spv_lacks lacks);

/* Declares Layer and ViewportIndex outside of geometry shaders by the extension that the device has
 * enabled. Its capability implies Geometry in SPIR-V, but no driver with the extension insists on
 * that. The capabilities of SPIR-V 1.5 would need device features, or a SPIR-V version, that may be
 * missing. */
void pgs_spv_need_views(struct pgs_spv_module *m);

/* Declares what PrimitiveShadingRateKHR needs. */
void pgs_spv_need_rates(struct pgs_spv_module *m);

#endif
