/* SPDX-License-Identifier: MIT
 *
 * What is kept of a VkRenderPass.
 */
#ifndef PGS_COMMAND_PASS_RENDER_PASS_H
#define PGS_COMMAND_PASS_RENDER_PASS_H

#include "command/state/buffer.h"
#include "vulkan/stages.h"

/* Widens the masks of a dependency, and notes what compute work of the pass has to wait for. */
void pgs_dependency_widen(struct pgs_native_stages native, VkSubpassDependency *d,
                          struct pgs_pass_sync *sync);
/* *b takes the copy of the barrier that may stand in the chain and then replaces the masks. */
void pgs_dependency_widen2(struct pgs_native_stages native, VkSubpassDependency2 *d,
                           VkMemoryBarrier2 *b, struct pgs_pass_sync *sync);

/* Ends the creation of *handle, whose preparation had that result: keeps a copy of *pass, if there
 * is something in it, or destroys both. */
VkResult pgs_render_pass_keep(struct pgs_device *dev, VkResult result, struct pgs_render_pass *pass,
                              const VkAllocationCallbacks *allocator, VkRenderPass *handle);

/* Frees what it owns. */
void pgs_render_pass_finish(struct pgs_device *dev, struct pgs_render_pass *pass);

#endif
