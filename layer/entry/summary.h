/* SPDX-License-Identifier: MIT
 *
 * What a user who asks for VK_POLY_GS_LOG=info is told of a device, in a few lines.
 */
#ifndef PGS_ENTRY_SUMMARY_H
#define PGS_ENTRY_SUMMARY_H

#include "entry/physical_entry.h"

/* What the layer emulates on a physical device and why, or why it emulates nothing; and what it
 * hides there. Also without VK_POLY_GS_LOG=info, as a warning, which settings do nothing there.
 * list: `count` extensions of the driver. After the entry has been filled in. */
void pgs_summary_log_physical(const struct pgs_physical_entry *entry,
                              const VkExtensionProperties *list, uint32_t count);

/* What an active device emulates for its application, and in which ways. After its modules have
 * been created. */
void pgs_summary_log_device(const struct pgs_device *dev);

#endif
