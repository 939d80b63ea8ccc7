/* SPDX-License-Identifier: MIT
 *
 * State of extensions that are hidden, or that the layer brings and the program did not enable,
 * and that a program with shader objects may set all the same. Internal to entry/.
 */
#ifndef PGS_ENTRY_IGNORED_STATE_H
#define PGS_ENTRY_IGNORED_STATE_H

#include "vulkan/device.h"

/* For the name of a command: a function that does nothing if the command sets state of such an
 * extension, and the device has shader objects enabled; else NULL. VK_EXT_shader_object
 * brings these commands whether or not the device has the extension of the state, and nothing looks
 * at the state without it. */
PFN_vkVoidFunction pgs_find_ignored_state(const struct pgs_device *dev, const char *name);

#endif
