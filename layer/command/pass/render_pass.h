/* SPDX-License-Identifier: MIT
 *
 * The layer's copy of a VkRenderPass.
 */
#ifndef PGS_COMMAND_PASS_RENDER_PASS_H
#define PGS_COMMAND_PASS_RENDER_PASS_H

#include "command/state/buffer.h"
#include "vulkan/stages.h"

/* Widens the masks of a dependency, and collects in *pass what compute work of the pass must wait
 * for. */
void pgs_dependency_widen(struct pgs_native_stages native, VkSubpassDependency *d,
                          struct pgs_render_pass *pass);
/* *b receives a copy of the barrier from the pNext chain, which replaces the masks. */
void pgs_dependency_widen2(struct pgs_native_stages native, VkSubpassDependency2 *d,
                           VkMemoryBarrier2 *b, struct pgs_render_pass *pass);

/* Finishes the creation of *handle, given the result of its preparation: keeps a copy of *pass, or
 * destroys both on failure. */
VkResult pgs_render_pass_keep(struct pgs_device *dev, VkResult result, struct pgs_render_pass *pass,
                              const VkAllocationCallbacks *allocator, VkRenderPass *handle);

/* Frees what *pass owns. */
void pgs_render_pass_finish(struct pgs_device *dev, struct pgs_render_pass *pass);

#endif
