/* SPDX-License-Identifier: MIT
 *
 * Sets at the edges of what is allowed: with descriptors that were never written, of variable
 * length, filled from sets of other layouts, of layouts that were destroyed, and used for the first
 * time by several threads at once.
 */
#include "common/vkt.h"

#include "descriptor_binds_frag.h"
#include "descriptor_binds_geom.h"
#include "descriptor_binds_list_geom.h"
#include "descriptor_binds_vert.h"

#define SIDE_PX 8u
#define STEP_B 256u
#define NUMBERS 16u
#define THREADS 4u
#define ROUNDS 8u

enum { FIRST, SECOND, PICTURE, LIST = 5 };

struct suite {
    struct vkt t;
    struct vkt_buffer numbers;
    struct vkt_image picture;
    struct vkt_target target;
    VkDescriptorSetLayout set_layout, other_layout;
    VkPipelineLayout layout;
    VkPipeline plain, list;
    VkDescriptorPool pool;
};

static uint32_t value_of(uint32_t number)
{
    return 1000 + number * 17;
}

static void make_layouts(struct suite *s)
{
    const VkShaderStageFlags geometry = VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {FIRST, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, geometry, NULL},
        {SECOND, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, geometry, NULL},
        {PICTURE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, geometry, NULL},
        {LIST, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, geometry, NULL},
    };
    const VkDescriptorBindingFlags partial = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    const VkDescriptorBindingFlags flags[] = {
        0, 0, partial, partial | VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = VKT_COUNT(flags),
        .pBindingFlags = flags,
    };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = s->t.features.partial_sets ? &flags_info : NULL,
        .bindingCount = VKT_COUNT(bindings),
        .pBindings = bindings,
    };
    const VkDescriptorSetLayoutBinding other = {7, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2,
                                                VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    VKT_CALL(vkCreateDescriptorSetLayout(s->t.device, &info, NULL, &s->set_layout));
    info.pNext = NULL;
    info.bindingCount = 1;
    info.pBindings = &other;
    VKT_CALL(vkCreateDescriptorSetLayout(s->t.device, &info, NULL, &s->other_layout));
    s->layout = vkt_layout(&s->t, &s->set_layout, 1, NULL, 0);
}

static void make_pool(struct suite *s)
{
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 32},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 16},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 48},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = 16,
        .poolSizeCount = VKT_COUNT(sizes),
        .pPoolSizes = sizes,
    };
    VKT_CALL(vkCreateDescriptorPool(s->t.device, &info, NULL, &s->pool));
}

static VkPipeline make_pipeline(struct suite *s, struct vkt_code gs)
{
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = VKT_CODE(descriptor_binds_vert),
                                   .gs = gs,
                                   .fs = VKT_CODE(descriptor_binds_frag),
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .width_px = SIDE_PX,
                                   .height_px = SIDE_PX,
                                   .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                               });
}

static VkDescriptorSet set_new(struct suite *s, VkDescriptorSetLayout layout, uint32_t length)
{
    const VkDescriptorSetVariableDescriptorCountAllocateInfo lengths = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &length,
    };
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .pNext = length && s->t.features.partial_sets ? &lengths : NULL,
        .descriptorPool = s->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    VkDescriptorSet set;
    VKT_CALL(vkAllocateDescriptorSets(s->t.device, &info, &set));
    return set;
}

static void write_number(struct suite *s, VkDescriptorSet set, uint32_t binding, uint32_t element,
                         uint32_t number)
{
    const VkDescriptorType type = binding == LIST     ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                  : binding == SECOND ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                                      : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    vkt_write_buffer(&s->t, set, binding, element, type, s->numbers.buffer,
                     (VkDeviceSize)number * STEP_B, 4);
}

/* Numbers of FIRST, SECOND and the second of LIST; 0: it has none. */
struct numbers {
    uint32_t first, second, listed;
};

static void write_numbers(struct suite *s, VkDescriptorSet set, struct numbers numbers)
{
    write_number(s, set, FIRST, 0, numbers.first);
    write_number(s, set, SECOND, 0, numbers.second);
    if (numbers.listed)
        write_number(s, set, LIST, 1, numbers.listed);
    if (s->t.features.partial_sets)
        return;
    for (uint32_t i = 0; i < 4; i++)
        if (i != 1 || !numbers.listed)
            write_number(s, set, LIST, i, 0);
    for (uint32_t i = 0; i < 3; i++)
        vkt_write_image(&s->t, set, PICTURE, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, s->picture.view,
                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_NULL_HANDLE);
}

static void record(const struct suite *s, VkCommandBuffer cmd, VkDescriptorSet set, bool listed)
{
    const uint32_t offset_B = STEP_B;
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &set, 1,
                            &offset_B);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, listed ? s->list : s->plain);
    vkCmdDraw(cmd, SIDE_PX * SIDE_PX, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
}

static void check(struct suite *s, const char *what, struct numbers numbers)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        wrong += texels[i] != i * 31 + value_of(numbers.first) * 3 +
                                  value_of(numbers.second + 1) * 5 +
                                  (numbers.listed ? value_of(numbers.listed) * 11 : 0);
    VKT_EXPECT(&s->t, !wrong, "%s: %u pixels are wrong", what, wrong);
}

static void dump(struct suite *s)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_buffer(&s->t, "last", pixels.map, SIDE_PX * SIDE_PX * 4);
}

static void draw(struct suite *s, const char *what, VkDescriptorSet set, struct numbers numbers)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    record(s, cmd, set, numbers.listed);
    vkt_submit(&s->t, cmd);
    check(s, what, numbers);
}

static void copy_from_other(struct suite *s, VkDescriptorSet set)
{
    const VkDescriptorSet other = set_new(s, s->other_layout, 0);
    write_number(s, other, 7, 1, 9);
    const VkCopyDescriptorSet copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = other,
        .srcBinding = 7,
        .srcArrayElement = 1,
        .dstSet = set,
        .dstBinding = FIRST,
        .descriptorCount = 1,
    };
    vkUpdateDescriptorSets(s->t.device, 0, NULL, 1, &copy);
    draw(s, "copied", set, (struct numbers){9, 2, 3});
}

/* -- threads -- */

struct worker {
    struct suite *s;
    struct vkt_thread thread;
    VkCommandBuffer commands[ROUNDS];
    const VkDescriptorSet *sets;
    pthread_t id;
};

static void *work(void *context)
{
    struct worker *w = context;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        record(w->s, w->commands[i], w->sets[i], true);
        VKT_CALL(vkEndCommandBuffer(w->commands[i]));
    }
    return NULL;
}

static void draw_in_threads(struct suite *s)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct worker workers[THREADS];
    VkDescriptorSet sets[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        sets[i] = set_new(s, s->set_layout, 2 + i % 3);
        write_numbers(s, sets[i], (struct numbers){i, i + 1, i + 2});
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        struct worker *w = &workers[i];
        w->s = s;
        w->sets = sets;
        vkt_thread_open(&w->thread, &s->t, &lock);
        for (uint32_t k = 0; k < ROUNDS; k++)
            w->commands[k] = vkt_thread_commands(&w->thread);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].id, NULL, work, &workers[i]))
            vkt_die("no thread");
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].id, NULL);
    for (uint32_t i = 0; i < THREADS; i++) {
        for (uint32_t k = 0; k < ROUNDS; k++) {
            vkt_thread_submit(&workers[i].thread, workers[i].commands[k]);
            check(s, "threads", (struct numbers){k, k + 1, k + 2});
        }
        vkt_thread_close(&workers[i].thread);
    }
    pthread_mutex_destroy(&lock);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-descriptor_lives", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    s.numbers =
        vkt_buffer(&s.t, NUMBERS * STEP_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s.numbers.map)[i * STEP_B / 4] = value_of(i);
    s.picture = vkt_image(&s.t, VK_FORMAT_R32_UINT, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_layouts(&s);
    make_pool(&s);
    s.plain = make_pipeline(&s, VKT_CODE(descriptor_binds_geom));
    s.list = make_pipeline(&s, VKT_CODE(descriptor_binds_list_geom));
    VkDescriptorSet set = set_new(&s, s.set_layout, 2);
    write_numbers(&s, set, (struct numbers){1, 2, 3});
    draw(&s, "written", set, (struct numbers){1, 2, 3});
    copy_from_other(&s, set);
    VKT_CALL(vkFreeDescriptorSets(s.t.device, s.pool, 2, (VkDescriptorSet[]){VK_NULL_HANDLE, set}));
    set = set_new(&s, s.set_layout, 0);
    write_numbers(&s, set, (struct numbers){5, 6, 0});
    draw(&s, "without-list", set, (struct numbers){5, 6, 0});
    set = set_new(&s, s.set_layout, 4);
    write_numbers(&s, set, (struct numbers){7, 8, 9});
    draw(&s, "longer", set, (struct numbers){7, 8, 9});
    draw_in_threads(&s);
    set = set_new(&s, s.set_layout, 2);
    write_numbers(&s, set, (struct numbers){2, 3, 4});
    vkDestroyDescriptorSetLayout(s.t.device, s.set_layout, NULL);
    vkDestroyDescriptorSetLayout(s.t.device, s.other_layout, NULL);
    draw(&s, "layout-gone", set, (struct numbers){2, 3, 4});
    dump(&s);
    vkDestroyDescriptorPool(s.t.device, s.pool, NULL);
    return vkt_finish(&s.t);
}
