/* SPDX-License-Identifier: MIT
 *
 * Option --indirect: a program's direct draws are made with arguments in a buffer, by replacing the
 * functions that volk has loaded. Every other one of them is a call of three draws, of which two
 * draw nothing.
 */
#include "common/vkt_device.h"

#include <stdatomic.h>
#include <string.h>

#define ARGS_B (4u << 20)
#define STRIDE_B 24u
#define SLOT_B (3 * STRIDE_B)

static struct vkt_buffer args; /* of one device */
static atomic_uint used_B;
static bool several;

/* Where the arguments lie that the next draw may have, and how many draws there are. */
static VkDeviceSize next_slot(const uint32_t words[5], uint32_t *draws)
{
    const uint32_t at_B = atomic_fetch_add(&used_B, SLOT_B);
    if (at_B + SLOT_B > ARGS_B)
        vkt_die("too many indirect draws");
    const uint32_t no_vertices[5] = {0, 1, 0, 0, 0}, no_instances[5] = {1000, 0, 0, 0, 0};
    uint8_t *to = (uint8_t *)args.map + at_B;
    memcpy(to, words, sizeof(no_vertices));
    memcpy(to + STRIDE_B, no_vertices, sizeof(no_vertices));
    memcpy(to + 2 * STRIDE_B, no_instances, sizeof(no_instances));
    *draws = several && at_B / SLOT_B % 2 ? 3 : 1;
    return at_B;
}

static VKAPI_ATTR void VKAPI_CALL draw(VkCommandBuffer cmd, uint32_t count, uint32_t instances,
                                       uint32_t first, uint32_t first_instance)
{
    const uint32_t words[5] = {count, instances, first, first_instance};
    uint32_t draws;
    const VkDeviceSize at_B = next_slot(words, &draws);
    vkCmdDrawIndirect(cmd, args.buffer, at_B, draws, STRIDE_B);
}

static VKAPI_ATTR void VKAPI_CALL draw_indexed(VkCommandBuffer cmd, uint32_t count,
                                               uint32_t instances, uint32_t first,
                                               int32_t vertex_offset, uint32_t first_instance)
{
    const uint32_t words[5] = {count, instances, first, (uint32_t)vertex_offset, first_instance};
    uint32_t draws;
    const VkDeviceSize at_B = next_slot(words, &draws);
    vkCmdDrawIndexedIndirect(cmd, args.buffer, at_B, draws, STRIDE_B);
}

void vkt_indirect_init(struct vkt *t)
{
    if (!t->features.core.drawIndirectFirstInstance)
        vkt_skip("no drawIndirectFirstInstance");
    several = t->features.core.multiDrawIndirect;
    args = vkt_buffer(t, ARGS_B, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0xee);
    vkCmdDraw = draw;
    vkCmdDrawIndexed = draw_indexed;
}
