/* SPDX-License-Identifier: MIT
 *
 * The public header of memory/: device memory of the layer, and what the layer knows of the
 * application's buffers.
 */
#ifndef PGS_MEMORY_MEMORY_H
#define PGS_MEMORY_MEMORY_H

#include "memory/bound.h"
#include "memory/buffer.h"
#include "memory/commons.h"
#include "memory/external.h"
#include "memory/heap.h"
#include "memory/linear.h"
#include "memory/usage.h"

#endif
