/* SPDX-License-Identifier: MIT */
#ifndef PGS_TESTS_COMMON_VKT_INSTANCE_H
#define PGS_TESTS_COMMON_VKT_INSTANCE_H

#include "common/vkt.h"

/* Fills in t->instance and, with the validation layer, t->messenger. */
void vkt_instance_init(struct vkt *t);
/* Destroys what that made. */
void vkt_instance_finish(struct vkt *t);

#endif
