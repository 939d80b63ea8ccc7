/* SPDX-License-Identifier: MIT
 *
 * What pipelines share, on a fake driver and a fake spirv room: equal shaders are looked at once,
 * whoever created their modules, and different ones never taken for each other.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "pipeline/shader.h"
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

static struct pgs_shader *shader_of(const VkPipelineShaderStageCreateInfo *stage)
{
    struct pgs_shader *shader;
    assert_int_equal(pgs_shader_get(&device, stage, &shader), VK_SUCCESS);
    return shader;
}

/* By words, stage, entry point and constants, not by handle. */
static void equal_stages_are_one_shader(void **state)
{
    VkPipelineShaderStageCreateInfo stage = app.stages[0];
    (void)state;
    struct pgs_shader *first = shader_of(&app.stages[0]);
    const VkShaderModule other = module_of(WORD_PLAIN);
    stage.module = other;
    struct pgs_shader *again = shader_of(&stage);
    assert_ptr_equal(again, first);
    assert_int_equal(again->code.spec_entry_count, 1);
    assert_memory_equal(again->code.spec_data, &app.spec_value, 4);
    assert_string_equal(again->code.entry_point, "entry");
    pgs_shader_release(again);
    stage.pSpecializationInfo = NULL;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    app.spec_value++;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    app.spec_value--;
    stage.pName = "entrx";
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    stage.module = app.geometry;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, other, NULL);
    pgs_shader_release(first);
}

/* Longer than what is usual, so that the key is allocated. */
static void long_stages_are_shaders(void **state)
{
    char name[1000];
    VkPipelineShaderStageCreateInfo stage = app.stages[0];
    (void)state;
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = 0;
    stage.pName = name;
    struct pgs_shader *first = shader_of(&stage), *again = shader_of(&stage);
    assert_ptr_equal(first, again);
    assert_string_equal(first->code.entry_point, name);
    pgs_shader_release(first);
    pgs_shader_release(again);
    for (int n = 1; n <= 2; n++) { /* the key, the shader */
        pgs_alloc_fail_after(n, false);
        assert_int_equal(pgs_shader_get(&device, &stage, &first), VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(first);
        pgs_alloc_fail_after(0, false);
    }
}

static void looks_at_equal_shaders_once(void **state)
{
    VkPipeline pipelines[2];
    (void)state;
    geometry_reflections = 0;
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    const VkShaderModule other = module_of(WORD_GEOMETRY);
    app.stages[1].module = other;
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_SUCCESS);
    assert_int_equal(geometry_reflections, 1);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, other, NULL);
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

static void makes_one_pass_through(void **state)
{
    VkPipeline pipelines[3];
    (void)state;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    geometry_info.input_vertices = 2;
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    assert_int_equal(pass_through_corners, 2);
    pass_through_corners = 0;
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_SUCCESS);
    assert_int_equal(pass_through_corners, 0);
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    assert_int_equal(create(1, &app.info, &pipelines[2]), VK_SUCCESS);
    assert_int_equal(pass_through_corners, 3);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_stages_are_one_shader, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_stages_are_shaders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looks_at_equal_shaders_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(makes_one_pass_through, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
