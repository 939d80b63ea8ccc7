/* SPDX-License-Identifier: MIT
 *
 * Destroying before the end of a program what vkt_finish would destroy.
 */
#ifndef VKT_UNDO_H
#define VKT_UNDO_H

#include "common/vkt.h"

/* Destroys what was made since t->cleanup was `lasting`. NULL: everything. Waits for the device. */
void vkt_undo(struct vkt *t, const struct vkt_cleanup *lasting);

/* The same without the wait: the caller knows that the device uses none of it. */
void vkt_undo_idle(struct vkt *t, const struct vkt_cleanup *lasting);

#endif
