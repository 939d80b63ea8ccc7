/* SPDX-License-Identifier: MIT
 *
 * The drivers are named by gpuinfo.org's exports: GE83xx 1.386.1368, BXM-8-256 1.473.1398, Pixel 10
 * (DXT-48-1536) 1.634, Mali-G610 r38, Mali-G715 r54, PanVK of Mesa 25.99 on G610, MoltenVK 1.4.2 on
 * M5, V3DV of Mesa 25.0 on a Pi 5.
 */
#include "profiles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No phone of these has them: sparse resources, 64-bit floats, mesh shaders, and so on. */
#define NO_PHONE                                                                                   \
    "shaderFloat64 sparseBinding sparseResidencyBuffer "                                           \
    "sparseResidencyImage2D shaderResourceResidency shaderResourceMinLod taskShader meshShader "   \
    "shaderStorageImageMultisample rayTracingPipeline accelerationStructure rayQuery "
#define NO_BC "textureCompressionBC " /* Macs have it, and PanVK on boards */
#define NO_DESKTOP_EXTENSIONS                                                                      \
    "VK_EXT_mesh_shader VK_EXT_shader_object VK_EXT_descriptor_buffer "                            \
    "VK_KHR_acceleration_structure VK_KHR_ray_tracing_pipeline VK_KHR_ray_query "                  \
    "VK_EXT_shader_atomic_float2 VK_EXT_post_depth_coverage VK_EXT_multi_draw "
#define NO_STAGES                                                                                  \
    "geometryShader tessellationShader shaderTessellationAndGeometryPointSize "                    \
    "multiviewGeometryShader multiviewTessellationShader "
#define NO_STAGES_LIMITS                                                                           \
    "maxGeometryShaderInvocations=0 maxGeometryInputComponents=0 maxGeometryOutputComponents=0 "   \
    "maxGeometryOutputVertices=0 maxGeometryTotalOutputComponents=0 "                              \
    "maxTessellationGenerationLevel=0 maxTessellationPatchSize=0 "
/* 64-bit atomics come with 64-bit integers. */
#define NO_INT64 "shaderInt64 shaderBufferInt64Atomics shaderSharedInt64Atomics "
#define CLIP_LIMITS_0 "maxClipDistances=0 maxCullDistances=0 maxCombinedClipAndCullDistances=0 "
#define ONE_VIEWPORT "maxViewports=1 "
#define NO_LAYER_OUTPUTS "shaderOutputLayer shaderOutputViewportIndex "
#define MALI_NO_XFB_PARTS                                                                          \
    "transformFeedbackDraw=0 transformFeedbackStreamsLinesTriangles=0 "                            \
    "transformFeedbackRasterizationStreamSelect=0 maxTransformFeedbackStreams=1 "                  \
    "maxTransformFeedbackBuffers=4 maxTransformFeedbackBufferDataSize=512 "
#define MALI_NO_FEATURES                                                                           \
    NO_PHONE NO_BC                                                                                 \
        "geometryStreams vertexPipelineStoresAndAtomics multiViewport fillModeNonSolid "           \
        "shaderClipDistance shaderCullDistance robustBufferAccess2 robustImageAccess2 "            \
        "alphaToOne extendedDynamicState2LogicOp "                                                 \
        "shaderTessellationAndGeometryPointSize primitiveTopologyPatchListRestart "                \
        "extendedDynamicState2PatchControlPoints multiviewGeometryShader "                         \
        "pipelineStatisticsQuery primitivesGeneratedQueryWithNonZeroStreams "
/* fullDrawIndexUint32 and drawIndirectFirstInstance are there in every profile but pi. */

const struct profile profiles[] = {
    /* 1.11, 1.1 column P9, 1.2 row P9; extensions and limits as exported */
    {
        .name = "rogue",
        .links_precision = true,
        .device_name = "PowerVR Rogue GE8320",
        .driver_name = "PowerVR Rogue Vulkan Driver",
        .vendor = 0x1010,
        .device = 0x22054036,
        .driver = VK_DRIVER_ID_IMAGINATION_PROPRIETARY,
        .api_version = VK_MAKE_API_VERSION(0, 1, 1, 131),
        .without_features = NO_PHONE NO_BC NO_STAGES NO_LAYER_OUTPUTS
        "multiViewport fillModeNonSolid dualSrcBlend depthBounds samplerAnisotropy "
        "shaderImageGatherExtended pipelineStatisticsQuery inheritedQueries "
        "shaderStorageImageWriteWithoutFormat inheritedConditionalRendering",
        .only_extensions =
            "VK_KHR_swapchain VK_KHR_sampler_mirror_clamp_to_edge VK_KHR_maintenance1 "
            "VK_KHR_shader_draw_parameters VK_KHR_descriptor_update_template "
            "VK_KHR_push_descriptor VK_KHR_incremental_present VK_EXT_blend_operation_advanced "
            "VK_KHR_16bit_storage VK_KHR_dedicated_allocation VK_KHR_get_memory_requirements2 "
            "VK_KHR_storage_buffer_storage_class VK_KHR_external_memory "
            "VK_KHR_external_semaphore VK_KHR_external_fence VK_KHR_variable_pointers "
            "VK_KHR_external_memory_fd VK_KHR_external_semaphore_fd VK_KHR_external_fence_fd "
            "VK_KHR_relaxed_block_layout VK_KHR_bind_memory2 VK_KHR_image_format_list "
            "VK_KHR_maintenance2 VK_KHR_sampler_ycbcr_conversion "
            "VK_EXT_external_memory_dma_buf VK_KHR_multiview VK_KHR_maintenance3 "
            "VK_KHR_device_group VK_EXT_vertex_attribute_divisor VK_EXT_queue_family_foreign "
            "VK_KHR_draw_indirect_count VK_KHR_8bit_storage VK_KHR_create_renderpass2 "
            "VK_EXT_conditional_rendering VK_KHR_vulkan_memory_model "
            "VK_KHR_depth_stencil_resolve VK_KHR_driver_properties VK_KHR_shader_float16_int8 "
            "VK_KHR_shader_float_controls VK_EXT_scalar_block_layout "
            "VK_EXT_buffer_device_address VK_EXT_host_query_reset "
            "VK_EXT_pipeline_creation_feedback VK_EXT_separate_stencil_usage "
            "VK_EXT_texel_buffer_alignment VK_EXT_index_type_uint8",
        .limits = NO_STAGES_LIMITS ONE_VIEWPORT
        "maxBoundDescriptorSets=4 maxPushConstantsSize=128 maxVertexInputAttributes=16 "
        "maxVertexInputBindings=16 maxComputeWorkGroupInvocations=512 "
        "maxComputeWorkGroupSize=512 maxComputeSharedMemorySize=16384 "
        "maxStorageBufferRange=134217728 minStorageBufferOffsetAlignment=4 "
        "maxPerStageDescriptorStorageBuffers=96 maxPerStageDescriptorUniformBuffers=96 "
        "maxPerStageDescriptorStorageImages=64 maxPerStageDescriptorSampledImages=128 "
        "maxPerStageDescriptorSamplers=64 maxPerStageDescriptorInputAttachments=8 "
        "maxPerStageResources=456 maxDescriptorSetStorageBuffersDynamic=8 "
        "maxDescriptorSetUniformBuffersDynamic=8 maxFragmentCombinedOutputResources=8 "
        "maxImageDimension2D=4096 maxTexelBufferElements=65536 "
        "maxMemoryAllocationSize=1073741824 subgroupSize=1 timestampComputeAndGraphics=0",
        .ext_address = true,
    },
    /* 1.4, 1.1 column PB, 1.2 row PB: geometry shaders and tessellation, but no capture */
    {
        .name = "bxm",
        .links_precision = true,
        .device_name = "PowerVR B-Series BXM-8-256",
        .driver_name = "PowerVR B-Series Vulkan Driver",
        .vendor = 0x1010,
        .device = 0x36052000,
        .driver = VK_DRIVER_ID_IMAGINATION_PROPRIETARY,
        .api_version = VK_MAKE_API_VERSION(0, 1, 1, 170),
        .without_features = NO_PHONE NO_BC NO_LAYER_OUTPUTS
        "transformFeedback geometryStreams multiViewport fillModeNonSolid dualSrcBlend "
        "depthBounds pipelineStatisticsQuery inheritedQueries samplerAnisotropy "
        "shaderImageGatherExtended inheritedConditionalRendering bresenhamLines smoothLines "
        "stippledRectangularLines stippledBresenhamLines stippledSmoothLines",
        .only_extensions =
            "VK_KHR_swapchain VK_KHR_sampler_mirror_clamp_to_edge VK_KHR_maintenance1 "
            "VK_KHR_shader_draw_parameters VK_KHR_descriptor_update_template "
            "VK_KHR_push_descriptor VK_KHR_incremental_present VK_EXT_blend_operation_advanced "
            "VK_KHR_16bit_storage VK_KHR_dedicated_allocation VK_KHR_get_memory_requirements2 "
            "VK_KHR_storage_buffer_storage_class VK_KHR_external_memory "
            "VK_KHR_external_semaphore VK_KHR_external_fence VK_KHR_variable_pointers "
            "VK_KHR_external_memory_fd VK_KHR_external_semaphore_fd VK_KHR_external_fence_fd "
            "VK_KHR_relaxed_block_layout VK_KHR_bind_memory2 VK_KHR_image_format_list "
            "VK_KHR_maintenance2 VK_KHR_sampler_ycbcr_conversion "
            "VK_EXT_external_memory_dma_buf VK_KHR_multiview VK_KHR_maintenance3 "
            "VK_KHR_device_group VK_EXT_vertex_attribute_divisor VK_EXT_queue_family_foreign "
            "VK_EXT_descriptor_indexing VK_KHR_draw_indirect_count VK_KHR_8bit_storage "
            "VK_KHR_create_renderpass2 VK_EXT_conditional_rendering VK_KHR_vulkan_memory_model "
            "VK_KHR_depth_stencil_resolve VK_KHR_driver_properties VK_KHR_shader_float16_int8 "
            "VK_KHR_shader_float_controls VK_EXT_scalar_block_layout VK_EXT_host_query_reset "
            "VK_KHR_uniform_buffer_standard_layout VK_EXT_separate_stencil_usage "
            "VK_EXT_texel_buffer_alignment VK_KHR_imageless_framebuffer "
            "VK_EXT_index_type_uint8 VK_EXT_line_rasterization "
            "VK_KHR_shader_subgroup_extended_types VK_KHR_shader_clock "
            "VK_KHR_timeline_semaphore VK_KHR_spirv_1_4 VK_KHR_separate_depth_stencil_layouts "
            "VK_KHR_buffer_device_address VK_EXT_provoking_vertex "
            "VK_KHR_shader_non_semantic_info VK_EXT_pipeline_creation_cache_control "
            "VK_EXT_custom_border_color VK_EXT_image_robustness VK_EXT_4444_formats "
            "VK_EXT_device_memory_report VK_KHR_copy_commands2 VK_KHR_synchronization2 "
            "VK_EXT_swapchain_maintenance1",
        .limits = ONE_VIEWPORT
        "maxBoundDescriptorSets=4 maxPushConstantsSize=128 maxVertexInputAttributes=16 "
        "maxVertexInputBindings=16 maxComputeWorkGroupInvocations=512 "
        "maxComputeWorkGroupSize=512 maxComputeSharedMemorySize=16384 "
        "maxStorageBufferRange=134217728 "
        "maxPerStageDescriptorUpdateAfterBindUniformBuffers=16",
    },
    /* 1.12, 1.1 column PD, 1.2 row PD */
    {
        .name = "pixel10",
        .links_precision = true,
        .device_name = "PowerVR D-Series DXT-48-1536 MC1",
        .driver_name = "PowerVR D-Series Vulkan Driver",
        .vendor = 0x1010,
        .device = 0x71061212,
        .driver = VK_DRIVER_ID_IMAGINATION_PROPRIETARY,
        .without_features =
            NO_PHONE NO_BC "geometryStreams shaderOutputViewportIndex pipelineStatisticsQuery "
                           "inheritedQueries depthBounds",
        .without_extensions = NO_DESKTOP_EXTENSIONS "VK_EXT_graphics_pipeline_library "
                                                    "VK_EXT_vertex_input_dynamic_state "
                                                    "VK_EXT_shader_viewport_index_layer",
        .limits = "maxBoundDescriptorSets=32 maxPushConstantsSize=256 maxVertexInputAttributes=16 "
                  "maxVertexInputBindings=16 maxComputeWorkGroupInvocations=1024 "
                  "maxComputeSharedMemorySize=32768 maxStorageBufferRange=134217728 "
                  "minStorageBufferOffsetAlignment=4 maxFramebufferLayers=256 "
                  "maxTransformFeedbackStreams=1 transformFeedbackRasterizationStreamSelect=0",
    },
    /* 1.13, 1.1 column M6, 1.2 row M6; capture as 1.6 */
    {
        .name = "mali38",
        .device_name = "Mali-G610",
        .driver_name = "Mali-G610",
        .vendor = 0x13B5,
        .device = 0xA8670000,
        .driver = VK_DRIVER_ID_ARM_PROPRIETARY,
        .api_version = VK_MAKE_API_VERSION(0, 1, 1, 219),
        .without_features = MALI_NO_FEATURES NO_INT64 "dualSrcBlend logicOp wideLines depthBounds "
                                                      "inheritedQueries",
        .only_extensions =
            "VK_KHR_swapchain VK_KHR_sampler_mirror_clamp_to_edge VK_KHR_maintenance1 "
            "VK_KHR_shader_draw_parameters VK_KHR_descriptor_update_template "
            "VK_KHR_incremental_present VK_EXT_sampler_filter_minmax VK_KHR_16bit_storage "
            "VK_KHR_dedicated_allocation VK_KHR_get_memory_requirements2 "
            "VK_KHR_storage_buffer_storage_class VK_KHR_external_memory "
            "VK_KHR_external_semaphore VK_KHR_external_fence VK_KHR_variable_pointers "
            "VK_KHR_external_memory_fd VK_KHR_external_semaphore_fd VK_KHR_external_fence_fd "
            "VK_KHR_relaxed_block_layout VK_KHR_bind_memory2 VK_KHR_image_format_list "
            "VK_KHR_maintenance2 VK_KHR_sampler_ycbcr_conversion "
            "VK_EXT_external_memory_dma_buf VK_KHR_multiview VK_KHR_maintenance3 "
            "VK_KHR_device_group VK_EXT_queue_family_foreign VK_EXT_descriptor_indexing "
            "VK_KHR_draw_indirect_count VK_KHR_8bit_storage VK_KHR_create_renderpass2 "
            "VK_KHR_vulkan_memory_model VK_EXT_inline_uniform_block "
            "VK_KHR_depth_stencil_resolve VK_KHR_driver_properties VK_KHR_shader_float16_int8 "
            "VK_KHR_shader_float_controls VK_EXT_transform_feedback "
            "VK_EXT_calibrated_timestamps VK_EXT_scalar_block_layout VK_EXT_host_query_reset "
            "VK_EXT_pipeline_creation_feedback VK_KHR_uniform_buffer_standard_layout "
            "VK_EXT_separate_stencil_usage VK_EXT_shader_demote_to_helper_invocation "
            "VK_EXT_texel_buffer_alignment VK_KHR_imageless_framebuffer "
            "VK_EXT_subgroup_size_control VK_EXT_index_type_uint8 VK_EXT_line_rasterization "
            "VK_KHR_shader_subgroup_extended_types VK_KHR_timeline_semaphore VK_KHR_spirv_1_4 "
            "VK_KHR_separate_depth_stencil_layouts VK_KHR_buffer_device_address "
            "VK_EXT_tooling_info VK_EXT_provoking_vertex VK_KHR_shader_non_semantic_info "
            "VK_EXT_pipeline_creation_cache_control VK_EXT_custom_border_color "
            "VK_EXT_private_data VK_EXT_image_robustness VK_EXT_extended_dynamic_state "
            "VK_EXT_4444_formats VK_EXT_device_memory_report VK_KHR_copy_commands2 "
            "VK_EXT_image_drm_format_modifier VK_KHR_shader_terminate_invocation "
            "VK_KHR_zero_initialize_workgroup_memory VK_KHR_synchronization2 "
            "VK_EXT_extended_dynamic_state2 VK_EXT_load_store_op_none "
            "VK_KHR_shader_integer_dot_product VK_EXT_primitive_topology_list_restart "
            "VK_EXT_primitives_generated_query VK_EXT_multisampled_render_to_single_sampled "
            "VK_EXT_swapchain_maintenance1",
        .limits = MALI_NO_XFB_PARTS CLIP_LIMITS_0 ONE_VIEWPORT
        "maxBoundDescriptorSets=7 maxPushConstantsSize=256 maxVertexInputAttributes=32 "
        "maxVertexInputBindings=32 maxVertexInputBindingStride=2048 "
        "maxVertexInputAttributeOffset=2047 maxComputeWorkGroupInvocations=1024 "
        "maxComputeSharedMemorySize=32768 maxStorageBufferRange=268435456 "
        "minStorageBufferOffsetAlignment=64 subgroupSize=16 "
        "maxPerStageDescriptorUpdateAfterBindUniformBuffers=36 "
        "maxPerStageDescriptorUpdateAfterBindStorageBuffers=500000 "
        "maxPerStageDescriptorUpdateAfterBindSampledImages=500000 "
        "maxPerStageUpdateAfterBindResources=500000",
    },
    /* 1.14, 1.1 column M7, 1.2 row M7; capture as 1.6 */
    {
        .name = "mali54",
        .device_name = "Mali-G715",
        .driver_name = "Mali-G715",
        .vendor = 0x13B5,
        .device = 0xB8A21000,
        .driver = VK_DRIVER_ID_ARM_PROPRIETARY,
        .api_version = VK_MAKE_API_VERSION(0, 1, 3, 305),
        .without_features = MALI_NO_FEATURES
        "depthBounds extendedDynamicState3PolygonMode extendedDynamicState3RasterizationSamples "
        "extendedDynamicState3AlphaToCoverageEnable extendedDynamicState3AlphaToOneEnable "
        "extendedDynamicState3LogicOpEnable extendedDynamicState3ColorBlendEnable "
        "extendedDynamicState3ColorBlendEquation extendedDynamicState3ColorWriteMask "
        "extendedDynamicState3RasterizationStream "
        "extendedDynamicState3ExtraPrimitiveOverestimationSize "
        "extendedDynamicState3SampleLocationsEnable extendedDynamicState3ColorBlendAdvanced "
        "extendedDynamicState3LineStippleEnable extendedDynamicState3DepthClipNegativeOneToOne",
        .without_extensions = NO_DESKTOP_EXTENSIONS "VK_KHR_maintenance6 VK_KHR_maintenance7",
        .limits = MALI_NO_XFB_PARTS CLIP_LIMITS_0 ONE_VIEWPORT
        "maxBoundDescriptorSets=7 maxPushConstantsSize=256 maxVertexInputAttributes=32 "
        "maxVertexInputBindings=32 maxComputeWorkGroupInvocations=1024 "
        "maxComputeSharedMemorySize=32768 minStorageBufferOffsetAlignment=64 "
        "maxFramebufferLayers=256 subgroupSize=16",
    },
    /* What all Mali drivers with geometry shaders lack of those, of tessellation and of capture
     * (1.6, 5.1), and nothing else, so that as much as possible is drawn natively. */
    {
        .name = "valhall",
        .device_name = "Mali-G715",
        .driver_name = "Mali-G715",
        .vendor = 0x13B5,
        .device = 0xB8A21000,
        .driver = VK_DRIVER_ID_ARM_PROPRIETARY,
        .without_features = "geometryStreams shaderTessellationAndGeometryPointSize "
                            "vertexPipelineStoresAndAtomics primitiveTopologyPatchListRestart "
                            "primitivesGeneratedQueryWithNonZeroStreams "
                            "extendedDynamicState3RasterizationStream",
        .limits = MALI_NO_XFB_PARTS,
    },
    /* 1.15, 1.1 column PK, 1.2 row PK */
    {
        .name = "panvk",
        .device_name = "Mali-G610 MC4",
        .driver_name = "panvk",
        .vendor = 0x13B5,
        .device = 0xA8670000,
        .driver = VK_DRIVER_ID_MESA_PANVK,
        .without_features = NO_PHONE NO_STAGES NO_LAYER_OUTPUTS
        "vertexPipelineStoresAndAtomics multiViewport fillModeNonSolid shaderClipDistance "
        "shaderCullDistance depthBounds pipelineStatisticsQuery robustBufferAccess2 "
        "primitiveTopologyPatchListRestart",
        .without_extensions =
            NO_DESKTOP_EXTENSIONS "VK_EXT_transform_feedback VK_EXT_primitives_generated_query "
                                  "VK_EXT_shader_viewport_index_layer",
        .limits = NO_STAGES_LIMITS CLIP_LIMITS_0 ONE_VIEWPORT
        "maxBoundDescriptorSets=7 maxPushConstantsSize=256 maxVertexInputAttributes=16 "
        "maxVertexInputBindings=16 maxComputeWorkGroupInvocations=1024 "
        "maxComputeSharedMemorySize=32768 maxFramebufferLayers=256 "
        "maxDescriptorSetStorageBuffersDynamic=8 maxDescriptorSetUniformBuffersDynamic=16 "
        "subgroupSize=16",
    },
    /* 1.16, 1.1 columns MV and KK, 1.2 row MV; tessellation is the driver's */
    {
        .name = "apple",
        .device_name = "Apple M5",
        .driver_name = "MoltenVK",
        .vendor = 0x106B,
        .device = 0x1A020201,
        .driver = VK_DRIVER_ID_MOLTENVK,
        .without_features =
            NO_PHONE "geometryShader multiviewGeometryShader multiviewTessellationShader "
                     "shaderCullDistance depthBounds pipelineStatisticsQuery "
                     "robustBufferAccess2 nullDescriptor primitiveTopologyListRestart "
                     "primitiveTopologyPatchListRestart drawIndirectCount",
        .without_extensions =
            NO_DESKTOP_EXTENSIONS "VK_EXT_transform_feedback VK_EXT_primitives_generated_query "
                                  "VK_EXT_graphics_pipeline_library VK_KHR_pipeline_library "
                                  "VK_EXT_conditional_rendering VK_KHR_draw_indirect_count",
        .limits = "maxGeometryShaderInvocations=0 maxGeometryInputComponents=0 "
                  "maxGeometryOutputComponents=0 maxGeometryOutputVertices=0 "
                  "maxGeometryTotalOutputComponents=0 maxCullDistances=0 "
                  "maxBoundDescriptorSets=8 maxVertexInputAttributes=31 maxVertexInputBindings=31 "
                  "maxComputeWorkGroupInvocations=1024 maxComputeSharedMemorySize=32768 "
                  "minStorageBufferOffsetAlignment=16 maxPerStageDescriptorStorageBuffers=31 "
                  "maxPerStageResources=287 subgroupSize=32",
    },
    /* 1.16, 1.1 column V7, 1.2 row V3DV */
    {
        .name = "pi",
        .device_name = "V3D 7.1.7.0",
        .driver_name = "V3DV Mesa",
        .vendor = 0x14E4,
        .device = 0x55701C33,
        .driver = VK_DRIVER_ID_MESA_V3DV,
        .api_version = VK_MAKE_API_VERSION(0, 1, 3, 295),
        .without_features = NO_PHONE NO_BC NO_STAGES NO_LAYER_OUTPUTS NO_INT64
        "shaderClipDistance shaderCullDistance multiViewport shaderInt16 dualSrcBlend "
        "logicOp depthBounds pipelineStatisticsQuery robustBufferAccess2 nullDescriptor "
        "vertexAttributeInstanceRateZeroDivisor primitiveTopologyPatchListRestart "
        "shaderDrawParameters fullDrawIndexUint32",
        .without_extensions = NO_DESKTOP_EXTENSIONS
        "VK_EXT_transform_feedback VK_EXT_primitives_generated_query "
        "VK_EXT_shader_viewport_index_layer VK_EXT_robustness2 VK_KHR_robustness2 "
        "VK_KHR_shader_draw_parameters",
        .limits = NO_STAGES_LIMITS CLIP_LIMITS_0 ONE_VIEWPORT
        "maxBoundDescriptorSets=16 maxPushConstantsSize=128 maxVertexInputAttributes=16 "
        "maxVertexInputBindings=16 maxComputeWorkGroupInvocations=256 "
        "maxComputeWorkGroupSize=256 maxComputeSharedMemorySize=16384 "
        "minStorageBufferOffsetAlignment=32 maxPerStageDescriptorStorageBuffers=8 "
        "maxDrawIndexedIndexValue=16777215 subgroupSize=16",
    },
    /* What the specification requires at least of descriptors, shared memory and push constants,
     * and no storage of less than 32 bits; and precisions that have to be equal, as some drivers
     * demand. */
    {
        .name = "minimum",
        .links_precision = true,
        .without_features = "storageBuffer16BitAccess uniformAndStorageBuffer16BitAccess "
                            "storagePushConstant16 storageBuffer8BitAccess "
                            "uniformAndStorageBuffer8BitAccess storagePushConstant8",
        .limits =
            "maxPushConstantsSize=128 maxBoundDescriptorSets=4 maxPerStageDescriptorSamplers=16 "
            "maxPerStageDescriptorUniformBuffers=12 maxPerStageDescriptorStorageBuffers=4 "
            "maxPerStageDescriptorSampledImages=16 maxPerStageDescriptorStorageImages=4 "
            "maxPerStageDescriptorInputAttachments=4 maxPerStageResources=128 "
            "maxDescriptorSetSamplers=96 maxDescriptorSetUniformBuffers=72 "
            "maxDescriptorSetUniformBuffersDynamic=8 maxDescriptorSetStorageBuffers=24 "
            "maxDescriptorSetStorageBuffersDynamic=4 maxDescriptorSetSampledImages=96 "
            "maxDescriptorSetStorageImages=24 maxDescriptorSetInputAttachments=4 "
            "maxComputeSharedMemorySize=16384",
    },
    /* A driver whose only form of buffer addresses is the older extension. */
    {
        .name = "ext_address",
        .without_features = "bufferDeviceAddressCaptureReplay bufferDeviceAddressMultiDevice",
        .without_extensions = "VK_KHR_buffer_device_address",
        .ext_address = true,
    },
    /* A driver that draws primitives as they are: no known one lacks largePoints. */
    {
        .name = "small_points",
        .without_features = NO_STAGES "largePoints wideLines fillModeNonSolid",
        .without_extensions = "VK_EXT_transform_feedback",
        .limits = NO_STAGES_LIMITS,
        .points_beside = true,
    },
};
const unsigned profile_count = sizeof(profiles) / sizeof(profiles[0]);

bool profile_lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* -- the one that is chosen -- */

static struct profile chosen;

/* What the layer gives a driver that lacks it: an oracle keeps it. */
static const char given_features[] = NO_STAGES NO_LAYER_OUTPUTS
    "geometryStreams pipelineStatisticsQuery "
    "transformFeedback primitivesGeneratedQuery multiDrawIndirect drawIndirectCount "
    "drawIndirectFirstInstance multiViewport fillModeNonSolid "
    "vertexPipelineStoresAndAtomics shaderClipDistance shaderCullDistance wideLines "
    "largePoints primitivesGeneratedQueryWithNonZeroStreams "
    "extendedDynamicState2PatchControlPoints "
    "extendedDynamicState3RasterizationStream primitiveTopologyPatchListRestart";
static const char given_extensions[] =
    "VK_EXT_transform_feedback VK_EXT_primitives_generated_query VK_KHR_draw_indirect_count "
    "VK_EXT_vertex_attribute_divisor VK_KHR_push_descriptor VK_EXT_depth_clip_enable "
    "VK_EXT_line_rasterization VK_EXT_shader_viewport_index_layer";

/* list: all that is taken away. Tessellation in multiview comes with the layer's tessellation. */
static bool is_given(const char *list, const char *word)
{
    static const char *const limits[] = {"Geometry",          "Tessellation",      "Viewports",
                                         "TransformFeedback", "transformFeedback", "ClipDistances",
                                         "CullDistances",     "lineWidth"};
    if (strcmp(word, "multiviewTessellationShader") == 0 &&
        !profile_lists(list, "tessellationShader"))
        return false;
    if (profile_lists(given_features, word) || profile_lists(given_extensions, word))
        return true;
    for (size_t i = 0; strchr(word, '=') && i < sizeof(limits) / sizeof(limits[0]); i++)
        if (strstr(word, limits[i]))
            return true;
    return false;
}

/* The list without what is given. It stays for the life of the process. */
static const char *without_given(const char *list)
{
    if (!list)
        return NULL;
    char *kept = calloc(strlen(list) + 2, 1), *copy = strdup(list), *rest = copy;
    if (!kept || !copy)
        abort();
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word && !is_given(list, word)) {
            strcat(kept, word);
            strcat(kept, " ");
        }
    free(copy);
    return kept;
}

static bool has_chosen;

static void choose(void)
{
    const char *name = getenv("PGS_TEST_PROFILE");
    if (!name || !*name)
        return;
    const size_t length = strcspn(name, ":");
    const bool oracle = strstr(name + length, ":oracle") != NULL;
    for (unsigned i = 0; i < profile_count; i++)
        if (strlen(profiles[i].name) == length && memcmp(profiles[i].name, name, length) == 0) {
            chosen = profiles[i];
            has_chosen = true;
        }
    if (!has_chosen) {
        fprintf(stderr, "profiles: PGS_TEST_PROFILE names %s, which is none of this layer's\n",
                name);
        abort();
    }
    if (strstr(name + length, ":newer"))
        chosen.api_version = 0;
    if (!oracle)
        return;
    chosen.without_features = without_given(chosen.without_features);
    chosen.without_extensions = without_given(chosen.without_extensions);
    chosen.limits = without_given(chosen.limits);
    chosen.keeps_given = true;
}

const struct profile *profile_chosen(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return has_chosen ? &chosen : NULL;
}

bool profile_gives(const struct profile *profile, const char *extension)
{
    return profile->keeps_given && profile_lists(given_extensions, extension);
}
