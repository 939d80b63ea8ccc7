#version 450
/* SPDX-License-Identifier: MIT
 * INPUT and VERTICES come from the command line. Writes all that it sees into the slot of its unit. */
layout(INPUT, invocations = 2) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in uvec4 seen[];
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) buffer Log
{
    uint word[];
}
log_;
layout(push_constant) uniform Draw
{
    uint base_w, first_instance, primitives, slots, row;
}
draw;

void main()
{
    uint instance = seen[0].y - draw.first_instance;
    uint slot = (instance * draw.primitives + uint(gl_PrimitiveIDIn)) * 2u + uint(gl_InvocationID);
    atomicAdd(log_.word[draw.base_w], 1u);
    if (slot >= draw.slots) {
        atomicAdd(log_.word[draw.base_w + 1u], 1u);
        return;
    }
    uint at = draw.base_w + 4u + slot * (4u + 8u * uint(VERTICES));
    atomicAdd(log_.word[at], 1u);
    log_.word[at + 1u] = uint(gl_PrimitiveIDIn);
    log_.word[at + 2u] = uint(gl_InvocationID);
    log_.word[at + 3u] = uint(gl_in.length());
    for (int i = 0; i < VERTICES; i++) {
        uint to = at + 4u + 8u * uint(i);
        log_.word[to] = seen[i].x;
        log_.word[to + 1u] = seen[i].y;
        log_.word[to + 2u] = seen[i].z;
        log_.word[to + 3u] = seen[i].w;
        log_.word[to + 4u] = floatBitsToUint(gl_in[i].gl_Position.x);
        log_.word[to + 5u] = floatBitsToUint(gl_in[i].gl_Position.y);
        log_.word[to + 6u] = floatBitsToUint(gl_in[i].gl_Position.z);
        log_.word[to + 7u] = floatBitsToUint(gl_in[i].gl_PointSize);
    }
    /* Units of one draw share the pixels of a row: the last one in primitive order must win. */
    uint column = uint(gl_PrimitiveIDIn) % 16u;
    gl_Position = vec4((float(column) + 0.5) / 8.0 - 1.0, (float(draw.row % 64u) + 0.5) / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    value = slot + 1u;
    EmitVertex();
}
