/* SPDX-License-Identifier: MIT */
#include "pipeline/kernels.h"

#include "pipeline/compile.h"
#include "pipeline/device.h"
#include "pipeline/module.h"
#include "poly_gs/abi.h"
#include "shaders/embedded.h"

static const struct {
    const uint32_t *words;
    const size_t *word_count;
} kernel_code[PGS_KERNEL_COUNT] = {
    [PGS_KERNEL_RESTART_TILES] = {pgs_kernel_restart_tiles, &pgs_kernel_restart_tiles_words},
    [PGS_KERNEL_RESTART_SCAN] = {pgs_kernel_restart_scan, &pgs_kernel_restart_scan_words},
    [PGS_KERNEL_RESTART_EMIT] = {pgs_kernel_restart_emit, &pgs_kernel_restart_emit_words},
    [PGS_KERNEL_COUNT_TILES] = {pgs_kernel_count_tiles, &pgs_kernel_count_tiles_words},
    [PGS_KERNEL_SCAN_TILES] = {pgs_kernel_scan_tiles, &pgs_kernel_scan_tiles_words},
    [PGS_KERNEL_EXPAND] = {pgs_kernel_expand, &pgs_kernel_expand_words},
    [PGS_KERNEL_SETUP] = {pgs_kernel_setup, &pgs_kernel_setup_words},
    [PGS_KERNEL_TESS_COUNT] = {pgs_kernel_tess_count, &pgs_kernel_tess_count_words},
    [PGS_KERNEL_TESS_ALLOT] = {pgs_kernel_tess_allot, &pgs_kernel_tess_allot_words},
    [PGS_KERNEL_TESSELLATE] = {pgs_kernel_tessellate, &pgs_kernel_tessellate_words},
    [PGS_KERNEL_CAPTURE_TILES] = {pgs_kernel_capture_tiles, &pgs_kernel_capture_tiles_words},
    [PGS_KERNEL_CAPTURE_SCAN] = {pgs_kernel_capture_scan, &pgs_kernel_capture_scan_words},
    [PGS_KERNEL_XFB_PROGRAM] = {pgs_kernel_xfb_program, &pgs_kernel_xfb_program_words},
    [PGS_KERNEL_CAPTURE_GEOMETRY] = {pgs_kernel_capture_geometry,
                                     &pgs_kernel_capture_geometry_words},
    [PGS_KERNEL_QUERY_COPY] = {pgs_kernel_query_copy, &pgs_kernel_query_copy_words},
    [PGS_KERNEL_QUERY_DRAIN] = {pgs_kernel_query_drain, &pgs_kernel_query_drain_words},
    [PGS_KERNEL_QUERY_GRIDS] = {pgs_kernel_query_grids, &pgs_kernel_query_grids_words},
    [PGS_KERNEL_POOL_CLOSE] = {pgs_kernel_pool_close, &pgs_kernel_pool_close_words},
    [PGS_KERNEL_INDIRECT] = {pgs_kernel_indirect, &pgs_kernel_indirect_words},
    [PGS_KERNEL_INTERVAL_END] = {pgs_kernel_interval_end, &pgs_kernel_interval_end_words},
};

static VkResult create_layout(const struct pgs_device *dev, VkPipelineLayout *layout)
{
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = sizeof(struct pgs_root)};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, layout);
}

static VkResult compile(struct pgs_device *dev, enum pgs_kernel kernel, VkPipelineLayout layout,
                        VkPipeline *pipeline)
{
    VkShaderModule module;
    VkResult result = pgs_module_create_driver(dev, kernel_code[kernel].words,
                                               *kernel_code[kernel].word_count, &module);
    if (result != VK_SUCCESS)
        return result;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout,
        .basePipelineIndex = -1,
    };
    result = pgs_compile_compute(dev, VK_NULL_HANDLE, &info, pipeline);
    dev->vk.DestroyShaderModule(dev->handle, module, NULL);
    return result;
}

/* Racing threads may each create the object; the first to publish wins and the others destroy
 * theirs, so that no lock is held during compilation. */
static VkResult get_layout(struct pgs_device *dev, VkPipelineLayout *layout)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    pthread_mutex_lock(&objects->kernel_lock);
    *layout = objects->kernel_layout;
    pthread_mutex_unlock(&objects->kernel_lock);
    if (*layout)
        return VK_SUCCESS;

    VkPipelineLayout made;
    const VkResult result = create_layout(dev, &made);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&objects->kernel_lock);
    if (!objects->kernel_layout) {
        objects->kernel_layout = made;
        made = VK_NULL_HANDLE;
    }
    *layout = objects->kernel_layout;
    pthread_mutex_unlock(&objects->kernel_lock);
    dev->vk.DestroyPipelineLayout(dev->handle, made, NULL);
    return VK_SUCCESS;
}

VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    VkResult result = get_layout(dev, layout);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&objects->kernel_lock);
    *pipeline = objects->kernels[kernel];
    pthread_mutex_unlock(&objects->kernel_lock);
    if (*pipeline)
        return VK_SUCCESS;

    VkPipeline made;
    result = compile(dev, kernel, *layout, &made);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&objects->kernel_lock);
    if (!objects->kernels[kernel]) {
        objects->kernels[kernel] = made;
        made = VK_NULL_HANDLE;
    }
    *pipeline = objects->kernels[kernel];
    pthread_mutex_unlock(&objects->kernel_lock);
    dev->vk.DestroyPipeline(dev->handle, made, NULL);
    return VK_SUCCESS;
}
