/* SPDX-License-Identifier: MIT */
#ifndef PGS_TESTS_COMMON_VKT_DEVICE_H
#define PGS_TESTS_COMMON_VKT_DEVICE_H

#include "common/vkt.h"

/* Creates t->device on t->physical with those features that the programs of this repository use, as
 * far as the device has them, and fills in t->features and t->queue. */
void vkt_device_create(struct vkt *t);

/* With vkt_options.indirect, when everything else is there. */
void vkt_indirect_init(struct vkt *t);

/* Likewise with vkt_options.link. */
void vkt_link_init(struct vkt *t);

#endif
