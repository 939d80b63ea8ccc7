/* SPDX-License-Identifier: MIT
 *
 * `objects`: what it costs to make and destroy what programs make many of, although no pipeline
 * may need any of it.
 */
#include "bench/scenes.h"

#define OBJECTS 1000u
#define BINDINGS 4u

/* One run of a case on one device. */
struct makings {
    struct bench_device *device;
    struct vkt_code code; /* of a vertex shader */
    VkDescriptorSetLayout set_layout;
};

struct objects_case {
    const char *name;
    void (*run)(const struct makings *m); /* makes OBJECTS objects and destroys them */
};

static void make_modules(const struct makings *m)
{
    static VkShaderModule modules[OBJECTS];
    const struct VolkDeviceTable *vk = &m->device->vk;
    for (uint32_t i = 0; i < OBJECTS; i++)
        modules[i] = bench_module(m->device, m->code);
    for (uint32_t i = 0; i < OBJECTS; i++)
        vk->vkDestroyShaderModule(m->device->t.device, modules[i], NULL);
}

static VkDescriptorSetLayout make_set_layout(const struct bench_device *d)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType =
                i < 2 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    VKT_CALL(d->vk.vkCreateDescriptorSetLayout(d->t.device, &info, NULL, &layout));
    return layout;
}

static void make_set_layouts(const struct makings *m)
{
    static VkDescriptorSetLayout layouts[OBJECTS];
    for (uint32_t i = 0; i < OBJECTS; i++)
        layouts[i] = make_set_layout(m->device);
    for (uint32_t i = 0; i < OBJECTS; i++)
        m->device->vk.vkDestroyDescriptorSetLayout(m->device->t.device, layouts[i], NULL);
}

static void make_layouts(const struct makings *m)
{
    static VkPipelineLayout layouts[OBJECTS];
    const struct bench_device *d = m->device;
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_VERTEX_BIT, .size = 64};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &m->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    for (uint32_t i = 0; i < OBJECTS; i++)
        VKT_CALL(d->vk.vkCreatePipelineLayout(d->t.device, &info, NULL, &layouts[i]));
    for (uint32_t i = 0; i < OBJECTS; i++)
        d->vk.vkDestroyPipelineLayout(d->t.device, layouts[i], NULL);
}

static void make_buffers(const struct makings *m)
{
    static VkBuffer buffers[OBJECTS];
    const struct bench_device *d = m->device;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 4096,
        .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    for (uint32_t i = 0; i < OBJECTS; i++)
        VKT_CALL(d->vk.vkCreateBuffer(d->t.device, &info, NULL, &buffers[i]));
    for (uint32_t i = 0; i < OBJECTS; i++)
        d->vk.vkDestroyBuffer(d->t.device, buffers[i], NULL);
}

static void run_case(const struct objects_case *c, const struct bench_options *options,
                     struct bench_device *const devices[2], struct bench_cost_row *row)
{
    for (uint32_t turn = 0; turn < 2 * options->runs; turn++) {
        const uint32_t i = (turn + turn / 2) % 2;
        if (!devices[i])
            continue;
        struct makings m = {.device = devices[i], .set_layout = make_set_layout(devices[i])};
        struct bench_shaders shaders = bench_shaders(devices[i]);
        m.code = shaders.vs[0];
        const struct bench_clock start = bench_clock_now();
        c->run(&m);
        bench_cost_add(&row->costs[i], start, 1);
        bench_shaders_finish(&shaders);
        devices[i]->vk.vkDestroyDescriptorSetLayout(devices[i]->t.device, m.set_layout, NULL);
    }
    bench_cost_note(row, devices);
}

void bench_objects(const struct bench_options *options, struct bench_report **report)
{
    static const struct objects_case cases[] = {
        {"modules", make_modules},
        {"set_layouts", make_set_layouts},
        {"layouts", make_layouts},
        {"buffers", make_buffers},
    };
    static struct bench_cost_row row;
    struct bench_options own = *options;
    own.by_hand = true;
    if (!bench_selected(options, "objects"))
        return;
    struct bench_device *devices[2];
    bench_devices_init(devices, &own, report);
    for (uint32_t i = 0; i < VKT_COUNT(cases); i++) {
        row =
            (struct bench_cost_row){.workload = "objects", .what = cases[i].name, .count = OBJECTS};
        run_case(&cases[i], &own, devices, &row);
        bench_report_cost(*report, &row);
    }
    bench_devices_finish(devices);
}
