/* SPDX-License-Identifier: MIT */
#include "gpu/guard.h"

/* See guard_streams.geom. */
static const VkDescriptorSetLayoutBinding bindings[GUARD_BINDINGS] = {
    {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
    {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
};

void guard_make_layout(struct guard *g)
{
    g->set_layout = vkt_set_layout(&g->t, bindings, GUARD_BINDINGS);
    g->layout = vkt_layout(&g->t, &g->set_layout, 1, NULL, 0);
}

static void fill(struct guard *g, const struct vkt_buffer *buffer)
{
    for (VkDeviceSize i = 0; i < buffer->size_B / 4; i++)
        ((uint32_t *)buffer->map)[i] = guard_random_word(g);
}

static struct vkt_buffer words(struct guard *g, VkDeviceSize size_B, VkBufferUsageFlags usage)
{
    const struct vkt_buffer buffer = guard_buffer(&g->t, size_B, usage, 0, g->side);
    fill(g, &buffer);
    return buffer;
}

void guard_make_set(struct guard *g)
{
    const VkDeviceSize size_B = 64 * (1 + guard_random(g, 4));
    bool null[GUARD_BINDINGS];
    for (int i = 0; i < GUARD_BINDINGS; i++)
        null[i] = guard_random(g, 3) == 0;
    const struct vkt_buffer storage = words(g, size_B, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const struct vkt_buffer uniform = words(g, 64, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    const struct vkt_buffer texels = words(g, size_B, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    VkBufferView view = VK_NULL_HANDLE;
    if (!null[2])
        view = vkt_buffer_view(&g->t, texels.buffer, VK_FORMAT_R32_UINT);
    g->set = vkt_set(&g->t, g->set_layout, bindings, GUARD_BINDINGS);
    vkt_write_buffer(&g->t, g->set, 0, 0, bindings[0].descriptorType,
                     null[0] ? VK_NULL_HANDLE : storage.buffer, 0, VK_WHOLE_SIZE);
    vkt_write_buffer(&g->t, g->set, 1, 0, bindings[1].descriptorType,
                     null[1] ? VK_NULL_HANDLE : uniform.buffer, 0, VK_WHOLE_SIZE);
    vkt_write_texel(&g->t, g->set, 2, bindings[2].descriptorType, view);
}
