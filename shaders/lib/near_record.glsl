/* SPDX-License-Identifier: MIT
 *
 * Takes what most draws read of their record, once (PGS_RECORD_INPUTS). With PGS_ROOT_KEPT.
 */
#ifndef PGS_NEAR_RECORD_GLSL
#define PGS_NEAR_RECORD_GLSL

#include "record.glsl"

/* Words of the record: its quads, and its attributes (asserted in layer/pipeline/record_inputs.c). */
#define PGS_INDICES_W 4u
#define PGS_NUMBERS_W 8u
#define PGS_REST_W 12u
#define PGS_ATTRIBUTES_W (uint(PGS_RECORD_PUSH_B) / 4u + uint(PGS_MAX_PUSH_WORDS))

/* Called before all else, in front of any branch: loads what is read of the record, in as few instructions as that
 * takes. In a branch drivers of CPUs do not know that the first invocation of a vector, for which they would load, is
 * active. */
void pgs_near_take_record()
{
    pgs_keep_root();
    const uvec2 record = pgs_root_address();
    const uvec4 indices = pgs_read4_near(record, PGS_INDICES_W);
    const uvec4 numbers = pgs_read4_near(record, PGS_NUMBERS_W);
    pgs_near_take(indices, numbers, pgs_read4_near(record, PGS_REST_W));
}

/* Then, for each attribute that is fetched. */
void pgs_near_take_attribute(const uint location)
{
    pgs_near_attributes[location] = pgs_read4_near(pgs_root_address(), PGS_ATTRIBUTES_W + location * 8u);
}

#endif
