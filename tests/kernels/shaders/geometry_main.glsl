/* SPDX-License-Identifier: MIT
 *
 * Appended to lib/geometry.glsl: emits a number of vertices and strips that depends on the first input, each vertex
 * telling what the library said. INPUTS, INVOCATIONS, MAX_VERTICES, KIND and STREAMS are given on the
 * command line.
 */
uint hash(const uint value)
{
    const uint mixed = (value ^ (value >> 15)) * 0x2C1B3C6Du;
    return (mixed ^ (mixed >> 12)) * 0x297A2D39u >> 8;
}

void emit()
{
    const uint seed = hash(pgs_load(0u, 0u) + pgs_invocation_id());
    const uint emits = seed % (MAX_VERTICES + 3u);
    for (uint n = 0u; n < emits; n++) {
        const uint stream = hash(seed ^ n) % STREAMS;
        if (pgs_emit_begin(MAX_VERTICES, KIND, STREAMS, 12u, 0u, 0xFFFFFFFFu)) {
            for (uint k = 0u; k < 6u; k++)
                pgs_emit_store(k, pgs_load(k, 0u)); /* beyond the last: the last */
            pgs_emit_store(6u, pgs_primitive_id());
            pgs_emit_store(7u, pgs_invocation_id());
            pgs_emit_store4(8u, pgs_load4(INPUTS - 1u, 0u) + uvec4(0u, 0u, 0u, n));
            pgs_emit_end(stream, STREAMS, 12u, 0u);
        }
        const uint ends = hash(seed + n) % 8u;
        const uint ended = hash(seed + 3u * n) % STREAMS; /* often another one than was emitted to */
        if (ends < 3u)
            pgs_end_primitive(ended, KIND, STREAMS);
        if (ends == 0u)
            pgs_end_primitive(ended, KIND, STREAMS);
    }
}

void main()
{
    if (!pgs_geometry_begin(INPUTS, INVOCATIONS, MAX_VERTICES, 4u, 12u, 0u, STREAMS, PGS_TOPOLOGY_ANY, 0xFFFFFFFFu))
        return;
    if (pgs_geometry_exists())
        emit();
    pgs_geometry_end(MAX_VERTICES, KIND, STREAMS);
}
