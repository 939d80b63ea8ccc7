/* SPDX-License-Identifier: MIT
 *
 * A target that several views are drawn to at once (gen_tessellation.py).
 */
#ifndef FUZZ_VIEWS_H
#define FUZZ_VIEWS_H

#include "common/vkt.h"

#define MAX_VIEWS 4u

/* As vkt_target without depths, but for passes of these views, each in its layer of the image. */
struct vkt_target fuzz_views_target(struct vkt *t, uint32_t side_px, uint32_t views);

/* Pixels of four bytes: the layers one below the other. */
struct vkt_buffer fuzz_views_read(struct vkt *t, const struct vkt_target *target, uint32_t views);

#endif
