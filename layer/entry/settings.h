/* SPDX-License-Identifier: MIT
 *
 * The settings of a user: VK_POLY_GS_* in the environment, `debug.vulkan.poly_gs.*` among Android's
 * system properties, `poly_gs.*` in vk_layer_settings.txt, VK_EXT_layer_settings. Internal to
 * entry/.
 */
#ifndef PGS_ENTRY_SETTINGS_H
#define PGS_ENTRY_SETTINGS_H

#include "vulkan/device.h"

/* Reads all sources into *settings: the environment overrides properties, which override the
 * file, which overrides the extension. A source that cannot be read or understood is logged and
 * ignored. Errors: out of host memory only. */
VkResult pgs_settings_init(struct pgs_settings *settings, const VkInstanceCreateInfo *info);
void pgs_settings_finish(struct pgs_settings *settings);

#endif
