/* SPDX-License-Identifier: MIT
 *
 * Tracks what draws of a pass read, in case a later draw of the pass captures to it: captures are
 * compute work, which runs before the pass and so before those draws.
 */
#include "command/pass/hazards.h"

/* Most draws read what recent ones have read. */
#define LOOK_BACK 16

/* No barrier yet. */
#define ALL_EARLY SIZE_MAX

const char pgs_reads_captured_to[] =
    "a render pass captures to memory that its earlier draws read, or may read";

void pgs_reads_reset(struct pgs_pass *pass)
{
    pass->reads.count = pass->reads_ordered = pass->reads_settled = 0;
    pass->reads_noted = false;
    pass->reads_by_usage = 0;
    pass->fragments_by_usage = 0;
    pass->captures.count = 0;
    pass->captures_early = ALL_EARLY;
}

static PGS_SLOW void add(struct pgs_command_buffer *cb, VkBuffer buffer, VkBufferUsageFlags usage,
                         VkDeviceSize begin_B, VkDeviceSize end_B)
{
    if (!pgs_array_push(&cb->pass.reads, ((struct pgs_read){buffer, usage, begin_B, end_B})))
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

static void note(struct pgs_command_buffer *cb, VkBuffer buffer, VkBufferUsageFlags usage,
                 VkDeviceSize begin_B, VkDeviceSize end_B)
{
    struct pgs_pass *pass = &cb->pass;
    const size_t count = pass->reads.count;
    for (size_t i = count; i > pass->reads_settled && count - i < LOOK_BACK; i--) {
        struct pgs_read *read = &pass->reads.items[i - 1];
        if (read->buffer != buffer)
            continue;
        read->usage |= usage;
        if (read->begin_B > begin_B)
            read->begin_B = begin_B;
        if (read->end_B < end_B)
            read->end_B = end_B;
        return;
    }
    add(cb, buffer, usage, begin_B, end_B);
}

/* Reads of any buffer. */
static void note_usage(struct pgs_command_buffer *cb, VkBufferUsageFlags usage)
{
    note(cb, VK_NULL_HANDLE, usage, 0, 0);
}

static void note_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                        VkDeviceSize size_B)
{
    const bool whole = size_B > VK_WHOLE_SIZE - offset_B;
    note(cb, buffer, 0, offset_B, whole ? VK_WHOLE_SIZE : offset_B + size_B);
}

void pgs_reads_note_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                           VkDeviceSize size_B)
{
    if (cb->recorder.queue && cb->dev->xfb)
        note_buffer(cb, buffer, offset_B, size_B);
}

void pgs_reads_note_bound(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *graphics = &cb->graphics;
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS && cb->vertex_bound >> i; i++)
        if (graphics->vertex[i].buffer)
            note_buffer(cb, graphics->vertex[i].buffer, graphics->vertex[i].offset_B,
                        VK_WHOLE_SIZE);
    if (graphics->index_buffer)
        note_buffer(cb, graphics->index_buffer, graphics->index_offset_B, VK_WHOLE_SIZE);
    /* Pointers may also come from push constants. */
    const VkBufferUsageFlags usage = cb->set_count ? (VkBufferUsageFlags)PGS_SHADER_USAGE
                                                   : VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (usage & ~cb->pass.reads_by_usage)
        note_usage(cb, usage);
    cb->pass.reads_by_usage |= usage;
    cb->pass.reads_noted = true;
}

void pgs_reads_order_fragments(struct pgs_command_buffer *cb)
{
    if (!cb->pass.fragments_by_usage)
        return;
    note_usage(cb, cb->pass.fragments_by_usage);
    pgs_reads_order(&cb->pass);
}

void pgs_reads_note_unknown(struct pgs_command_buffer *cb)
{
    if (cb->dev->xfb)
        note_usage(cb, ~(VkBufferUsageFlags)0);
}

bool pgs_reads_are_ordered(const struct pgs_pass *pass)
{
    return pass->captures_early != ALL_EARLY;
}

void pgs_reads_order(struct pgs_pass *pass)
{
    pass->reads_ordered = pass->reads.count;
    if (pass->captures_early == ALL_EARLY)
        pass->captures_early = pass->captures.count;
}

void pgs_reads_begin_segment(struct pgs_pass *pass)
{
    pass->reads_settled = pass->reads.count;
    pass->reads_noted = false;
    pass->reads_by_usage = 0;
}

/* True if a read through descriptors or pointers may be of what is bound to memory, or described,
 * after the commands are recorded: then nobody knows now what lies there. */
static bool may_be_late(struct pgs_device *dev, const struct pgs_read *read)
{
    const VkBufferUsageFlags described =
        (VkBufferUsageFlags)PGS_SHADER_USAGE &
        ~(VkBufferUsageFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return (dev->pointers && (read->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) ||
           ((read->usage & described) && atomic_load(&dev->late_sets));
}

static bool overlaps(struct pgs_device *dev, const struct pgs_read *read,
                     const struct pgs_xfb_binding *binding)
{
    const struct pgs_buffer_range to = {binding->buffer, binding->offset_B, binding->size_B};
    const struct pgs_buffer_range from = {read->buffer, read->begin_B, read->end_B - read->begin_B};
    struct pgs_buffer_info captured;
    if (to.buffer && to.buffer == read->buffer && to.offset_B < read->end_B &&
        (to.size_B == VK_WHOLE_SIZE || read->begin_B < to.offset_B + to.size_B))
        return true;
    /* Without an address nothing is captured. */
    if (!to.buffer || !pgs_buffer_lookup(dev, to.buffer, &captured) || !captured.address)
        return false;
    if (!read->buffer)
        return (captured.usage & read->usage) || may_be_late(dev, read) ||
               (pgs_usage_of_memory(dev, &to) & read->usage);
    return pgs_buffers_meet(dev, &from, &to);
}

static bool any_overlaps(const struct pgs_command_buffer *cb, size_t read_count,
                         const struct pgs_xfb_binding *binding)
{
    for (size_t i = cb->pass.reads_settled; i < read_count; i++)
        if (overlaps(cb->dev, &cb->pass.reads.items[i], binding))
            return true;
    return false;
}

bool pgs_reads_are_captured_to(const struct pgs_command_buffer *cb,
                               const struct pgs_xfb_binding ranges[PGS_MAX_XFB_BUFFERS])
{
    for (int i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        if (any_overlaps(cb, cb->pass.reads_ordered, &ranges[i]))
            return true;
    return false;
}

bool pgs_reads_secondary_captures_to(const struct pgs_command_buffer *cb,
                                     const struct pgs_command_buffer *secondary)
{
    const struct pgs_pass *pass = &cb->pass, *other = &secondary->pass;
    for (size_t i = 0; i < other->captures.count; i++) {
        const bool early = i < other->captures_early;
        if (any_overlaps(cb, early ? pass->reads_ordered : pass->reads.count,
                         &other->captures.items[i]))
            return true;
    }
    return false;
}

/* Captures of a secondary in a secondary are also the outer one's. */
static void note_captures(struct pgs_command_buffer *cb, const struct pgs_pass *other, size_t first,
                          size_t end)
{
    for (size_t i = first; cb->continues && i < end; i++)
        if (!pgs_array_push(&cb->pass.captures, other->captures.items[i]))
            pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

void pgs_reads_note_secondary(struct pgs_command_buffer *cb,
                              const struct pgs_command_buffer *secondary)
{
    const struct pgs_pass *other = &secondary->pass;
    cb->pass.fragments_by_usage |= other->fragments_by_usage;
    const size_t early = other->captures_early < other->captures.count ? other->captures_early
                                                                       : other->captures.count;
    note_captures(cb, other, 0, early);
    for (size_t i = 0; i < other->reads.count; i++) {
        const struct pgs_read *read = &other->reads.items[i];
        if (i == other->reads_ordered && other->captures_early != ALL_EARLY)
            pgs_reads_order(&cb->pass);
        note(cb, read->buffer, read->usage, read->begin_B, read->end_B);
    }
    if (other->reads.count == other->reads_ordered && other->captures_early != ALL_EARLY)
        pgs_reads_order(&cb->pass);
    note_captures(cb, other, early, other->captures.count);
}
