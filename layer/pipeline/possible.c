/* SPDX-License-Identifier: MIT */
#include "pipeline/possible.h"

#include "pipeline/device.h"

#include <stdatomic.h>

bool pgs_pipelines_possible(const struct pgs_device *dev)
{
    return atomic_load_explicit(&dev->pipelines->possible, memory_order_acquire);
}

const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *dev)
{
    return &dev->pipelines->possible;
}

void pgs_pipelines_note_possible(struct pgs_device *dev)
{
    atomic_store_explicit(&dev->pipelines->possible, true, memory_order_release);
}
