/* SPDX-License-Identifier: MIT
 *
 * The whole kernels of shaders/kernels, compiled at first use, or ahead of it.
 */
#ifndef PGS_PIPELINE_KERNELS_H
#define PGS_PIPELINE_KERNELS_H

#include "pipeline/kernel.h"
#include "poly_gs/abi.h"
#include "poly_gs/bound.h"
#include "poly_gs/digits.h"
#include "vulkan/device.h"

/* The kernels that go through rows (PGS_KERNEL_BIT): PGS_ROW_KERNELS or none. */
static inline uint64_t pgs_row_kernels(const struct pgs_physical_device *physical)
{
    return pgs_runs_on_cpu(physical) && !physical->traits.packs_vertices ? PGS_ROW_KERNELS : 0;
}

/* Lets threads compile kernels that draws will want. mask: of PGS_KERNEL_BIT. Thread-safe. */
void pgs_kernels_expect(struct pgs_device *dev, uint64_t mask);

/* The same of kernels that draws may want, behind what is expected. */
void pgs_kernels_guess(struct pgs_device *dev, uint64_t mask);

/* Bytes of push constants of every compute shader: struct pgs_root, on CPUs digits, and where words
 * are bound the bases of these. */
static inline uint32_t pgs_root_push_B(const struct pgs_physical_device *physical)
{
    const uint32_t digits_B = pgs_runs_on_cpu(physical) ? PGS_ROOT_DIGITS_B : 0;
    const uint32_t bases_B = physical->traits.binds_words ? PGS_BOUND_BASES_B : 0;
    return (uint32_t)sizeof(struct pgs_root) + digits_B + bases_B;
}

/* The pipeline, and the layout that all kernels share: no sets, pgs_root_push_B bytes of push
 * constants. The device owns both. Thread-safe. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout);

#endif
