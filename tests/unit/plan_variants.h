/* SPDX-License-Identifier: MIT
 *
 * Facts of a draw (test_draw_technique.c), and the driver's pipelines that run or draw then.
 */
#ifndef PGS_TESTS_PLAN_VARIANTS_H
#define PGS_TESTS_PLAN_VARIANTS_H

#define V(variant) PGS_VARIANT_BIT(PGS_VARIANT_##variant)

static const struct {
    uint32_t facts, variants;
} variant_rows[] = {
    {0, V(VERTEX) | V(GEOMETRY) | V(STORED_0)},
    {FUSED, V(FUSED) | V(STORED_0)},
    {DISCARD, V(VERTEX) | V(GEOMETRY)},
    {STATIC | XFB, V(VERTEX) | V(GEOMETRY) | V(XFB) | V(STORED_0)},
    {STATIC | XFB | DISCARD, V(VERTEX) | V(XFB)},
    {STATIC | GENERATED | DISCARD, 0},
    {INDIRECT | XFB | NO_MEMORY, V(VERTEX) | V(GEOMETRY) | V(NO_MEMORY) | V(STORED_0)},
    {INDIRECT | INLINE, V(VERTEX) | V(GEOMETRY) | V(INLINE_CALL) | V(STORED_0)},
    {INDIRECT | PREFERRED | STATIC, V(INLINE_CALL)},
    {TES | INLINE | INDIRECT, V(VERTEX) | V(CONTROL) | V(EVALUATION) | V(STORED_0) | V(INLINE)},
    {PREFERRED | STATIC, V(INLINE)},
    {TES, V(VERTEX) | V(CONTROL) | V(EVALUATION) | V(STORED_0)},
    {TES | INLINE, V(VERTEX) | V(CONTROL) | V(INLINE)},
    {NATIVE | NO_GS | XFB, V(VERTEX)},
    {NATIVE | GENERATED, V(VERTEX) | V(GEOMETRY)},
};

#endif
