/* SPDX-License-Identifier: MIT */
#ifndef PGS_TESTS_COMMON_VKT_FEATURES_H
#define PGS_TESTS_COMMON_VKT_FEATURES_H

#include <volk.h>

#include <stdbool.h>

struct vkt;

/* What the device of a program can do and has enabled. Written by vkt_init only. */
struct vkt_features {
    VkPhysicalDeviceFeatures core;
    bool draw_parameters, storage16, varying16, float16, int8;
    bool dynamic_rendering, imageless, multiview;
    bool multiview_geometry, multiview_tessellation; /* only with vkt_options.multiview_stages */
    bool timeline;                                   /* only with vkt_options.two_queues */
    bool host_reset /* of queries */, indirect_count;
    bool partial_sets /* partially bound, of variable length */;
    bool inline_blocks, update_after_bind /* of sampled images and storage buffers */;
    bool index_u8, provoking_last, bresenham_lines, stippled_bresenham, stippled_rectangular;
    bool divisor, divisor_zero;
    /* Only with vkt_options.feedback: */
    bool xfb, xfb_preserves_provoking, geometry_streams;
    bool generated, generated_discard, generated_streams; /* VK_EXT_primitives_generated_query */
    bool condition, condition_inherited;                  /* VK_EXT_conditional_rendering */
    /* VK_EXT_extended_dynamic_state3, also with vkt_options.dynamic_states3. The last one:
     * dynamicPrimitiveTopologyUnrestricted. */
    bool dynamic_stream, dynamic_provoking, dynamic_stipple, any_topology;
    bool multi_draw;    /* VK_EXT_multi_draw */
    bool cache_control; /* pipelineCreationCacheControl, only with vkt_options.pipeline_libraries */
    bool output_layer, output_viewport; /* shaderOutputLayer, shaderOutputViewportIndex, only with
                                         * vkt_options.layer_outputs */
    /* Only with vkt_options.tessellation: */
    bool dynamic_patch_points, dynamic_domain_origin, patch_restart;
};

/* Does the driver say this of its version, as "Mesa 22."? False of drivers without driver
 * properties, which are Vulkan 1.2. */
bool vkt_driver_is(const struct vkt *t, const char *part);

#endif
