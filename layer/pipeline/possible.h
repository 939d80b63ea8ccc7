/* SPDX-License-Identifier: MIT
 *
 * Whether a device has met anything that the layer emulates.
 */
#ifndef PGS_PIPELINE_POSSIBLE_H
#define PGS_PIPELINE_POSSIBLE_H

#include "vulkan/device.h"

/* False until the first module with geometry capabilities or the first emulated pipeline is
 * created, then true forever; true from the beginning where indirect draws of the driver may need
 * compute work. While false, no draw needs emulation. */
bool pgs_pipelines_possible(const struct pgs_device *dev);

/* The flag itself, for frequent tests. Valid as long as the device. */
const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *dev);

/* Sets the flag for another reason to queue passes: a query that counts draws. */
void pgs_pipelines_note_possible(struct pgs_device *dev);

#endif
