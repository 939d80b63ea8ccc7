/* SPDX-License-Identifier: MIT
 *
 * What the driver makes of the layer's compute shaders and the layer keeps on disk, on a fake
 * driver: a later device gets it back, unless it is another one; and nothing else changes.
 */
#include "base/alloc.h"
#include "pipeline/kernels.h"
#include "pipeline/pipeline.h"
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

/* -- a driver with caches -- */

static struct {
    unsigned char given[64], binary[64]; /* data of the last cache, and what the next one gives */
    size_t given_B, binary_B;
    int asked; /* vkGetPipelineCacheData with room for data */
} caches;

static VkResult create_cache_of(VkDevice handle, const VkPipelineCacheCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkPipelineCache *cache)
{
    caches.given_B = info->initialDataSize;
    assert_true(caches.given_B <= sizeof(caches.given));
    if (caches.given_B)
        memcpy(caches.given, info->pInitialData, caches.given_B);
    return create_cache(handle, info, allocator, cache);
}

static VkResult get_data(VkDevice handle, VkPipelineCache cache, size_t *size_B, void *data)
{
    (void)handle;
    assert_true(cache != VK_NULL_HANDLE);
    if (data) {
        assert_true(*size_B >= caches.binary_B);
        memcpy(data, caches.binary, caches.binary_B);
        caches.asked++;
    }
    *size_B = caches.binary_B;
    return VK_SUCCESS;
}

/* -- tests -- */

static char folder[] = "/tmp/pgs-binary-XXXXXX";

static int set_up_folder(void **state)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    instance.settings.cache_dir = folder;
    memset(&caches, 0, sizeof(caches));
    device.vk.CreatePipelineCache = create_cache_of;
    device.vk.GetPipelineCacheData = get_data;
    return set_up(state);
}

static int tear_down_folder(void **state)
{
    char command[64];
    const int left = tear_down(state);
    instance.settings.cache_dir = NULL;
    physical.properties.driverVersion = 0;
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    return left || system(command);
}

/* What the driver's caches give from now on. */
static void make_binary(const char *text, size_t size_B)
{
    memset(caches.binary, 0, sizeof(caches.binary));
    memcpy(caches.binary, text, strlen(text));
    caches.binary_B = size_B;
}

/* Compiles a kernel on a new device. True: the driver was given `text` with it. */
static bool finds(void **state, enum pgs_kernel kernel, const char *text)
{
    VkPipeline pipeline;
    VkPipelineLayout layout;
    assert_int_equal(tear_down(state), 0);
    assert_int_equal(set_up(state), 0);
    caches.asked = 0;
    assert_int_equal(pgs_kernel_get(&device, kernel, &pipeline, &layout), VK_SUCCESS);
    return caches.given_B >= strlen(text) && memcmp(caches.given, text, strlen(text)) == 0;
}

static void another_device_gets_it(void **state)
{
    make_binary("of a kernel", 40);
    assert_false(finds(state, PGS_KERNEL_EXPAND, "of a kernel"));
    assert_int_equal(caches.asked, 1);
    assert_true(finds(state, PGS_KERNEL_EXPAND, "of a kernel"));
    assert_int_equal(caches.given_B, 40);
    assert_int_equal(caches.asked, 0); /* nothing new */
    assert_false(finds(state, PGS_KERNEL_INDIRECT, "of a kernel"));
}

static void what_is_new_is_kept(void **state)
{
    make_binary("short", 40);
    assert_false(finds(state, PGS_KERNEL_EXPAND, "short"));
    make_binary("longer", 48);
    assert_true(finds(state, PGS_KERNEL_EXPAND, "short"));
    assert_true(finds(state, PGS_KERNEL_EXPAND, "longer"));
    assert_int_equal(caches.given_B, 48);
}

static void another_driver_does_not(void **state)
{
    make_binary("of a driver", 40);
    assert_false(finds(state, PGS_KERNEL_EXPAND, "of a driver"));
    physical.properties.driverVersion++;
    assert_false(finds(state, PGS_KERNEL_EXPAND, "of a driver"));
    physical.properties.driverVersion--;
    physical.properties.pipelineCacheUUID[15] = 1;
    assert_false(finds(state, PGS_KERNEL_EXPAND, "of a driver"));
    physical.properties.pipelineCacheUUID[15] = 0;
    assert_true(finds(state, PGS_KERNEL_EXPAND, "of a driver"));
}

/* lavapipe and SwiftShader have nothing in their caches. */
static void a_header_is_not_kept(void **state)
{
    make_binary("a header", 32);
    assert_false(finds(state, PGS_KERNEL_EXPAND, "a header"));
    assert_false(finds(state, PGS_KERNEL_EXPAND, "a header"));
    assert_int_equal(caches.asked, 0);
}

static void compute_shaders_of_pipelines_are_kept(void **state)
{
    (void)state;
    VkPipeline pipeline;
    make_binary("of a pipeline", 40);
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_true(caches.asked > 0);
    destroy(pipeline);
}

/* The application saves its own cache, where the driver puts what it compiles. */
static void applications_keep_theirs(void **state)
{
    (void)state;
    VkPipeline pipeline;
    const VkPipelineCache own = (VkPipelineCache)(uintptr_t)0xA4;
    make_binary("of a program", 40);
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, own, 1, &app.info, NULL, &pipeline),
        VK_SUCCESS);
    assert_int_equal(caches.asked, 0);
    destroy(pipeline);
}

static void lives_without_memory_or_caches(void **state)
{
    VkPipeline pipeline;
    VkPipelineLayout layout;
    make_binary("lost", 40);
    fake_cache.result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_EXPAND, &pipeline, &layout), VK_SUCCESS);
    for (int n = 1; n < 20; n++) {
        assert_int_equal(tear_down(state), 0);
        assert_int_equal(set_up(state), 0);
        make_binary("found", 40);
        pgs_alloc_fail_after(n, false);
        assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_EXPAND, &pipeline, &layout),
                         VK_SUCCESS);
        pgs_alloc_fail_after(0, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_folder, tear_down_folder)
        TEST(another_device_gets_it),
        TEST(what_is_new_is_kept),
        TEST(another_driver_does_not),
        TEST(a_header_is_not_kept),
        TEST(compute_shaders_of_pipelines_are_kept),
        TEST(applications_keep_theirs),
        TEST(lives_without_memory_or_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
