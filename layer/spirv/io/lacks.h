/* SPDX-License-Identifier: MIT
 *
 * What the driver has not, and modules that go to it must do without.
 */
#ifndef PGS_SPIRV_IO_LACKS_H
#define PGS_SPIRV_IO_LACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgs_spv_module;

/* What the driver has not, and modules that go to it must do without. */
struct pgs_spv_lacks {
    bool geometry;     /* geometryShader */
    bool feedback;     /* transformFeedback and geometryStreams */
    bool tessellation; /* tessellationShader */
};

/* Does the module declare anything that the driver refuses, or use it undeclared? Without geometry:
 * Geometry, GeometryPointSize and MultiViewport capabilities; without it or feedback:
 * GeometryStreams and TransformFeedback; without tessellation: Tessellation and
 * TessellationPointSize. Cheap scan of all before functions; false for what is no SPIR-V. */
bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks);

/* Without the capabilities that the driver lacks, and what transform feedback declared. */
void pgs_spv_clean(struct pgs_spv_module *m, struct pgs_spv_lacks lacks);

/* Layer or viewport index outside of geometry shaders, by the extension that the device has
 * enabled. Its capability implies Geometry for SPIR-V, but no driver of the extension asks for
 * that. Those of SPIR-V 1.5 would take features that a device need not have enabled, or a version
 * that it need not know. */
void pgs_spv_need_views(struct pgs_spv_module *m);

#endif
