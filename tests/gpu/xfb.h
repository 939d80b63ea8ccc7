/* SPDX-License-Identifier: MIT
 *
 * What the tests of transform feedback share: buffers, intervals, and what is expected of them.
 */
#ifndef PGS_TESTS_GPU_XFB_H
#define PGS_TESTS_GPU_XFB_H

#include "common/vkt.h"

/* What every byte of a buffer is before it is captured to. */
#define XFB_FILL 0xcd

/* Filled with XFB_FILL, for capture, counters, indirect draws, vertices, indices and copies.
 */
struct vkt_buffer xfb_buffer(struct vkt *t, VkDeviceSize size_B);

/* Part of a buffer: where is captured to, or a counter. */
struct xfb_range {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B; /* size: 0 for a counter */
};

/* Binds `count` ranges from number `first` on. */
void xfb_bind(VkCommandBuffer cmd, uint32_t first, uint32_t count, const struct xfb_range *ranges);
/* One counter for each buffer from number `first` on; a NULL buffer: none. count may be 0. */
void xfb_begin(VkCommandBuffer cmd, uint32_t first, uint32_t count,
               const struct xfb_range *counters);
void xfb_end(VkCommandBuffer cmd, uint32_t first, uint32_t count, const struct xfb_range *counters);

/* What an application must put between the end of an interval and whatever uses its results in a
 * later command: another interval, a draw, a copy, the host. Outside of render passes. */
void xfb_barrier(VkCommandBuffer cmd);

/* A target whose passes permit, within their subpass, what is captured to be used: see
 * xfb_subpass_barrier. From outside they are ordered by their attachment only. */
struct vkt_target xfb_target(struct vkt *t, uint32_t side_px);
/* Within a subpass of such a target: captured vertices and counters are available to vertex input,
 * indirect draws and other intervals, and what those read may be overwritten. */
void xfb_subpass_barrier(VkCommandBuffer cmd);
/* The same for counters alone, with the older command. */
void xfb_subpass_counter_barrier(VkCommandBuffer cmd);

uint32_t xfb_word(const struct vkt_buffer *buffer, VkDeviceSize offset_B);

/* Fails unless the bytes from offset_B to the end are still XFB_FILL. */
void xfb_expect_rest(struct vkt *t, const char *name, const struct vkt_buffer *buffer,
                     VkDeviceSize offset_B);

/* vkt_dump_buffer with a name from a format. */
void xfb_dump(struct vkt *t, const void *bytes, size_t size_B, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void xfb_dump_target(struct vkt *t, const struct vkt_target *target, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
