#version 450
/* SPDX-License-Identifier: MIT */
/* The modes are placeholders, see tess_modes. */
layout(triangles, equal_spacing, cw) in;
layout(location = 0) out vec3 coord;
layout(location = 1) out uvec2 numbers;
layout(location = 2) out Block
{
    float sums[2];
} block;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[1];
};

void main()
{
    coord = gl_TessCoord;
    numbers = uvec2(gl_PrimitiveID, gl_PatchVerticesIn);
    block.sums = float[2](gl_TessCoord.x * 2.0, float(gl_PrimitiveID));
    gl_Position = vec4(gl_TessCoord.xy, float(gl_PrimitiveID), 1.0);
    gl_PointSize = 3.0 + gl_TessCoord.x;
    gl_ClipDistance[0] = gl_TessCoord.y;
}
