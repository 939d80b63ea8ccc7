/* SPDX-License-Identifier: MIT
 *
 * Features that drivers have one by one, and that the layer gives one by one. Which are missing is
 * found out once per physical device (entry/driver_features.h); masks of them are in struct
 * pgs_physical_device and struct pgs_device.
 */
#ifndef PGS_VULKAN_FEATURE_H
#define PGS_VULKAN_FEATURE_H

enum pgs_feature {
    PGS_FEATURE_GEOMETRY,        /* geometryShader */
    PGS_FEATURE_TESSELLATION,    /* tessellationShader */
    PGS_FEATURE_XFB,             /* transformFeedback */
    PGS_FEATURE_STREAMS,         /* geometryStreams, with four streams */
    PGS_FEATURE_XFB_BUFFERS,     /* maxTransformFeedbackBuffers of four */
    PGS_FEATURE_XFB_DRAW,        /* transformFeedbackDraw */
    PGS_FEATURE_XFB_QUERIES,     /* transformFeedbackQueries */
    PGS_FEATURE_STREAM_LINES,    /* transformFeedbackStreamsLinesTriangles */
    PGS_FEATURE_STREAM_SELECT,   /* transformFeedbackRasterizationStreamSelect */
    PGS_FEATURE_POINT_SIZE,      /* shaderTessellationAndGeometryPointSize */
    PGS_FEATURE_PATCH_RESTART,   /* primitiveTopologyPatchListRestart */
    PGS_FEATURE_VIEWPORTS,       /* multiViewport */
    PGS_FEATURE_FILL,            /* fillModeNonSolid */
    PGS_FEATURE_CLIP,            /* shaderClipDistance */
    PGS_FEATURE_CULL,            /* shaderCullDistance */
    PGS_FEATURE_LINES,           /* wideLines */
    PGS_FEATURE_POINTS,          /* largePoints */
    PGS_FEATURE_STORES,          /* vertexPipelineStoresAndAtomics */
    PGS_FEATURE_DRAWS,           /* multiDrawIndirect */
    PGS_FEATURE_FIRST,           /* drawIndirectFirstInstance */
    PGS_FEATURE_DRAW_COUNT,      /* drawIndirectCount, or VK_KHR_draw_indirect_count */
    PGS_FEATURE_DIVISOR,         /* vertexAttributeInstanceRateDivisor */
    PGS_FEATURE_ZERO_DIVISOR,    /* vertexAttributeInstanceRateZeroDivisor */
    PGS_FEATURE_PUSH,            /* pushDescriptor, or VK_KHR_push_descriptor */
    PGS_FEATURE_DEPTH_CLIP,      /* depthClipEnable */
    PGS_FEATURE_VIEWS,           /* multiviewGeometryShader */
    PGS_FEATURE_LINE_MODES,      /* rectangularLines, or bresenhamLines */
    PGS_FEATURE_LAYER_OUTPUT,    /* shaderOutputLayer */
    PGS_FEATURE_VIEWPORT_OUTPUT, /* shaderOutputViewportIndex */
    PGS_FEATURE_COUNT
};

#define PGS_FEATURE_BIT(feature) (1u << PGS_FEATURE_##feature)

#endif
