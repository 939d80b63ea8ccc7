#version 450
/* SPDX-License-Identifier: MIT */
/* The modes are placeholders, see tess_modes. */
layout(triangles, equal_spacing, cw) in;
layout(constant_id = 1) const uint added = 0u;
layout(constant_id = 2) const float cut = 2.0;
layout(constant_id = 3) const uint culled = 100u;
layout(push_constant) uniform Push
{
    layout(offset = 24) uint salt;
    float point_size;
} push;
layout(set = 0, binding = 1) uniform sampler2D tints;
layout(set = 0, binding = 2, std430) readonly buffer Places
{
    vec2 places[16];
} places[2];
layout(location = 0) patch in uint patch_cell;
layout(location = 1) patch in uint patch_salt;
layout(location = 2) in float corner[];
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 coord;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[1];
    float gl_CullDistance[1];
};

void main()
{
    float tint = textureLod(tints, (vec2(patch_cell % 4u, patch_cell / 4u) + 0.5) / 4.0, 0.0).r;
    bool right = patch_salt == push.salt && gl_PatchVerticesIn == 3;
    for (int i = 0; i < 3; i++)
        right = right && corner[i] == float(i) + float(2u * patch_cell + uint(i % 2));
    number = uint(tint * 255.0 + 0.5) + added * 1000u + (right ? 100000u : 0u);
    coord = gl_TessCoord.xy;
    /* Each patch in a cell of its own; no edge goes through the middle of a pixel. */
    bool odd = (patch_cell & 1u) != 0u;
    vec2 corner_of_cell = odd ? places[1].places[patch_cell] : places[0].places[patch_cell];
    vec2 place = (gl_TessCoord.xy * 0.97 + 0.01) / 4.0 + corner_of_cell;
    gl_Position = vec4(place * 2.0 - 1.0, 0.5, 1.0) * (1.0 + gl_TessCoord.x);
    gl_PointSize = push.point_size;
    gl_ClipDistance[0] = (cut - gl_TessCoord.x) * gl_Position.w;
    gl_CullDistance[0] = patch_cell % culled == culled - 1u ? -1.0 - gl_TessCoord.x : 1.0;
}
