/* SPDX-License-Identifier: MIT
 *
 * For shaders that write what they capture to the transform feedback buffers themselves. The
 * pgs_capture lies before the record, so that no load is needed to find it.
 */
#ifndef PGS_SELF_CAPTURE_GLSL
#define PGS_SELF_CAPTURE_GLSL

#include "poly_gs/xfb.h"
#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_self_capture_ref
{
    pgs_capture capture;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer pgs_loose_quads_ref
{
    uvec4 value[];
};

uint pgs_sc_vertex;                       /* number of the captured vertex in the draw */
uvec2 pgs_sc_target[PGS_MAX_XFB_BUFFERS]; /* address of vertex 0; 0: buffer not bound */
uvec2 pgs_sc_output;                      /* address of the captured vertex in the current buffer */

uvec2 pgs_self_capture_address()
{
    return pgs_subtract(pgs_root_address(), PGS_CAPTURE_BEFORE_B);
}

/* Where a buffer has its vertex 0, if it is in the mask `buffers`. */
void pgs_self_capture_find(const uint buffers)
{
    pgs_self_capture_ref ref = pgs_self_capture_ref(pgs_self_capture_address());
    if ((buffers & 1u) != 0u)
        pgs_sc_target[0] = ref.capture.target[0];
    if ((buffers & 2u) != 0u)
        pgs_sc_target[1] = ref.capture.target[1];
    if ((buffers & 4u) != 0u)
        pgs_sc_target[2] = ref.capture.target[2];
    if ((buffers & 8u) != 0u)
        pgs_sc_target[3] = ref.capture.target[3];
}

/* Selects the buffer of the stores that follow. False: it is not bound. */
bool pgs_self_capture_to(const uint index, const uint stride_B)
{
    const uvec2 target = pgs_sc_target[index];
    pgs_sc_output = pgs_mul_add(target, pgs_sc_vertex, stride_B);
    return target != uvec2(0u);
}

void pgs_self_capture_store(const uint word, const uint value)
{
    pgs_write_near(pgs_sc_output, word, value);
}

/* The same of four words from a multiple of 4 on, where the processor stores quads at any word, so that CPUs need not compile
 * both. */
void pgs_self_capture_store4_loose(const uint word, const uvec4 value)
{
    pgs_loose_quads_ref(pgs_sc_output).value[word / 4u] = value;
}

/* word: a multiple of 4. The stride is a multiple of 16 bytes, but the buffer may begin at any
 * word. */
void pgs_self_capture_store4(const uint word, const uvec4 value)
{
    if ((pgs_sc_output.x & 15u) == 0u) {
        pgs_write4_near(pgs_sc_output, word, value);
    } else {
        pgs_self_capture_store4_loose(word, value);
    }
}

#endif
