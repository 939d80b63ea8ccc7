/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_object on a fake driver: what of an object reaches the driver, linked or not, what
 * is left when creation fails, and how long pipelines live that stand in for objects.
 */
#include <vulkan/vulkan.h>

#ifdef VK_EXT_shader_object
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/object_pipelines.h"
#include "pipeline/pipeline.h"
#include "pipeline/shader_object.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

#define MAX_FAILURES 200
#define MAX_SEEN 16

/* What the driver was asked for. */
static struct {
    uint32_t calls, fail_at; /* fail_at: the number of a call, from 1 on; 0: none */
    uint32_t count;          /* of objects in all calls */
    uint32_t call_of[MAX_SEEN];
    VkShaderCreateInfoEXT infos[MAX_SEEN];
    uint32_t words[MAX_SEEN]; /* the first of each */
    int alive;
    uintptr_t last;
} seen;

static VkResult create_objects(VkDevice handle, uint32_t count, const VkShaderCreateInfoEXT *infos,
                               const VkAllocationCallbacks *allocator, VkShaderEXT *objects)
{
    (void)handle, (void)allocator;
    seen.calls++;
    for (uint32_t i = 0; i < count; i++) {
        if (seen.count < MAX_SEEN) {
            seen.call_of[seen.count] = seen.calls;
            memcpy(&seen.words[seen.count], infos[i].pCode, sizeof(uint32_t));
            seen.infos[seen.count++] = infos[i];
        }
        objects[i] = VK_NULL_HANDLE;
        if (seen.calls == seen.fail_at)
            continue;
        objects[i] = (VkShaderEXT)(0x9000 + ++seen.last);
        seen.alive++;
    }
    return seen.calls == seen.fail_at ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static void destroy_object(VkDevice handle, VkShaderEXT object,
                           const VkAllocationCallbacks *allocator)
{
    (void)handle, (void)allocator;
    seen.alive -= object != VK_NULL_HANDLE;
}

static int set_up_objects(void **state)
{
    memset(&seen, 0, sizeof(seen));
    static const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
        VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
    memcpy(device.object_states, states, sizeof(states));
    device.object_state_count = sizeof(states) / sizeof(*states);
    device.mesh_shaders = false;
    device.vk.CreateShadersEXT = create_objects;
    device.vk.DestroyShaderEXT = destroy_object;
    return set_up(state);
}

static int tear_down_objects(void **state)
{
    const int result = tear_down(state);
    return seen.alive ? -1 : result;
}

static const uint32_t plain_word = WORD_PLAIN, geometry_word = WORD_GEOMETRY;
static const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT,
                                          0, 16};

static VkShaderCreateInfoEXT info_of(VkShaderStageFlagBits stage, VkShaderStageFlags next)
{
    return (VkShaderCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = stage,
        .nextStage = next,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = 4,
        .pCode = stage == VK_SHADER_STAGE_GEOMETRY_BIT ? &geometry_word : &plain_word,
        .pName = "entry",
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
}

#define OBJECTS 3
static void fill_infos(VkShaderCreateInfoEXT infos[OBJECTS], VkShaderCreateFlagsEXT flags)
{
    infos[0] = info_of(VK_SHADER_STAGE_VERTEX_BIT,
                       VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
    infos[1] = info_of(VK_SHADER_STAGE_FRAGMENT_BIT, 0);
    infos[2] = info_of(VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT);
    for (int i = 0; i < OBJECTS; i++)
        infos[i].flags = flags;
}

static void destroy_all(uint32_t count, const VkShaderEXT *objects)
{
    for (uint32_t i = 0; i < count; i++)
        pgs_DestroyShaderEXT(VK_NULL_HANDLE, objects[i], NULL);
}

static void reach_the_driver_without_what_it_lacks(void **state)
{
    VkShaderCreateInfoEXT infos[OBJECTS];
    VkShaderEXT objects[OBJECTS];
    (void)state;
    fill_infos(infos, 0);
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, OBJECTS, infos, NULL, objects),
                     VK_SUCCESS);
    assert_int_equal(seen.calls, OBJECTS);
    assert_int_equal(seen.infos[0].stage, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(seen.infos[0].nextStage, VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_int_equal(seen.infos[0].pushConstantRangeCount, 1);
    assert_int_equal(seen.infos[1].stage, VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_int_equal(seen.infos[2].stage, VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(seen.infos[2].nextStage, 0);
    assert_true(pgs_shader_object_find(&device, objects[0])->native);
    assert_false(pgs_shader_object_find(&device, objects[2])->native);
    destroy_all(OBJECTS, objects);
    assert_null(pgs_shader_object_find(&device, objects[0]));
}

/* Only for what follows a geometry shader. */
static void are_not_native_in_front_of_emulated_stages(void **state)
{
    const VkShaderCreateInfoEXT info =
        info_of(VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT);
    VkShaderEXT object;
    (void)state;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 1, &info, NULL, &object), VK_SUCCESS);
    assert_int_equal(seen.infos[0].stage, VK_SHADER_STAGE_COMPUTE_BIT);
    destroy_all(1, &object);
}

static void are_linked_by_the_driver_or_not_at_all(void **state)
{
    VkShaderCreateInfoEXT infos[OBJECTS];
    VkShaderEXT objects[OBJECTS];
    (void)state;
    fill_infos(infos, VK_SHADER_CREATE_LINK_STAGE_BIT_EXT);
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 2, infos, NULL, objects), VK_SUCCESS);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.infos[1].flags, VK_SHADER_CREATE_LINK_STAGE_BIT_EXT);
    destroy_all(2, objects);
    memset(&seen, 0, sizeof(seen));
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, OBJECTS, infos, NULL, objects),
                     VK_SUCCESS);
    for (int i = 0; i < OBJECTS; i++) {
        assert_int_equal(seen.infos[i].stage, VK_SHADER_STAGE_COMPUTE_BIT);
        assert_int_equal(seen.infos[i].flags, 0);
        assert_false(pgs_shader_object_find(&device, objects[i])->native);
    }
    destroy_all(OBJECTS, objects);
}

/* A fragment shader that the driver refuses behind vertex shaders. */
static void come_behind_mesh_shaders(void **state)
{
    VkShaderCreateInfoEXT info = info_of(VK_SHADER_STAGE_FRAGMENT_BIT, 0);
    VkShaderEXT object;
    (void)state;
    info.pCode = &geometry_word;
    for (int mesh = 0; mesh < 2; mesh++) {
        memset(&seen, 0, sizeof(seen));
        device.mesh_shaders = mesh;
        assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 1, &info, NULL, &object), VK_SUCCESS);
        assert_int_equal(seen.infos[0].stage,
                         mesh ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT);
        assert_int_equal(seen.words[0] == WORD_EXTRACTED, mesh);
        assert_false(pgs_shader_object_find(&device, object)->native);
        destroy_all(1, &object);
    }
    assert_true(fragment_options.behind_mesh);
}

/* Linked with a mesh shader it is the driver's; with a geometry shader all are emulated. */
static void are_linked_with_mesh_shaders(void **state)
{
    VkShaderCreateInfoEXT infos[2] = {
        info_of(VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT),
        info_of(VK_SHADER_STAGE_FRAGMENT_BIT, 0)};
    VkShaderEXT objects[2];
    (void)state;
    device.mesh_shaders = true;
    infos[1].pCode = &geometry_word;
    infos[0].flags = infos[1].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 2, infos, NULL, objects), VK_SUCCESS);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.infos[0].stage, VK_SHADER_STAGE_MESH_BIT_EXT);
    assert_int_equal(seen.infos[1].stage, VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_int_equal(seen.words[1], WORD_EXTRACTED);
    assert_true(pgs_shader_object_find(&device, objects[1])->native);
    destroy_all(2, objects);
    memset(&seen, 0, sizeof(seen));
    infos[0] = info_of(VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT);
    infos[0].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 2, infos, NULL, objects), VK_SUCCESS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(seen.infos[i].stage, VK_SHADER_STAGE_COMPUTE_BIT);
    destroy_all(2, objects);
}

/* The first that is VK_NULL_HANDLE has failed; those before are the application's. */
static void stop_at_the_first_failure(void **state)
{
    VkShaderCreateInfoEXT infos[OBJECTS];
    VkShaderEXT objects[OBJECTS];
    (void)state;
    fill_infos(infos, 0);
    seen.fail_at = 2;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, OBJECTS, infos, NULL, objects),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_non_null((void *)objects[0]);
    assert_null((void *)objects[1]);
    assert_null((void *)objects[2]);
    assert_int_equal(seen.alive, 1);
    destroy_all(OBJECTS, objects);
}

static void report_that_memory_is_out(void **state)
{
    VkResult result = VK_ERROR_UNKNOWN;
    (void)state;
    for (int linked = 0; linked < 2; linked++) {
        result = VK_ERROR_UNKNOWN;
        for (int64_t n = 1; result != VK_SUCCESS; n++) {
            VkShaderCreateInfoEXT infos[OBJECTS];
            VkShaderEXT objects[OBJECTS];
            assert_true(n < MAX_FAILURES);
            fill_infos(infos, linked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0);
            const int64_t live = pgs_alloc_live();
            pgs_alloc_fail_after(n, false);
            result = pgs_CreateShadersEXT(VK_NULL_HANDLE, 2, infos, NULL, objects);
            pgs_alloc_fail_after(0, false);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            destroy_all(2, objects);
            assert_int_equal(seen.alive, 0);
            /* the tables may have grown */
            assert_true(pgs_alloc_live() <= live + 16);
        }
    }
}

static void come_back_from_binaries(void **state)
{
    VkShaderCreateInfoEXT info = info_of(VK_SHADER_STAGE_GEOMETRY_BIT, 0);
    VkShaderEXT objects[2];
    _Alignas(16) unsigned char binary[512];
    size_t size_B = 0;
    (void)state;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 1, &info, NULL, &objects[0]), VK_SUCCESS);
    assert_int_equal(pgs_GetShaderBinaryDataEXT(VK_NULL_HANDLE, objects[0], &size_B, NULL),
                     VK_SUCCESS);
    assert_true(size_B > 0 && size_B <= sizeof(binary));
    size_t less_B = size_B - 1;
    assert_int_equal(pgs_GetShaderBinaryDataEXT(VK_NULL_HANDLE, objects[0], &less_B, binary),
                     VK_INCOMPLETE);
    assert_int_equal(less_B, 0);
    assert_int_equal(pgs_GetShaderBinaryDataEXT(VK_NULL_HANDLE, objects[0], &size_B, binary),
                     VK_SUCCESS);
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.codeSize = size_B;
    info.pCode = binary;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 1, &info, NULL, &objects[1]), VK_SUCCESS);
    assert_string_equal(pgs_shader_object_find(&device, objects[1])->name, "entry");
    destroy_all(2, objects);
    binary[size_B / 2] ^= 1;
    const VkShaderCreateInfoEXT both[2] = {info_of(VK_SHADER_STAGE_FRAGMENT_BIT, 0), info};
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 2, both, NULL, objects),
                     VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    assert_non_null((void *)objects[0]);
    assert_null((void *)objects[1]);
    destroy_all(2, objects);
}

static void are_stood_in_for_as_long_as_they_live(void **state)
{
    VkShaderCreateInfoEXT infos[OBJECTS];
    VkShaderEXT objects[OBJECTS];
    VkPipeline first, again, other;
    struct pgs_object_key key;
    (void)state;
    fill_infos(infos, 0);
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, OBJECTS, infos, NULL, objects),
                     VK_SUCCESS);
    memset(&key, 0, sizeof(key));
    key.stages[0] = pgs_shader_object_find(&device, objects[0]);
    key.stages[4] = pgs_shader_object_find(&device, objects[1]);
    key.target.color_count = 1;
    key.target.colors[0] = VK_FORMAT_R8G8B8A8_UNORM;
    key.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    assert_int_equal(pgs_object_pipeline_get(&device, &key, &first), VK_SUCCESS);
    assert_int_equal(pgs_object_pipeline_get(&device, &key, &again), VK_SUCCESS);
    assert_ptr_equal(first, again);
    key.target.colors[0] = VK_FORMAT_R32_UINT;
    assert_int_equal(pgs_object_pipeline_get(&device, &key, &other), VK_SUCCESS);
    assert_ptr_not_equal(first, other);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 2);
    pgs_DestroyShaderEXT(VK_NULL_HANDLE, objects[2], NULL);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 2);
    pgs_DestroyShaderEXT(VK_NULL_HANDLE, objects[1], NULL);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    /* That of the application is not concerned. */
    VkPipeline own;
    assert_int_equal(create(1, &app.info, &own), VK_SUCCESS);
    pgs_DestroyShaderEXT(VK_NULL_HANDLE, objects[0], NULL);
    assert_non_null(pgs_emulated_pipeline_find(&device, own));
    destroy(own);
}

/* The device frees what the application did not destroy. */
static void die_with_the_device(void **state)
{
    const VkShaderCreateInfoEXT info = info_of(VK_SHADER_STAGE_GEOMETRY_BIT, 0);
    VkShaderEXT object;
    (void)state;
    assert_int_equal(pgs_CreateShadersEXT(VK_NULL_HANDLE, 1, &info, NULL, &object), VK_SUCCESS);
    seen.alive = 0; /* the driver's own is the application's fault */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_objects, tear_down_objects)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reach_the_driver_without_what_it_lacks),
        TEST(are_not_native_in_front_of_emulated_stages),
        TEST(are_linked_by_the_driver_or_not_at_all),
        TEST(come_behind_mesh_shaders),
        TEST(are_linked_with_mesh_shaders),
        TEST(stop_at_the_first_failure),
        TEST(report_that_memory_is_out),
        TEST(come_back_from_binaries),
        TEST(are_stood_in_for_as_long_as_they_live),
        TEST(die_with_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77; /* the headers are older than the extension */
}
#endif
