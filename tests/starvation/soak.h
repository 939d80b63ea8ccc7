/* SPDX-License-Identifier: MIT
 *
 * Frames without a failure, for a while: what does the process hold after the first ones, and at
 * the end?
 */
#ifndef SOAK_H
#define SOAK_H

#include "scene.h"

struct soak {
    const struct scene_results *usual; /* of each frame */
    double seconds;
    uint32_t life_frames; /* after so many the program begins anew, with instance and device */
    long most_KiB;        /* that memory may grow by after a quarter of the time */
};

/* What malloc has given out, without what it keeps for later: a process that makes and destroys
 * devices has several times that in pieces, now more, now less. 0 where the C library does not say.
 */
long soak_used_KiB(void);
/* By how much it may grow. SwiftShader adds a block of 64 MiB now and then. */
long soak_most_used_KiB(const struct vkt *t);

/* Says what is held, and expects no more file descriptors or threads than after a quarter of the
 * time, and no more memory than that, in use or in all. Each frame makes and destroys all of its
 * objects. */
void soak(struct vkt *t, const struct soak *how);

#endif
