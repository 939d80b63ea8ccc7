/* SPDX-License-Identifier: MIT
 *
 * What gen_tables.py takes from vk.xml.
 */
#ifndef PROFILES_TABLES_H
#define PROFILES_TABLES_H

#include <stdint.h>
#include <vulkan/vulkan.h>

/* A feature, or a limit that is a number. stype: of the structure it is in; 0: the one of Vulkan
 * 1.0. owners: the core versions ("VK_VERSION_1_2") and extensions that bring the structure, with
 * spaces between them. */
struct profile_member {
    const char *name;
    VkStructureType stype;
    size_t offset_B;
    uint32_t size_B, count;
    const char *owners;
};
extern const struct profile_member profile_features[], profile_limits[];
extern const unsigned profile_features_count, profile_limits_count;

/* A command of devices: the core version that has it, UINT32_MAX if none, and the extensions. */
struct profile_command {
    const char *name;
    uint32_t version;
    const char *extensions;
};
extern const struct profile_command profile_commands[]; /* by name */
extern const unsigned profile_command_count;

#endif
