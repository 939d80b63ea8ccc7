/* SPDX-License-Identifier: MIT
 *
 * Why a geometry shader of one vertex is not drawn by a vertex shader alone (PGS_RASTER_INSTANCED).
 */
#ifndef PGS_PIPELINE_UNINSTANCED_H
#define PGS_PIPELINE_UNINSTANCED_H

#include "vulkan/device.h"

/* Why a pipeline with a geometry shader, or a draw with it, is not PGS_RASTER_INSTANCED, or not
 * PGS_RASTER_PICKED. */
enum pgs_uninstanced {
    PGS_UNINSTANCED_NO,       /* it is */
    PGS_UNINSTANCED_VERTICES, /* not each vertex is made of one */
    PGS_UNINSTANCED_SETTING,
    PGS_UNINSTANCED_TESSELLATED,
    PGS_UNINSTANCED_EFFECTS,      /* the shaders must not run again for a vertex */
    PGS_UNINSTANCED_LIBRARIES,    /* the driver links it, which is faster */
    PGS_UNINSTANCED_PUSHES,       /* push constants of the geometry stage alone */
    PGS_UNINSTANCED_PRIMITIVES,   /* the driver would have other ones, or other first vertices */
    PGS_UNINSTANCED_STIPPLE,      /* the pattern would go on along line strips */
    PGS_UNINSTANCED_DIVISORS,     /* the driver does not know them */
    PGS_UNINSTANCED_DRAW_INDEX,   /* the vertex shader reads it */
    PGS_UNINSTANCED_INSTANCES,    /* attributes of instances, of which several strips make more */
    PGS_UNINSTANCED_ORDER,        /* several strips may go to one layer */
    PGS_UNINSTANCED_VIEWS,        /* one draw for each */
    PGS_UNINSTANCED_LAYERS,       /* the driver takes no layer or viewport of vertex shaders */
    PGS_UNINSTANCED_POLYGONS,     /* the layer draws them as lines or points */
    PGS_UNINSTANCED_PRIMITIVE_ID, /* the fragment shader reads it */
    PGS_UNINSTANCED_STAGES,       /* one stage cannot do the work of both */
    PGS_UNINSTANCED_SHADERS,      /* likewise, which turned out when they were joined */
    PGS_UNINSTANCED_LONG,         /* of what might be picked: the vertex shader takes too long */
    /* Of draws alone. */
    PGS_UNINSTANCED_COUNTED,   /* or captured */
    PGS_UNINSTANCED_CONDITION, /* or by byte count */
    PGS_UNINSTANCED_ARGUMENTS, /* only the GPU knows them */
    PGS_UNINSTANCED_TOO_MANY,  /* instances, or indices */
    /* Of such that might be picked. */
    PGS_UNINSTANCED_SEVERAL,   /* instances */
    PGS_UNINSTANCED_RESTART,   /* indices restart primitives */
    PGS_UNINSTANCED_FETCH,     /* kernels cannot read the application's buffers */
    PGS_UNINSTANCED_FEW,       /* primitives, for which it does not pay */
    PGS_UNINSTANCED_MEMORY,    /* there is too little for the lists */
    PGS_UNINSTANCED_COMPILING, /* threads are at it */
};

/* Primitives from which on draws may be picked (poly_gs/pick.h); 0: none are. */
static inline uint32_t pgs_picks_from(const struct pgs_physical_device *device)
{
    return pgs_knows_first_instances(device) ? device->traits.costs.of[PGS_COST_PICK_PRIMITIVES]
                                             : 0;
}

/* The vertices of the driver's primitives if they are in the order of those that a geometry shader
 * gets; 0: they are not. */
static inline uint32_t pgs_instanced_vertices(VkPrimitiveTopology topology, bool provoking_last)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return 2;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
        return 3;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return provoking_last ? 0 : 3;
    default:
        return 0;
    }
}

#endif
