/* SPDX-License-Identifier: MIT
 *
 * Appended to lib/geometry.glsl: emits a number of vertices and strips that depends on the first input, each vertex
 * telling what the library said. INPUTS, INVOCATIONS, MAX_VERTICES, KIND and STREAMS are given on the
 * command line; with HOLDS strips are short, and stored when they end.
 */
#ifdef HOLDS
#define FLAGS 0xFFFFFFFFu
#define EMIT_STORE pgs_emit_hold
#define EMIT_STORE4 pgs_emit_hold4
#define STORED_W 0u
#else
#define FLAGS (~PGS_DRAW_HOLDS)
#define EMIT_STORE pgs_emit_store
#define EMIT_STORE4 pgs_emit_store4
#define STORED_W 12u
#endif

uint hash(const uint value)
{
    const uint mixed = (value ^ (value >> 15)) * 0x2C1B3C6Du;
    return (mixed ^ (mixed >> 12)) * 0x297A2D39u >> 8;
}

/* Vertices that follow each other mostly lie behind one plane, some of them at it. */
uvec4 position(const uint seed, const uint n)
{
    const uint h = hash(seed ^ (n / 6u * 977u));
    const uint own = hash(seed + 7u * n);
    const uint beyond[4] = uint[](0x40400000u, 0x7F800000u, 0x3F800001u, 0x40000000u); /* 3, infinity, above 1, 2 */
    uvec4 p = uvec4(0u, 0u, 0x3F000000u, own % 32u == 0u ? 0xBF800000u : 0x3F800000u); /* z 1/2, w 1 or -1 */
    if (own % 16u != 1u)
        p[h % 3u] = beyond[own / 64u % 4u] | (h / 3u % 2u) << 31u;
    if (own % 16u == 2u)
        p[h % 3u] = own % 3u == 0u ? 0x3F800000u : own % 3u == 1u ? 0x7FC00000u : 0xBF800000u; /* 1, NaN, -1 */
    return p;
}

void emit()
{
    const uint seed = hash(pgs_load(0u, 0u) + pgs_invocation_id());
    const uint emits = seed % (MAX_VERTICES + 3u);
    for (uint n = 0u; n < emits; n++) {
        const uint stream = hash(seed ^ n) % STREAMS;
        if (pgs_emit_begin(MAX_VERTICES, KIND, STREAMS, 12u, 0u, FLAGS)) {
            for (uint k = 0u; k < 6u; k++)
                EMIT_STORE(k, pgs_load(k, 0u)); /* beyond the last: the last */
            EMIT_STORE(6u, pgs_primitive_id());
            EMIT_STORE(7u, pgs_invocation_id());
            EMIT_STORE4(8u, pgs_load4(INPUTS - 1u, 0u) + uvec4(0u, 0u, 0u, n));
            pgs_emit_position(position(seed, n));
            pgs_emit_end(stream, STREAMS, STORED_W, 0u, FLAGS);
        }
        const uint ends = seed % 5u == 0u ? 8u : hash(seed + n) % 8u; /* some emit one strip */
        const uint ended = hash(seed + 3u * n) % STREAMS; /* often another one than was emitted to */
#ifdef HOLDS
        if (pgs_g_emitted - pgs_g_strip_start == PGS_HELD_EL)
            pgs_end_primitive(ended, KIND, STREAMS, MAX_VERTICES, 12u, 0u, FLAGS);
#endif
        if (ends < 3u)
            pgs_end_primitive(ended, KIND, STREAMS, MAX_VERTICES, 12u, 0u, FLAGS);
        if (ends == 0u)
            pgs_end_primitive(ended, KIND, STREAMS, MAX_VERTICES, 12u, 0u, FLAGS);
    }
}

void main()
{
    if (pgs_geometry_begin(INPUTS, INVOCATIONS, MAX_VERTICES, 4u, 12u, 0u, STREAMS, PGS_TOPOLOGY_ANY, FLAGS)) {
        if (pgs_geometry_exists())
            emit();
        pgs_geometry_end(MAX_VERTICES, KIND, STREAMS, 12u, 0u, FLAGS);
    }
    if (STREAMS == 1)
        pgs_geometry_list(MAX_VERTICES, KIND, FLAGS);
}
