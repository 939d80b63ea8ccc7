/* SPDX-License-Identifier: MIT */
#include "pipeline/kernels.h"

#include "pipeline/compile.h"
#include "pipeline/device.h"
#include "pipeline/module.h"
#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/spirv.h"

#include <stddef.h>

struct code {
    const uint32_t *words;
    const size_t *word_count;
};

static const struct code kernel_code[PGS_KERNEL_COUNT] = {
    [PGS_KERNEL_RESTART_TILES] = {pgs_kernel_restart_tiles, &pgs_kernel_restart_tiles_words},
    [PGS_KERNEL_RESTART_SCAN] = {pgs_kernel_restart_scan, &pgs_kernel_restart_scan_words},
    [PGS_KERNEL_RESTART_EMIT] = {pgs_kernel_restart_emit, &pgs_kernel_restart_emit_words},
    [PGS_KERNEL_COUNT_TILES] = {pgs_kernel_count_tiles, &pgs_kernel_count_tiles_words},
    [PGS_KERNEL_COUNT_TILES_ANY] = {pgs_kernel_count_tiles_any, &pgs_kernel_count_tiles_any_words},
    [PGS_KERNEL_SCAN_TILES] = {pgs_kernel_scan_tiles, &pgs_kernel_scan_tiles_words},
    [PGS_KERNEL_EXPAND] = {pgs_kernel_expand, &pgs_kernel_expand_words},
    [PGS_KERNEL_EXPAND_SHARED] = {pgs_kernel_expand_shared, &pgs_kernel_expand_shared_words},
    [PGS_KERNEL_EXPAND_CUT] = {pgs_kernel_expand_cut, &pgs_kernel_expand_cut_words},
    [PGS_KERNEL_EXPAND_ANY] = {pgs_kernel_expand_any, &pgs_kernel_expand_any_words},
    [PGS_KERNEL_EXPAND_POLYGONS] = {pgs_kernel_expand_polygons, &pgs_kernel_expand_polygons_words},
    [PGS_KERNEL_SIFT_SCAN] = {pgs_kernel_sift_scan, &pgs_kernel_sift_scan_words},
    [PGS_KERNEL_SIFT_LIST] = {pgs_kernel_sift_list, &pgs_kernel_sift_list_words},
    [PGS_KERNEL_PICK_SCAN] = {pgs_kernel_pick_scan, &pgs_kernel_pick_scan_words},
    [PGS_KERNEL_PICK_LIST] = {pgs_kernel_pick_list, &pgs_kernel_pick_list_words},
    [PGS_KERNEL_STIPPLE] = {pgs_kernel_stipple, &pgs_kernel_stipple_words},
    [PGS_KERNEL_SETUP] = {pgs_kernel_setup, &pgs_kernel_setup_words},
    [PGS_KERNEL_SETUP_ARGS] = {pgs_kernel_setup_args, &pgs_kernel_setup_args_words},
    [PGS_KERNEL_DRAW_COUNT] = {pgs_kernel_draw_count, &pgs_kernel_draw_count_words},
    [PGS_KERNEL_TESS_COUNT] = {pgs_kernel_tess_count, &pgs_kernel_tess_count_words},
    [PGS_KERNEL_TESS_FEW] = {pgs_kernel_tess_few, &pgs_kernel_tess_few_words},
    [PGS_KERNEL_TESS_ALLOT] = {pgs_kernel_tess_allot, &pgs_kernel_tess_allot_words},
    [PGS_KERNEL_TESS_ROUND] = {pgs_kernel_tess_round, &pgs_kernel_tess_round_words},
    [PGS_KERNEL_TESSELLATE] = {pgs_kernel_tessellate, &pgs_kernel_tessellate_words},
    [PGS_KERNEL_CAPTURE_TILES] = {pgs_kernel_capture_tiles, &pgs_kernel_capture_tiles_words},
    [PGS_KERNEL_CAPTURE_SCAN] = {pgs_kernel_capture_scan, &pgs_kernel_capture_scan_words},
    [PGS_KERNEL_XFB_PROGRAM] = {pgs_kernel_xfb_program, &pgs_kernel_xfb_program_words},
    [PGS_KERNEL_XFB_STEPS] = {pgs_kernel_xfb_steps, &pgs_kernel_xfb_steps_words},
    [PGS_KERNEL_CAPTURE_GEOMETRY] = {pgs_kernel_capture_geometry,
                                     &pgs_kernel_capture_geometry_words},
    [PGS_KERNEL_QUERY_COPY] = {pgs_kernel_query_copy, &pgs_kernel_query_copy_words},
    [PGS_KERNEL_QUERY_DRAIN] = {pgs_kernel_query_drain, &pgs_kernel_query_drain_words},
    [PGS_KERNEL_QUERY_GRIDS] = {pgs_kernel_query_grids, &pgs_kernel_query_grids_words},
    [PGS_KERNEL_POOL_CLOSE] = {pgs_kernel_pool_close, &pgs_kernel_pool_close_words},
    [PGS_KERNEL_INDIRECT] = {pgs_kernel_indirect, &pgs_kernel_indirect_words},
    [PGS_KERNEL_INDIRECT_INLINE] = {pgs_kernel_indirect_inline, &pgs_kernel_indirect_inline_words},
    [PGS_KERNEL_INDIRECT_ONE] = {pgs_kernel_indirect_one, &pgs_kernel_indirect_one_words},
    [PGS_KERNEL_INDIRECT_ROUND] = {pgs_kernel_indirect_round, &pgs_kernel_indirect_round_words},
    [PGS_KERNEL_INDIRECT_PATCHES] = {pgs_kernel_indirect_patches,
                                     &pgs_kernel_indirect_patches_words},
    [PGS_KERNEL_INTERVAL_END] = {pgs_kernel_interval_end, &pgs_kernel_interval_end_words},
    [PGS_KERNEL_INTERVAL_STORE] = {pgs_kernel_interval_store, &pgs_kernel_interval_store_words},
};

/* Of PGS_ROW_KERNELS. */
static const struct code row_code[PGS_KERNEL_COUNT] = {
    [PGS_KERNEL_COUNT_TILES] = {pgs_kernel_count_tiles_rows, &pgs_kernel_count_tiles_rows_words},
    [PGS_KERNEL_EXPAND_POLYGONS] = {pgs_kernel_expand_polygons_rows,
                                    &pgs_kernel_expand_polygons_rows_words},
    [PGS_KERNEL_TESSELLATE] = {pgs_kernel_tessellate_each, &pgs_kernel_tessellate_each_words},
    [PGS_KERNEL_PICK_SCAN] = {pgs_kernel_pick_scan_rows, &pgs_kernel_pick_scan_rows_words},
    [PGS_KERNEL_PICK_LIST] = {pgs_kernel_pick_list_rows, &pgs_kernel_pick_list_rows_words},
};

static struct code code_of(const struct pgs_device *dev, enum pgs_kernel kernel)
{
    return pgs_row_kernels(dev->physical) >> kernel & 1 ? row_code[kernel] : kernel_code[kernel];
}

static VkResult create_layout(const struct pgs_device *dev, VkPipelineLayout *layout)
{
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = pgs_root_push_B(dev->physical)};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, layout);
}

/* If that needs another kernel than the code has, *joined owns it. */
static struct code join_loads(const struct pgs_device *dev, enum pgs_kernel kernel,
                              struct code code, struct pgs_spv_blob *joined)
{
    *joined = (struct pgs_spv_blob){0};
    if (!dev->physical->traits.joins_loads || !(PGS_JOINED_KERNELS >> kernel & 1) ||
        pgs_spv_join_kernel(code.words, *code.word_count, joined) != PGS_SPV_OK)
        return code;
    return (struct code){joined->words, &joined->word_count};
}

static VkResult compile(struct pgs_device *dev, enum pgs_kernel kernel, VkPipelineLayout layout,
                        VkPipeline *pipeline)
{
    struct pgs_spv_blob joined;
    const struct code code = join_loads(dev, kernel, code_of(dev, kernel), &joined);
    VkShaderModule module;
    VkResult result = pgs_module_create_driver(dev, code.words, *code.word_count, &module);
    if (result != VK_SUCCESS) {
        pgs_spv_blob_free(&joined);
        return result;
    }
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout,
        .basePipelineIndex = -1,
    };
    result =
        pgs_compile_compute(dev, VK_NULL_HANDLE, code.words, *code.word_count, &info, pipeline);
    dev->vk.DestroyShaderModule(dev->handle, module, NULL);
    pgs_spv_blob_free(&joined);
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

/* The kernel if it is made. */
static VkPipeline find_made(struct pgs_pipeline_device *objects, enum pgs_kernel kernel,
                            bool *is_expected)
{
    pthread_mutex_lock(&objects->kernel_lock);
    const VkPipeline pipeline = objects->kernels[kernel];
    *is_expected = objects->expected_kernels >> kernel & 1;
    pthread_mutex_unlock(&objects->kernel_lock);
    return pipeline;
}

static VkResult make(struct pgs_device *dev, enum pgs_kernel kernel, VkPipelineLayout layout,
                     VkPipeline *pipeline)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    VkPipeline made;
    const VkResult result = compile(dev, kernel, layout, &made);
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

/* If this fails, who wants the kernel tries again and gets the error. */
static void run_task(struct pgs_task *task)
{
    struct pgs_kernel_task *own =
        (struct pgs_kernel_task *)((char *)task - offsetof(struct pgs_kernel_task, task));
    VkPipelineLayout layout;
    VkPipeline pipeline;
    if (get_layout(own->dev, &layout) == VK_SUCCESS)
        make(own->dev, own->kernel, layout, &pipeline);
}

static void offer(struct pgs_device *dev, uint64_t mask, enum pgs_task_rank rank)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    pthread_mutex_lock(&objects->kernel_lock);
    for (int k = PGS_KERNEL_COUNT - 1; k >= 0; k--) { /* the long ones first */
        struct pgs_kernel_task *own = &objects->kernel_tasks[k];
        if (!(mask >> k & 1) || objects->kernels[k])
            continue;
        if (objects->expected_kernels >> k & 1) {
            if (rank == PGS_TASK_WANTED)
                pgs_workers_want(objects->workers, &own->task);
            continue;
        }
        *own = (struct pgs_kernel_task){
            .task = {.run = run_task, .rank = rank}, .dev = dev, .kernel = (enum pgs_kernel)k};
        objects->expected_kernels |= PGS_KERNEL_BIT(k);
        pgs_workers_offer(objects->workers, &own->task);
    }
    pthread_mutex_unlock(&objects->kernel_lock);
}

void pgs_kernels_expect(struct pgs_device *dev, uint64_t mask)
{
    offer(dev, mask, PGS_TASK_WANTED);
}

void pgs_kernels_guess(struct pgs_device *dev, uint64_t mask)
{
    offer(dev, mask, PGS_TASK_GUESS);
}

VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    bool is_expected;
    const VkResult result = get_layout(dev, layout);
    if (result != VK_SUCCESS)
        return result;
    *pipeline = find_made(objects, kernel, &is_expected);
    if (!*pipeline && is_expected &&
        !pgs_workers_drop(objects->workers, &objects->kernel_tasks[kernel].task))
        *pipeline = find_made(objects, kernel, &is_expected);
    return *pipeline ? VK_SUCCESS : make(dev, kernel, *layout, pipeline);
}
