/* SPDX-License-Identifier: MIT
 *
 * For compilers that are not thread-safe (PGS_GUARD_SERIAL_PIPELINES).
 */
#ifndef PGS_PIPELINE_SERIAL_H
#define PGS_PIPELINE_SERIAL_H

#include "vulkan/device.h"

/* From now on, whoever creates pipelines or shader objects through dev->vk waits until no other
 * thread of the process does: the application's threads and those of the layer, on any such device.
 * Nothing is deferred to other threads. dev->pipelines is there, and nobody else uses the device
 * yet. */
void pgs_serial_begin(struct pgs_device *dev);

#endif
