/* SPDX-License-Identifier: MIT
 *
 * VK_LAYER_pgs_test_starve: a layer for tests, right above the driver, whose commands fail when a
 * program says so. The program links the library that the loader loads, so that both speak of the
 * same state. What fails is not sent to the driver, and its outputs are garbage where Vulkan says
 * nothing of them. Thread-safe.
 */
#ifndef STARVE_H
#define STARVE_H

#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stdint.h>

struct starve_plan {
    VkResult result; /* out of host or device memory, or device lost; VK_SUCCESS: nothing fails */
    uint32_t n;      /* the n-th command from now that may return it fails, the first is 1 */
    uint32_t seed;   /* not 0: from the n-th on each second one fails at random */
};

/* Until the next call. A lost device stays lost: no submission to it succeeds, and no wait. */
void starve_begin(const struct starve_plan *plan);
/* Have there been n such commands since? */
bool starve_has_reached(void);
/* Commands that have failed since, and the name of the first one of them (NULL: none). */
uint32_t starve_failures(const char **first);

/* Devices that are created from now on have no more memory, and no more allocations at a time.
 * 0: as many as the driver has. */
void starve_limit(uint64_t memory_B, uint32_t allocations);
/* The most at a time since then. */
uint64_t starve_peak_B(void);
uint32_t starve_peak_allocations(void);

/* Objects of devices that have not been destroyed, all devices together; says which on stderr. */
uint32_t starve_alive(bool say);

#endif
