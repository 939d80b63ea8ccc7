#version 450
/* SPDX-License-Identifier: MIT */
/* Two vertices make a patch of three. */
layout(vertices = 3) out;
layout(constant_id = 0) const int more = 0;
layout(push_constant) uniform Push
{
    vec4 outer;
    vec2 inner;
    uint salt;
} push;
layout(set = 0, binding = 0) uniform Scale
{
    vec4 factors[4];
} scale;
layout(set = 1, binding = 0, std430) buffer Count
{
    uint invocations[];
} count;
layout(location = 0) in uint cell[];
layout(location = 0) patch out uint patch_cell;
layout(location = 1) patch out uint patch_salt;
layout(location = 2) out float corner[];

void main()
{
    corner[gl_InvocationID] = float(gl_InvocationID) + gl_in[gl_InvocationID % 2].gl_Position.x;
    atomicAdd(count.invocations[gl_PrimitiveID], 1u + 256u * uint(gl_InvocationID));
    if (gl_InvocationID != 0)
        return;
    vec4 factor = scale.factors[gl_PrimitiveID & 3];
    for (int i = 0; i < 4; i++)
        gl_TessLevelOuter[i] = push.outer[i] * factor[i] + float(more);
    for (int i = 0; i < 2; i++)
        gl_TessLevelInner[i] = push.inner[i] * factor[i] + float(more);
    patch_cell = cell[1];
    patch_salt = push.salt;
}
