/* SPDX-License-Identifier: MIT
 *
 * Translations that are kept on disk, on a fake driver and a fake spirv/: a later device finds
 * them, and only for equal shaders and equal state.
 */
#include "base/alloc.h"
#include "pipeline/bind_sets.h"
#include "pipeline/find.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "pipeline/shader.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

static char folder[] = "/tmp/pgs-translation-XXXXXX";

/* The driver keeps nothing in its caches. */
static VkResult get_no_data(VkDevice handle, VkPipelineCache cache, size_t *size_B, void *data)
{
    (void)handle;
    assert_true(cache && !data);
    *size_B = 0;
    return VK_SUCCESS;
}

static int set_up_cache(void **state)
{
    device.vk.GetPipelineCacheData = get_no_data;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    instance.settings.cache_dir = folder;
    instance.settings.fuse = PGS_FUSE_ALWAYS;
    fused_result = PGS_SPV_OK;
    return set_up(state);
}

static int tear_down_cache(void **state)
{
    char command[64];
    const int left = tear_down(state);
    instance.settings.cache_dir = NULL;
    instance.settings.fuse = PGS_FUSE_AUTO;
    fused_result = PGS_SPV_OK;
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    return left || system(command);
}

/* True if the fused shader was translated, or kept. Draws could do without it. */
static bool creates_fused(void)
{
    VkPipeline pipeline;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    const bool fused =
        pgs_pipeline_has(pgs_emulated_pipeline_find(&device, pipeline), PGS_VARIANT_FUSED);
    destroy(pipeline);
    return fused;
}

/* Ends the device and makes another, on which two shaders cannot be fused. */
static void start_again(void **state)
{
    assert_int_equal(tear_down(state), 0);
    assert_int_equal(set_up(state), 0);
    fused_result = PGS_SPV_UNSUPPORTED;
}

static void another_device_translates_nothing(void **state)
{
    assert_true(creates_fused());
    start_again(state);
    assert_true(creates_fused());
    instance.settings.cache_dir = NULL;
    start_again(state);
    assert_false(creates_fused());
}

static void what_differs_is_translated(void **state)
{
    assert_true(creates_fused());
    start_again(state);
    app.spec_value++;
    assert_false(creates_fused());
    app.spec_value--;
    app.stages[1].pName = "another";
    assert_false(creates_fused());
    app.stages[1].pName = "entry";
    app.attributes[1].format = VK_FORMAT_R32G32B32_SFLOAT;
    assert_false(creates_fused());
    app.attributes[1].format = VK_FORMAT_R32G32_SFLOAT;
    assert_true(creates_fused());
}

static void lives_without_memory(void **state)
{
    (void)state;
    VkResult result = VK_ERROR_UNKNOWN;
    for (int n = 1; result != VK_SUCCESS; n++) {
        pgs_alloc_fail_after(n, false);
        VkPipeline pipeline;
        result = create(1, &app.info, &pipeline);
        if (result == VK_SUCCESS)
            destroy(pipeline);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_cache, tear_down_cache)
        TEST(another_device_translates_nothing),
        TEST(what_differs_is_translated),
        TEST(lives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
