/* SPDX-License-Identifier: MIT
 *
 * Which pipelines have PGS_VARIANT_INSTANCED: those whose geometry shader makes each vertex of one,
 * where the driver's own draw gives what the geometry shader would. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_INSTANCING_H
#define PGS_PIPELINE_INSTANCING_H

#include "pipeline/source.h"

/* The first reason against it; PGS_UNINSTANCED_NO: there is none. Draws may have others, which
 * depend on dynamic state and arguments. All other facts must be known. */
enum pgs_uninstanced pgs_instancing_refuses(const struct pgs_pipeline_source *source);

/* The same of PGS_VARIANT_PICKED, of which it turns out when it is made whether the geometry shader
 * picks vertices: to find that out takes long. */
enum pgs_uninstanced pgs_picking_refuses(const struct pgs_pipeline_source *source);

/* True if dynamic state may keep draws of such a pipeline from being instanced. */
bool pgs_instancing_depends(const struct pgs_emulated_pipeline *pipeline);

#endif
