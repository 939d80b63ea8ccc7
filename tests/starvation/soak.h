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

/* Says what is held, and expects no more file descriptors or threads than after a quarter of the
 * time, and no more memory than that. Each frame makes and destroys all of its objects. */
void soak(struct vkt *t, const struct soak *how);

#endif
