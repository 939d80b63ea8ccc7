/* SPDX-License-Identifier: MIT
 *
 * What drivers of phones report. A profile only takes away: what the real driver lacks stays
 * missing, and lower limits of it stay.
 */
#ifndef PROFILES_PROFILES_H
#define PROFILES_PROFILES_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct profile {
    const char *name;
    const char *device_name, *driver_name; /* NULL: the driver's, and so the next three */
    uint32_t vendor, device;
    VkDriverId driver;
    uint32_t api_version;           /* 0: the driver's */
    const char *without_features;   /* names of members, in whichever structure they are */
    const char *only_extensions;    /* NULL: all but the next ones */
    const char *without_extensions; /* NULL: none */
    /* NAME=VALUE of members of VkPhysicalDeviceLimits and of structures of extensions. Limits that
     * begin with "min" are raised to the value, all others lowered. */
    const char *limits;
    /* Buffer addresses are those of VK_EXT_buffer_device_address, which stands for the driver's. */
    bool ext_address;
    bool links_precision; /* refuses varyings that only one of two stages has as mediump, where the
                           * real driver draws them wrong */
    bool points_beside;   /* POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY */
    bool keeps_given;     /* an oracle: has what the layer would emulate */
};

extern const struct profile profiles[];
extern const unsigned profile_count;

/* Is the word one of the list, whose words have spaces between them? list may be NULL: no. */
bool profile_lists(const char *list, const char *word);

/* That of PGS_TEST_PROFILE; NULL: none is chosen. Ends the program if there is none of that name.
 * NAME:oracle hides what the profile NAME does, but keeps what the layer gives to drivers without:
 * what a program gets there it must get through the layer on NAME. With :newer behind it the
 * version of Vulkan is the driver's, for programs that need it. */
const struct profile *profile_chosen(void);
/* Is it one of the extensions that an oracle keeps although the driver of a phone lacks them? */
bool profile_gives(const struct profile *profile, const char *extension);

#endif
