/* SPDX-License-Identifier: MIT
 *
 * Captures over what earlier draws of the pass have read in ways that nobody knows when they are
 * recorded: through a descriptor that is written afterwards, of a buffer that is made and bound
 * afterwards, on the memory that is captured to; and in an earlier subpass, through fragment
 * shaders behind a geometry shader. With --pointers an address is written in place of the
 * descriptor. Draws show what was there before.
 */
#include "gpu/xfb_move.h"

#include "late_capture_geom.h"
#include "late_capture_vert.h"
#include "late_geom.h"
#include "late_pointers_vert.h"
#include "late_vert.h"
#include "late_xfb_geometry_frag.h"
#include "late_xfb_late_frag.h"
#include "late_xfb_late_vert.h"

#include <string.h>

#define ITEMS_B (MOVE_ITEMS * MOVE_ITEM_B)
#define BEFORE 5000u /* value of the first item that is read */

struct set {
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
};

struct rig {
    struct move m;
    bool pointers;
    struct vkt_buffer hidden, stored; /* captured to; only the second one is for shaders */
    struct vkt_buffer address;        /* of the alias */
    struct set late, usual;           /* written after recording, if the driver permits; before */
    VkRenderPass pass;                /* of two subpasses */
    VkFramebuffer framebuffer;
    VkPipeline reads;       /* vertices, through the late set */
    VkPipeline fragments;   /* behind a geometry shader, in subpass 0 */
    VkPipeline captures[2]; /* without and with a geometry shader, in subpass 1 */
};

static const VkShaderStageFlags readers = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

static void set_open(struct rig *r, struct set *s, bool after_bind)
{
    const VkDevice device = r->m.t.device;
    const VkDescriptorBindingFlags flag = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &flag,
    };
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, readers,
                                                  NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = after_bind ? &flags : NULL,
        .flags = after_bind ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VKT_CALL(vkCreateDescriptorSetLayout(device, &layout, NULL, &s->set_layout));
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VKT_CALL(vkCreateDescriptorPool(device, &pool, NULL, &s->pool));
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &s->set_layout,
    };
    VKT_CALL(vkAllocateDescriptorSets(device, &set, &s->set));
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct move_item)};
    s->layout = vkt_layout(&r->m.t, &s->set_layout, 1, &range, 1);
}

static void set_close(struct rig *r, struct set *s)
{
    vkDestroyDescriptorPool(r->m.t.device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(r->m.t.device, s->set_layout, NULL);
}

static void make_pass(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkAttachmentDescription attachment = {
        .format = VK_FORMAT_R32_UINT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkPipelineStageFlags output = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkAccessFlags access =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependencies[] = {
        {0, 1, output | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         output | VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
         access | VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, 0},
        {1, VK_SUBPASS_EXTERNAL, output, VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 2,
        .pSubpasses = subpasses,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &r->pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)r->pass);
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = r->pass,
        .attachmentCount = 1,
        .pAttachments = &r->m.target.color.view,
        .width = MOVE_SIDE_PX,
        .height = MOVE_SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &framebuffer, NULL, &r->framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)r->framebuffer);
}

static void make_pipelines(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkVertexInputBindingDescription binding = {0, MOVE_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    struct vkt_pipeline_info info = {
        .vs = r->pointers ? VKT_CODE(late_pointers_vert) : VKT_CODE(late_xfb_late_vert),
        .fs = VKT_CODE(late_xfb_geometry_frag),
        .layout = r->late.layout,
        .pass = r->m.target.pass,
        .width_px = MOVE_SIDE_PX,
        .height_px = MOVE_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    r->reads = vkt_pipeline(t, &info);
    info.bindings = &binding;
    info.attributes = &attribute;
    info.binding_count = info.attribute_count = 1;
    info.layout = r->usual.layout;
    info.pass = r->pass;
    info.vs = VKT_CODE(late_vert);
    info.gs = VKT_CODE(late_geom);
    info.fs = VKT_CODE(late_xfb_late_frag);
    r->fragments = vkt_pipeline(t, &info);
    info.subpass = 1;
    info.fs = VKT_CODE(late_xfb_geometry_frag);
    info.gs = VKT_CODE(late_capture_geom);
    r->captures[1] = vkt_pipeline(t, &info);
    info.vs = VKT_CODE(late_capture_vert);
    info.gs = (struct vkt_code){0};
    r->captures[0] = vkt_pipeline(t, &info);
}

static void fill(const struct vkt_buffer *buffer)
{
    for (uint32_t i = 0; i < MOVE_ITEMS; i++)
        ((struct move_item *)buffer->map)[i] = (struct move_item){i, BEFORE + i, (i * 11) % 32, i};
}

static void capture(struct rig *r, VkCommandBuffer cmd, VkPipeline pipeline,
                    const struct vkt_buffer *to)
{
    const struct xfb_range range = {to->buffer, 0, ITEMS_B};
    move_bind(&r->m, cmd, MOVE_SHOW, r->m.items.buffer, 0, (struct move_item){1, 90, 21, 30});
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
}

/* Of the items as they were before, moved. */
static void expect_values(struct rig *r, const char *name, uint32_t first, uint32_t least)
{
    const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOVE_SIDE_PX * MOVE_SIDE_PX; i++)
        count += ((const uint32_t *)pixels.map)[i] - first < MOVE_ITEMS;
    VKT_EXPECT(&r->m.t, count >= least, "%s: %u pixels show what was there before", name, count);
}

static void finish(struct rig *r, const struct vkt_buffer *to, const char *name)
{
    const struct move_item *item = to->map;
    VKT_EXPECT(&r->m.t, item->value < BEFORE, "%s: nothing captured", name);
    xfb_dump(&r->m.t, to->map, ITEMS_B, "%s/captured", name);
    xfb_dump_target(&r->m.t, &r->m.target, "%s/image", name);
}

/* A buffer on the memory of the hidden one, of which nobody knew when the draw was recorded. */
static void describe(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = ITEMS_B,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 (r->pointers ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0),
    };
    VkBuffer alias;
    VKT_CALL(vkCreateBuffer(t->device, &info, NULL, &alias));
    vkt_defer(t, vkt_destroy_buffer, (uint64_t)alias);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(t->device, alias, &needs);
    VKT_CALL(vkBindBufferMemory(t->device, alias, r->hidden.memory, 0));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = alias};
    if (r->pointers)
        *(VkDeviceAddress *)r->address.map = vkGetBufferDeviceAddress(t->device, &address);
    else
        vkt_write_buffer(t, r->late.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, alias, 0,
                         VK_WHOLE_SIZE);
}

static void run_late(struct rig *r, enum move_kind kind, bool first)
{
    const char *name = kind == MOVE_CAPTURE ? "opt/late" : "opt/late-geometry";
    const struct move_item change = {0, 500, 7, 9};
    fill(&r->hidden);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    move_begin_pass(&r->m, cmd, false);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->reads);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->late.layout, 0, 1,
                            &r->late.set, 0, NULL);
    vkCmdPushConstants(cmd, r->late.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), &change);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    xfb_subpass_barrier(cmd);
    capture(r, cmd, r->m.pipelines[kind], &r->hidden);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    if (first)
        describe(r);
    vkt_submit(&r->m.t, cmd);
    expect_values(r, name, BEFORE + 500, MOVE_ITEMS);
    finish(r, &r->hidden, name);
}

static void run_fragments(struct rig *r, bool geometry)
{
    const char *name = geometry ? "fragments-geometry" : "fragments";
    const VkClearValue clear = {0};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = r->pass,
        .framebuffer = r->framebuffer,
        .renderArea = {{0, 0}, {MOVE_SIDE_PX, MOVE_SIDE_PX}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    fill(&r->stored);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    move_bind(&r->m, cmd, MOVE_SHOW, r->m.items.buffer, 0, (struct move_item){0, 500, 7, 9});
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->fragments);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->usual.layout, 0, 1,
                            &r->usual.set, 0, NULL);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    capture(r, cmd, r->captures[geometry], &r->stored);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    expect_values(r, name, BEFORE, MOVE_ITEMS / 2);
    finish(r, &r->stored, name);
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-xfb_late", argc, argv);
    const VkBufferUsageFlags captured = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    r.pointers = r.m.t.options.addresses;
    const bool after_bind = !r.pointers && r.m.t.features.update_after_bind;
    r.hidden = vkt_buffer(&r.m.t, ITEMS_B, captured, 0);
    r.stored = vkt_buffer(&r.m.t, ITEMS_B, captured | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    set_open(&r, &r.usual, false);
    vkt_write_buffer(&r.m.t, r.usual.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, r.stored.buffer,
                     0, VK_WHOLE_SIZE);
    make_pass(&r);
    r.address = vkt_buffer(&r.m.t, 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    set_open(&r, &r.late, after_bind);
    if (r.pointers)
        vkt_write_buffer(&r.m.t, r.late.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                         r.address.buffer, 0, VK_WHOLE_SIZE);
    make_pipelines(&r);
    for (int geometry = 0; geometry < 2 && !r.pointers; geometry++)
        run_fragments(&r, geometry);
    for (int kind = MOVE_CAPTURE; kind < MOVE_KINDS && (after_bind || r.pointers); kind++)
        run_late(&r, (enum move_kind)kind, kind == MOVE_CAPTURE);
    set_close(&r, &r.usual);
    set_close(&r, &r.late);
    return vkt_finish(&r.m.t);
}
