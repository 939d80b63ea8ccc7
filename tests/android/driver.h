/* SPDX-License-Identifier: MIT
 *
 * The driver below the layers, as Android's loader shows it to them: dispatchable objects carry a
 * pointer of the loader, which it sets as they are created.
 */
#ifndef ANDROID_DRIVER_H
#define ANDROID_DRIVER_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* Loads the driver of the first manifest in VK_ICD_FILENAMES. Exits with a message if it cannot. */
void driver_open(void);

/* What layers get as the next ones. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_GetInstanceProcAddr(VkInstance instance,
                                                                    const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_GetDeviceProcAddr(VkDevice device,
                                                                  const char *name);

/* Gives the object the pointer of its parent, as layers do with what they create. */
VkResult driver_set_data(const void *parent, void *object);

/* Prints and exits. */
__attribute__((noreturn, format(printf, 1, 2))) void loader_die(const char *format, ...);

#endif
