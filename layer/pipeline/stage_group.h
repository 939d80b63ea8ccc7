/* SPDX-License-Identifier: MIT
 *
 * Shaders that the layer runs as one stage of the driver's.
 */
#ifndef PGS_PIPELINE_STAGE_GROUP_H
#define PGS_PIPELINE_STAGE_GROUP_H

#define PGS_MAX_SETS 32 /* of a pipeline layout: the reported maxBoundDescriptorSets at most */

/* Shaders that run as one stage of the driver's, and so see descriptors through the same pipeline
 * layout. */
enum pgs_stage_group {
    PGS_GROUP_VERTEX, /* each stage by itself, as compute */
    PGS_GROUP_CONTROL,
    PGS_GROUP_EVALUATION,
    PGS_GROUP_GEOMETRY,
    PGS_GROUP_VERTEX_GEOMETRY,     /* two in one compute shader */
    PGS_GROUP_EVALUATION_GEOMETRY, /* likewise */
    PGS_GROUP_VERTEX_CONTROL,
    PGS_GROUP_ALL,    /* all of them: one layout and one set of binds for every compute shader */
    PGS_GROUP_RASTER, /* the application's graphics stages, those before the rasterizer as vertex
                         shader */
    PGS_GROUP_COUNT
};

#endif
