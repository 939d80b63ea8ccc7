/* SPDX-License-Identifier: MIT
 *
 * Render passes that resume what another one has stored.
 */
#ifndef PGS_COMMAND_PASS_SPLIT_RENDER_PASS_H
#define PGS_COMMAND_PASS_SPLIT_RENDER_PASS_H

#include "command/state/buffer.h"

/* Prepares pgs_pass_split for a render pass created from `info`: sets `again` or `obstacle`.
 */
VkResult pgs_render_pass_prepare(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                 struct pgs_render_pass *pass);
VkResult pgs_render_pass_prepare2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                  struct pgs_render_pass *pass);

#endif
