/* SPDX-License-Identifier: MIT
 *
 * Generated commands (VK_EXT_device_generated_commands) on a fake driver, draw module and pipeline
 * module: what reaches the driver, in which order, and what is left out.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_split.h"

#ifdef VK_EXT_device_generated_commands

static void execute_generated(VkCommandBuffer cb, VkBool32 preprocessed,
                              const VkGeneratedCommandsInfoEXT *info)
{
    (void)cb;
    note("execute generated %u%s", info->maxSequenceCount, preprocessed ? " preprocessed" : "");
}

static void preprocess(VkCommandBuffer cb, const VkGeneratedCommandsInfoEXT *info,
                       VkCommandBuffer state)
{
    (void)cb, (void)info, (void)state;
    note("preprocess");
}

static int set_up_generated(void **context)
{
    if (setup(context) != 0)
        return -1;
    dev.vk.CmdExecuteGeneratedCommandsEXT = execute_generated;
    dev.vk.CmdPreprocessGeneratedCommandsEXT = preprocess;
    return 0;
}

static VkGeneratedCommandsInfoEXT commands(VkShaderStageFlags stages, uint32_t count)
{
    return (VkGeneratedCommandsInfoEXT){.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                        .shaderStages = stages,
                                        .maxSequenceCount = count};
}

static void run(VkShaderStageFlags stages, uint32_t count, VkBool32 preprocessed)
{
    VkGeneratedCommandsInfoEXT info = commands(stages, count);
    pgs_CmdExecuteGeneratedCommandsEXT(cmd, preprocessed, &info);
    memset(&info, 0, sizeof(info)); /* the application's again */
}

/* They wait in the queue of a pass, after the state that the application has set there, so nothing
 * is preprocessed ahead. */
static void the_driver_draws_in_order(void **context)
{
    (void)context;
    const VkShaderStageFlags graphics = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    const VkGeneratedCommandsInfoEXT ahead = commands(graphics, 5);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    fake_possible = true;
    begin(cmd, 0);
    forget();
    pgs_CmdPreprocessGeneratedCommandsEXT(cmd, &ahead, cmd);
    begin_draw(pass);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    run(graphics, 5, VK_TRUE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    run(graphics, 7, VK_FALSE); /* with an emulated pipeline: left out */
    assert_string_equal(event_log.text, "");
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "barrier; batch of 2; begin pass; bind NATIVE; draw 3; bind EMULATED; "
                        "replay 4; bind NATIVE; execute generated 5; bind EMULATED; replay 6; "
                        "end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void dispatches_go_straight(void **context)
{
    (void)context;
    begin(cmd, 0);
    forget();
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE);
    run(VK_SHADER_STAGE_COMPUTE_BIT, 2, VK_TRUE);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text, "bind EMULATED; bind compute COMPUTE; execute generated 2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_generated, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_driver_draws_in_order),
        TEST(dispatches_go_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77;
}
#endif
