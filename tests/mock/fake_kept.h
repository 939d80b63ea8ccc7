/* SPDX-License-Identifier: MIT
 *
 * What fake batches know of memory that a command buffer keeps when it begins again.
 */
#ifndef FAKE_KEPT_H
#define FAKE_KEPT_H

#include "draw/batch.h"

static bool fake_keeps; /* what the last batch that was asked does */

void pgs_batch_give_unused(struct pgs_batch *batch)
{
    (void)batch;
    fake_keeps = false;
}

#endif
