/* SPDX-License-Identifier: MIT
 *
 * Crowds: as many pipelines, descriptor sets, passes and command buffers as engines have, all alive
 * at once, destroyed in odd orders, partly made anew in between. What is drawn must be right, and
 * time and memory grow no faster than their number, and come back.
 *
 * --count N: so many of each, in place of a few.
 */
#include "common/held.h"
#include "common/vkt.h"

#include "crowd_geom.h"
#include "crowd_vert.h"
#include "value_frag.h"

#include <stdlib.h>
#include <string.h>

#define MOST 16384u /* of each */
#define FEW 128u
#define SIDE_PX 128u /* a pixel for each of them */
#define KINDS 8u     /* different shaders; others differ in state */
#define NUMBERS 251u
#define STEP_B 256u       /* between them */
#define POOL_SETS 100u    /* of a descriptor pool */
#define BUFFER_PASSES 50u /* of a command buffer */
#define POOL_BUFFERS 8u   /* of a command pool */

#define POOLS(count, each) (((count) + (each)-1) / (each))

/* Everything that there are many of. */
struct crowd {
    uint32_t count;
    VkPipeline pipelines[MOST];
    VkDescriptorSet sets[MOST];
    VkDescriptorPool set_pools[POOLS(MOST, POOL_SETS)];
    VkCommandBuffer buffers[POOLS(MOST, BUFFER_PASSES)];
    VkCommandPool pools[POOLS(POOLS(MOST, BUFFER_PASSES), POOL_BUFFERS)];
};

/* CPU time that all objects of a crowd took, and what the process held. */
struct cost {
    double pipelines_s, sets_s, record_s, run_s, change_s, destroy_s;
    struct held before, full, after;
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer numbers;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    struct vkt_buffer pixels; /* of the target, once `read` has run */
    VkCommandBuffer read;
    struct crowd crowd;
    uint64_t random;
};

static uint32_t random_below(struct suite *s, uint32_t limit)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)(s->random >> 32) % limit;
}

/* 0 .. count - 1 in any order. */
static void shuffle(struct suite *s, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = random_below(s, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

/* -- what there are many of -- */

/* What a set refers to. */
static uint32_t number_of_set(uint32_t i)
{
    return i * 7 % NUMBERS;
}

static void make_pipeline(struct suite *s, uint32_t i)
{
    static const VkCullModeFlags culls[] = {VK_CULL_MODE_NONE, VK_CULL_MODE_BACK_BIT};
    const uint32_t kind = i % KINDS;
    const VkSpecializationMapEntry entry = {0, 0, sizeof(kind)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(kind), &kind};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(crowd_vert),
        .gs = VKT_CODE(crowd_geom),
        .fs = VKT_CODE(value_frag),
        .gs_constants = &constants,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .cull = culls[i / KINDS % 2],
        .front = (VkFrontFace)(i / KINDS / 2 % 2),
    };
    VKT_CALL(vkt_pipeline_try(&s->t, &info, &s->crowd.pipelines[i]));
}

static void make_set_pool(struct suite *s, uint32_t pool)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, POOL_SETS};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = POOL_SETS,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VKT_CALL(vkCreateDescriptorPool(s->t.device, &info, NULL, &s->crowd.set_pools[pool]));
}

static void make_set(struct suite *s, uint32_t i)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s->crowd.set_pools[i / POOL_SETS],
        .descriptorSetCount = 1,
        .pSetLayouts = &s->set_layout,
    };
    VKT_CALL(vkAllocateDescriptorSets(s->t.device, &info, &s->crowd.sets[i]));
    vkt_write_buffer(&s->t, s->crowd.sets[i], 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                     s->numbers.buffer, (VkDeviceSize)number_of_set(i) * STEP_B, 4);
}

static void make_command_pool(struct suite *s, uint32_t pool)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = s->t.queue_family,
    };
    VKT_CALL(vkCreateCommandPool(s->t.device, &info, NULL, &s->crowd.pools[pool]));
}

static void make_command_buffer(struct suite *s, uint32_t i)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->crowd.pools[i / POOL_BUFFERS],
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VKT_CALL(vkAllocateCommandBuffers(s->t.device, &info, &s->crowd.buffers[i]));
}

/* Pass i draws pixel i, with pipeline and set i. */
static void record_pass(struct suite *s, VkCommandBuffer cmd, uint32_t i)
{
    const uint32_t pushed[2] = {i, SIDE_PX};
    vkt_target_begin(cmd, &s->target, i > 0, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->crowd.pipelines[i]);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1,
                            &s->crowd.sets[i], 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(pushed), pushed);
    vkCmdDraw(cmd, 1, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
}

static uint32_t buffer_count(const struct suite *s)
{
    return POOLS(s->crowd.count, BUFFER_PASSES);
}

static void record_all(struct suite *s)
{
    for (uint32_t b = 0; b < buffer_count(s); b++) {
        const uint32_t end = (b + 1) * BUFFER_PASSES;
        VkCommandBuffer cmd = s->crowd.buffers[b];
        vkt_begin(cmd, 0);
        vkt_barrier_all(cmd); /* what was drawn before */
        for (uint32_t i = b * BUFFER_PASSES; i < end && i < s->crowd.count; i++)
            record_pass(s, cmd, i);
        vkt_barrier_all(cmd);
        VKT_CALL(vkEndCommandBuffer(cmd));
    }
}

static void run(struct suite *s, const VkCommandBuffer *buffers, uint32_t count)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = count,
        .pCommandBuffers = buffers,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
}

/* -- what comes of it -- */

static void check(struct suite *s, const char *when)
{
    const uint32_t *texels = s->pixels.map;
    uint32_t wrong = 0;
    run(s, &s->read, 1);
    for (uint32_t i = 0; i < s->crowd.count; i++)
        wrong += texels[i] != i % KINDS * 0x1000000u + number_of_set(i) * 0x100u + i;
    VKT_EXPECT(&s->t, !wrong, "%u %s: %u pixels are wrong", s->crowd.count, when, wrong);
}

static double since_s(double *at_s)
{
    const double now_s = held_cpu_s(), took_s = now_s - *at_s;
    *at_s = now_s;
    return took_s;
}

static void make_all(struct suite *s, struct cost *cost)
{
    const uint32_t count = s->crowd.count;
    double at_s = held_cpu_s();
    for (uint32_t i = 0; i < count; i++)
        make_pipeline(s, i);
    cost->pipelines_s = since_s(&at_s);
    for (uint32_t i = 0; i < POOLS(count, POOL_SETS); i++)
        make_set_pool(s, i);
    for (uint32_t i = 0; i < count; i++)
        make_set(s, i);
    cost->sets_s = since_s(&at_s);
    for (uint32_t i = 0; i < POOLS(buffer_count(s), POOL_BUFFERS); i++)
        make_command_pool(s, i);
    for (uint32_t i = 0; i < buffer_count(s); i++)
        make_command_buffer(s, i);
    record_all(s);
    cost->record_s = since_s(&at_s);
    run(s, s->crowd.buffers, buffer_count(s));
    cost->run_s = since_s(&at_s);
}

/* Half of the pipelines and sets anew, at random, while the others live; pools are reset. */
static void change_half(struct suite *s, struct cost *cost)
{
    static uint32_t order[MOST];
    double at_s = held_cpu_s();
    shuffle(s, order, s->crowd.count);
    for (uint32_t k = 0; k < s->crowd.count / 2; k++) {
        const uint32_t i = order[k];
        vkDestroyPipeline(s->t.device, s->crowd.pipelines[i], NULL);
        VKT_CALL(vkFreeDescriptorSets(s->t.device, s->crowd.set_pools[i / POOL_SETS], 1,
                                      &s->crowd.sets[i]));
    }
    for (uint32_t k = s->crowd.count / 2; k > 0; k--) {
        make_pipeline(s, order[k - 1]);
        make_set(s, order[k - 1]);
    }
    for (uint32_t i = 0; i < POOLS(buffer_count(s), POOL_BUFFERS); i++) {
        VKT_CALL(vkResetCommandPool(s->t.device, s->crowd.pools[i],
                                    i % 2 ? VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT : 0));
        vkTrimCommandPool(s->t.device, s->crowd.pools[i], 0);
    }
    record_all(s);
    run(s, s->crowd.buffers, buffer_count(s));
    cost->change_s = since_s(&at_s);
}

/* In any order, and what is used before what uses it. */
static void destroy_all(struct suite *s, struct cost *cost)
{
    static uint32_t order[MOST];
    double at_s = held_cpu_s();
    shuffle(s, order, s->crowd.count);
    for (uint32_t k = 0; k < s->crowd.count / 3; k++)
        vkDestroyPipeline(s->t.device, s->crowd.pipelines[order[k]], NULL);
    for (uint32_t i = POOLS(s->crowd.count, POOL_SETS); i > 0; i--) {
        if (i % 3 == 0)
            VKT_CALL(vkResetDescriptorPool(s->t.device, s->crowd.set_pools[i - 1], 0));
        vkDestroyDescriptorPool(s->t.device, s->crowd.set_pools[i - 1], NULL);
    }
    for (uint32_t i = 0; i < POOLS(buffer_count(s), POOL_BUFFERS); i++)
        vkDestroyCommandPool(s->t.device, s->crowd.pools[i], NULL);
    for (uint32_t k = s->crowd.count; k > s->crowd.count / 3; k--)
        vkDestroyPipeline(s->t.device, s->crowd.pipelines[order[k - 1]], NULL);
    cost->destroy_s = since_s(&at_s);
}

static struct cost live(struct suite *s, uint32_t count)
{
    struct cost cost = {.before = held_now()};
    s->crowd.count = count;
    make_all(s, &cost);
    check(s, "drawn");
    change_half(s, &cost);
    check(s, "drawn again");
    cost.full = held_now();
    destroy_all(s, &cost);
    cost.after = held_now();
    printf(
        "%s: %u of each, in us of CPU time for one: pipelines %.1f, sets %.1f, recording %.1f, "
        "running %.1f, "
        "half of "
        "them anew %.1f, destroying %.1f; %ld KiB in use before, %ld with all of them, %ld after\n",
        s->t.options.name, count, cost.pipelines_s * 1e6 / count, cost.sets_s * 1e6 / count,
        cost.record_s * 1e6 / count, cost.run_s * 1e6 / count, cost.change_s * 1e6 / count,
        cost.destroy_s * 1e6 / count, cost.before.used_KiB, cost.full.used_KiB,
        cost.after.used_KiB);
    return cost;
}

static double total_s(const struct cost *cost)
{
    return cost->pipelines_s + cost->sets_s + cost->record_s + cost->run_s + cost->change_s +
           cost->destroy_s;
}

/* Four times as many take no more than four times as much, with as much again for what varies; and
 * a second crowd finds all memory that it needs in what the first one left: lavapipe keeps that of
 * pipelines, and gives it back later. first: a quarter, with what all have in common. */
static void expect_linear(struct suite *s, const struct cost *first, const struct cost *quarter,
                          const struct cost *all, const struct cost *again)
{
    const double least_s = 1; /* below, other work decides */
    VKT_EXPECT(&s->t, total_s(all) < least_s || total_s(all) < 8 * total_s(quarter),
               "%.3f s for a quarter, %.3f s for all", total_s(quarter), total_s(all));
    VKT_EXPECT(&s->t, again->after.threads <= all->after.threads, "threads are left");
    VKT_EXPECT(&s->t, again->after.files <= all->after.files, "files are left");
    if (strstr(s->t.properties.deviceName, "SwiftShader"))
        return; /* which takes blocks of 64 MiB now and then */
    const long few_KiB = first->full.used_KiB - first->before.used_KiB;
    const long many_KiB = all->full.used_KiB - first->before.used_KiB;
    const long left_KiB = again->full.used_KiB - all->full.used_KiB;
    VKT_EXPECT(&s->t, many_KiB <= 5 * few_KiB, "%ld KiB for a quarter, %ld for all", few_KiB,
               many_KiB);
    VKT_EXPECT(&s->t, left_KiB <= 512 + s->crowd.count / 10, "the second crowd takes %ld KiB more",
               left_KiB);
}

static VkCommandBuffer record_read(struct suite *s)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };
    vkt_begin(cmd, 0);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, s->target.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           s->pixels.buffer, 1, &region);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void set_up(struct suite *s)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, 8};
    s->random = 0x9e3779b97f4a7c15u;
    s->target = vkt_target(&s->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s->numbers = vkt_buffer(&s->t, NUMBERS * STEP_B, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s->numbers.map)[i * STEP_B / 4] = i;
    s->set_layout = vkt_set_layout(&s->t, &binding, 1);
    s->layout = vkt_layout(&s->t, &s->set_layout, 1, &range, 1);
    s->pixels = vkt_buffer(&s->t, SIDE_PX * SIDE_PX * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    s->read = record_read(s);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-crowd", argc, argv);
    static struct suite s;
    uint32_t count = FEW;
    if (options.rest_count == 2 && vkt_flag(&options, "--count"))
        count = (uint32_t)strtoul(options.rest[1], NULL, 0);
    if (count < 4 || count > MOST)
        vkt_die("--count: 4 to %u", MOST);
    vkt_init(&s.t, &options);
    set_up(&s);
    const struct cost first = live(&s, count / 4), quarter = live(&s, count / 4);
    const struct cost all = live(&s, count), again = live(&s, count);
    expect_linear(&s, &first, &quarter, &all, &again);
    vkt_dump_buffer(&s.t, "pixels", s.pixels.map, count * 4);
    return vkt_finish(&s.t);
}
