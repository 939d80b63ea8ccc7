/* SPDX-License-Identifier: MIT
 *
 * Whether a device has met anything that the layer emulates.
 */
#ifndef PGS_PIPELINE_POSSIBLE_H
#define PGS_PIPELINE_POSSIBLE_H

#include "vulkan/device.h"

/* Could a draw need emulation? False until the first module with geometry capabilities or the first
 * emulated pipeline is created, true ever after. */
bool pgs_pipelines_possible(const struct pgs_device *dev);

/* Where that is kept, as long as the device lives: for who asks often. */
const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *dev);

/* Something else than a pipeline came to be for which passes must be queued: a query that counts
 * draws. */
void pgs_pipelines_note_possible(struct pgs_device *dev);

#endif
