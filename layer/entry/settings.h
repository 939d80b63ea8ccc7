/* SPDX-License-Identifier: MIT
 *
 * What the user can say: VK_POLY_GS_* in the environment, `poly_gs.*` in vk_layer_settings.txt,
 * VK_EXT_layer_settings.
 */
#ifndef PGS_ENTRY_SETTINGS_H
#define PGS_ENTRY_SETTINGS_H

#include "vulkan/device.h"

/* Reads all sources into *settings, the environment above the file above the extension. Never
 * fails: what cannot be read or understood is reported in the log and left at its default, except
 * for memory. */
VkResult pgs_settings_init(struct pgs_settings *settings, const VkInstanceCreateInfo *info);
void pgs_settings_finish(struct pgs_settings *settings);

#endif
