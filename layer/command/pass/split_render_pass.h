/* SPDX-License-Identifier: MIT
 *
 * The render passes of an instance that is ended early and resumed.
 */
#ifndef PGS_COMMAND_PASS_SPLIT_RENDER_PASS_H
#define PGS_COMMAND_PASS_SPLIT_RENDER_PASS_H

#include "vulkan/device.h"

/* A part of an instance. The first and the middle ones store all attachments; all but the first one
 * load them. */
enum pgs_pass_part {
    PGS_PART_FIRST,
    PGS_PART_MIDDLE,
    PGS_PART_LAST,
    PGS_PART_COUNT,
};

/* What is kept of a VkRenderPass for that. */
struct pgs_split_pass;

/* Why a pass with pgs_has_lone_samples cannot be split. */
extern const char pgs_lone_samples[];

/* Keeps `info`, as the driver got it. Errors: out of host memory; *made is then NULL. */
VkResult pgs_split_pass_create(const VkRenderPassCreateInfo *info, struct pgs_split_pass **made);
VkResult pgs_split_pass_create2(const VkRenderPassCreateInfo2 *info, struct pgs_split_pass **made);

/* With the render passes that were made. NULL is allowed. */
void pgs_split_pass_destroy(struct pgs_device *dev, struct pgs_split_pass *pass);

/* NULL: it can be split in this subpass; otherwise the reason. */
const char *pgs_split_pass_obstacle(const struct pgs_split_pass *pass, uint32_t subpass);

/* True if it can be split in every subpass. Quick. */
bool pgs_split_pass_splits_anywhere(const struct pgs_split_pass *pass);

/* True if it stores all attachments itself. */
bool pgs_split_pass_stores_all(const struct pgs_split_pass *pass);

uint32_t pgs_split_pass_subpass_count(const struct pgs_split_pass *pass);

/* The depth and stencil attachment of a subpass, or VK_ATTACHMENT_UNUSED. */
uint32_t pgs_split_pass_depth(const struct pgs_split_pass *pass, uint32_t subpass);

/* The render pass for a part, compatible with `whole`, the application's, from which it differs in
 * operations and initial layouts only. Made when it is first wanted. Thread-safe. Errors: those of
 * vkCreateRenderPass. */
VkResult pgs_split_pass_get(struct pgs_device *dev, struct pgs_split_pass *pass, VkRenderPass whole,
                            enum pgs_pass_part part, VkRenderPass *handle);

#endif
