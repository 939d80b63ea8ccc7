/* SPDX-License-Identifier: MIT
 *
 * Objects of the fake driver: how many of each kind are alive, handles, and commands that fail.
 * Threads may make and destroy objects at once; all else is for one thread.
 */
#ifndef FAKE_OBJECTS_H
#define FAKE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum fake_kind {
    FAKE_BUFFER,
    FAKE_MEMORY,
    FAKE_IMAGE,
    FAKE_VIEW,
    FAKE_FRAMEBUFFER,
    FAKE_PASS,
    FAKE_MODULE,
    FAKE_LAYOUT,
    FAKE_SET_LAYOUT,
    FAKE_DESCRIPTOR_POOL,
    FAKE_PIPELINE,
    FAKE_QUERY_POOL,
    FAKE_FENCE,
    FAKE_DISPATCHABLE, /* instances, devices, command buffers; queues are not counted */
    FAKE_OTHER,
    FAKE_KINDS
};

struct fake_objects {
    _Atomic int alive[FAKE_KINDS]; /* handed out and not taken back */
    _Atomic uint64_t handles;      /* the last one, shifted by handle_shift */
    int handle_shift;
    unsigned calls_until_failure; /* 0: none fails */
    VkResult failure;
    bool failed;
    uint32_t half_seed; /* not 0: after the failure, one of two commands fails */
};
extern struct fake_objects fakes;

void fakes_reset(int handle_shift);
int fakes_alive(void); /* of all kinds */

uint64_t fake_new_handle(enum fake_kind kind);
void fake_release_handle(enum fake_kind kind, uint64_t handle); /* 0 is none */

/* The n-th command from now that can fail does, with that result; 0 switches it off. */
void fake_fail_after(unsigned n, VkResult result);
/* And of the later ones one of two, chosen by the seed (not 0). */
void fake_fail_half(unsigned n, VkResult result, uint32_t seed);
bool fake_has_failed(void); /* since the last of these calls */
/* What the command that asks has to return. */
VkResult fake_result(void);

/* A VkResult; *made is a handle if that is VK_SUCCESS. */
#define FAKE_MAKE(kind, made)                                                                      \
    (fake_result() != VK_SUCCESS                                                                   \
         ? fakes.failure                                                                           \
         : (*(made) = (void *)(uintptr_t)fake_new_handle(kind), VK_SUCCESS))

#endif
