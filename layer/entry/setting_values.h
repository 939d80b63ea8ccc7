/* SPDX-License-Identifier: MIT
 *
 * The settings that there are, and what their values mean. Internal to entry/.
 */
#ifndef PGS_ENTRY_SETTING_VALUES_H
#define PGS_ENTRY_SETTING_VALUES_H

#include "vulkan/device.h"

#define PGS_SETTING_PREFIX "poly_gs." /* of a key, outside of the environment */

struct pgs_setting {
    const char *key, *env; /* the key without prefix, the variable of the environment */
};

/* Setting number i, from 0 on; NULL: there are no more. */
const struct pgs_setting *pgs_setting_at(size_t i);

/* Takes over the value of a setting. Unknown keys and values are logged, and change nothing.
 * Errors: out of host memory only. */
VkResult pgs_setting_set(struct pgs_settings *settings, const char *key, const char *value);

/* The word for what was chosen of a setting that is a word of a list, as "plan". Static. */
const char *pgs_setting_word(const struct pgs_settings *settings, const char *key);

/* What holds where nobody says otherwise. Errors: out of host memory only. */
VkResult pgs_settings_default(struct pgs_settings *settings);

#endif
