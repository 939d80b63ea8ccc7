/* SPDX-License-Identifier: MIT
 *
 * The condition that a secondary command buffer inherits. A public header of draw/.
 */
#ifndef PGS_DRAW_CONDITION_H
#define PGS_DRAW_CONDITION_H

#include "draw/draw.h"

/* A slot is a VkDrawIndirectCommand, aligned to 16 bytes, with one instance or none. */
#define PGS_CONDITION_SLOT_B sizeof(VkDrawIndirectCommand)

/* Writes to the slot whether the condition holds; without a buffer, what the slot `inherited` says;
 * without that one, too, it does. Draws with this slot as
 * inherited_condition that are recorded later read it. Outside a render pass. Clobbers the compute
 * bind point and push constants, which the caller restores. Memory from `linear` must live as long
 * as the commands. Adds its invocations to *invocations. Errors: out of host or device memory. */
VkResult pgs_condition_record(struct pgs_device *dev, VkCommandBuffer cb,
                              const struct pgs_condition *condition, VkDeviceAddress inherited,
                              VkDeviceAddress slot, struct pgs_linear *linear,
                              uint64_t *invocations);

#endif
