#version 450
/* SPDX-License-Identifier: MIT */
// Emits to STREAMS streams, strips of all lengths, beyond what it may: always the same with KNOWN, else by its inputs.
// With EFFECT each GS invocation leaves a mark in memory.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(INPUT, invocations = INVOCATIONS) in;
layout(OUTPUT, max_vertices = MAX_VERTICES) out;
layout(push_constant) uniform block
{
    layout(offset = 4) uint salt;
    layout(offset = 8) uvec2 marks;
};
layout(buffer_reference, std430) buffer mark_ref
{
    uint mark;
};
layout(location = 0) flat in uint tags[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 16) out uvec4 who;
layout(stream = 0, location = 1, xfb_buffer = 0, xfb_offset = 4) out uint tag;
layout(stream = 0, location = 2, xfb_buffer = 3, xfb_stride = 20, xfb_offset = 8) out uvec3 more;
#if STREAMS > 1
layout(stream = 1, location = 3, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out uvec4 of_1;
layout(stream = 2, location = 4, xfb_buffer = 2, xfb_stride = 12, xfb_offset = 4) out pair
{
    uint of_2[2];
};
#endif

uint runs = 1u;

uint hash(uint value)
{
    uint mixed = (value ^ (value >> 15)) * 0x2C1B3C6Du;
    return (mixed ^ (mixed >> 12)) * 0x297A2D39u >> 8;
}

void emit(uint stream, uint n)
{
    runs++;
    who = uvec4(gl_PrimitiveIDIn + salt, gl_InvocationID, n, tags[n % uint(tags.length())]);
    tag = tags[0] ^ runs;
    more = who.wzy ^ 0x55u;
#if STREAMS > 1
    of_1 = who + 1u;
    of_2[0] = runs;
    of_2[1] = who.w ^ n;
    if (stream == 0u)
        EmitStreamVertex(0);
    else if (stream == 1u)
        EmitStreamVertex(1);
    else
        EmitStreamVertex(2);
#else
    EmitVertex();
#endif
}

void end(uint stream)
{
#if STREAMS > 1
    if (stream == 0u)
        EndStreamPrimitive(0);
    else if (stream == 1u)
        EndStreamPrimitive(1);
    else
        EndStreamPrimitive(2);
#else
    EndPrimitive();
#endif
}

void main()
{
    uint seed = hash(KNOWN == 1 ? 77u : tags[0] + uint(gl_InvocationID));
    uint emits = KNOWN == 1 ? MAX_VERTICES + 2 : seed % (MAX_VERTICES + 3);
#ifdef EFFECT
    mark_ref(uvec2(marks.x + uint(gl_PrimitiveIDIn * INVOCATIONS + gl_InvocationID) * 4u, marks.y)).mark = salt;
#endif
    for (uint n = 0u; n < emits; n++) {
        emit(hash(seed ^ n) % STREAMS, n);
        if (hash(seed + n) % 8u < 2u)
            end(hash(seed + 3u * n) % STREAMS);
    }
}
