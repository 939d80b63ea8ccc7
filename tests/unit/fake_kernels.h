/* SPDX-License-Identifier: MIT
 *
 * The part of fake_recorder.h, which includes it, that stands for the pipeline module.
 */
#ifndef PGS_TEST_FAKE_KERNELS_H
#define PGS_TEST_FAKE_KERNELS_H

#include "pipeline/generic.h"
#include "pipeline/kernels.h"
#include "pipeline/make_variants.h"
#include "pipeline/stored_ahead.h"

VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout)
{
    (void)dev;
    if (fake.no_kernels)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    *pipeline = (VkPipeline)(uintptr_t)(FAKE_KERNEL_PIPELINE + kernel);
    *layout = (VkPipelineLayout)(uintptr_t)FAKE_KERNEL_LAYOUT;
    return VK_SUCCESS;
}

static bool fake_lacks_kernels_only; /* with no_kernels: variants are made */

/* What a test gives is made already; a draw asks for nothing else. */
VkResult pgs_variants_make(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost)
{
    *lost = false;
    for (int v = 0; v < PGS_VARIANT_COUNT; v++)
        if (mask >> v & 1)
            assert_non_null(pgs_variant_handle(pipeline, (enum pgs_variant)v));
    return fake.no_kernels && !fake_lacks_kernels_only ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

/* What stored draws take, so far. */
static bool fake_stored_is_made;
static uint32_t fake_stored_expected;

bool pgs_stored_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    return fake_stored_is_made;
}

void pgs_stored_expect(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    fake_stored_expected++;
}

static uint32_t fake_listing_expected;

void pgs_listing_expect(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    fake_listing_expected++;
}

static uint32_t fake_sift_expected;

void pgs_sift_expect(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    fake_sift_expected++;
}

static uint32_t fake_bound_expected, fake_pick_expected;

void pgs_bound_expect(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    fake_bound_expected++;
}

void pgs_pick_expect(const struct pgs_emulated_pipeline *pipeline)
{
    (void)pipeline;
    fake_pick_expected++;
}

/* No fake pipeline has generic variants, or awaits any. */
void pgs_generic_await(const struct pgs_emulated_pipeline *pipeline, uint32_t variants,
                       uint32_t instead)
{
    (void)pipeline;
    (void)variants;
    (void)instead;
}

void pgs_generic_replace(const struct pgs_emulated_pipeline *pipeline, uint32_t variants)
{
    (void)pipeline;
    assert_int_equal(variants, 0);
}

static const char *const fake_kernel_names[PGS_KERNEL_COUNT] = {
    [PGS_KERNEL_RESTART_TILES] = "restart_tiles",
    [PGS_KERNEL_RESTART_SCAN] = "restart_scan",
    [PGS_KERNEL_RESTART_EMIT] = "restart_emit",
    [PGS_KERNEL_COUNT_TILES] = "count_tiles",
    [PGS_KERNEL_COUNT_TILES_ANY] = "count_tiles_any",
    [PGS_KERNEL_SCAN_TILES] = "scan_tiles",
    [PGS_KERNEL_EXPAND] = "expand",
    [PGS_KERNEL_EXPAND_SHARED] = "expand_shared",
    [PGS_KERNEL_EXPAND_CUT] = "expand_cut",
    [PGS_KERNEL_EXPAND_ANY] = "expand_any",
    [PGS_KERNEL_EXPAND_POLYGONS] = "expand_polygons",
    [PGS_KERNEL_SIFT_SCAN] = "sift_scan",
    [PGS_KERNEL_SIFT_LIST] = "sift_list",
    [PGS_KERNEL_PICK_SCAN] = "pick_scan",
    [PGS_KERNEL_PICK_LIST] = "pick_list",
    [PGS_KERNEL_STIPPLE] = "stipple",
    [PGS_KERNEL_SETUP] = "setup",
    [PGS_KERNEL_SETUP_ARGS] = "setup_args",
    [PGS_KERNEL_DRAW_COUNT] = "draw_count",
    [PGS_KERNEL_TESS_COUNT] = "tess_count",
    [PGS_KERNEL_TESS_FEW] = "tess_few",
    [PGS_KERNEL_TESS_ALLOT] = "tess_allot",
    [PGS_KERNEL_TESS_ROUND] = "tess_round",
    [PGS_KERNEL_TESSELLATE] = "tessellate",
    [PGS_KERNEL_CAPTURE_TILES] = "capture_tiles",
    [PGS_KERNEL_CAPTURE_SCAN] = "capture_scan",
    [PGS_KERNEL_XFB_PROGRAM] = "xfb_program",
    [PGS_KERNEL_XFB_STEPS] = "xfb_steps",
    [PGS_KERNEL_CAPTURE_GEOMETRY] = "capture_geometry",
    [PGS_KERNEL_POOL_CLOSE] = "pool_close",
    [PGS_KERNEL_INDIRECT] = "indirect",
    [PGS_KERNEL_INDIRECT_INLINE] = "indirect_inline",
    [PGS_KERNEL_INDIRECT_ONE] = "indirect_one",
    [PGS_KERNEL_INDIRECT_ROUND] = "indirect_round",
    [PGS_KERNEL_INDIRECT_PATCHES] = "indirect_patches",
    [PGS_KERNEL_INTERVAL_END] = "interval_end",
    [PGS_KERNEL_INTERVAL_STORE] = "interval_store",
};

#endif
