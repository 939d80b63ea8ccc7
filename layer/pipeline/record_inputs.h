/* SPDX-License-Identifier: MIT
 *
 * What an inline draw reads of its record as vertex attributes, where loads take long to compile.
 */
#ifndef PGS_PIPELINE_RECORD_INPUTS_H
#define PGS_PIPELINE_RECORD_INPUTS_H

#include "pipeline/pipeline.h"
#include "spirv/spirv.h"

/* Records are written in whole lines, one after the other, and never read: their memory may be
 * write-combined and lie behind a bus, which takes a line at once and its parts one by one. */
#define PGS_RECORD_LINE_B 64

/* Bytes of a record with the attributes that this pipeline's shaders read, in whole lines; also the
 * distance of the records of its draws, unless captures lie between them. */
uint32_t pgs_record_size(const struct pgs_emulated_pipeline *pipeline);

/* True if PGS_VARIANT_INLINE may read its record so: binding 0 is at the record, whose first member
 * takes the place of those of a pgs_inline_draw. physical: of the
 * pipeline. */
bool pgs_may_take_record(const struct pgs_physical_device *physical,
                         const struct pgs_emulated_pipeline *pipeline);

/* Lets attributes of one binding be there or not together, so that their shader looks for their
 * element once. Vulkan says so of out-of-bounds accesses unless robustBufferAccess2 counts them one
 * by one. behind_B: bytes from the end of an attribute to that of the last one; leader: location of
 * the first one. */
void pgs_record_join_attributes(struct pgs_emulated_pipeline *pipeline);

/* Fills near, near_B and reads_near. */
void pgs_record_near(const struct pgs_emulated_pipeline *pipeline,
                     struct pgs_spv_vertex_options *options);

/* Locations of the attributes that the shaders read; of those that are joined, of the first. */
uint32_t pgs_record_attributes(const struct pgs_emulated_pipeline *pipeline);

/* The attributes of binding 0 besides the address, those of enum pgs_spv_record_input. Returns how
 * many there are. */
#define PGS_MAX_RECORD_INPUTS (PGS_SPV_RECORD_ATTRIBUTES + 32)
uint32_t pgs_record_inputs(const struct pgs_emulated_pipeline *pipeline,
                           VkVertexInputAttributeDescription inputs[PGS_MAX_RECORD_INPUTS]);

#endif
