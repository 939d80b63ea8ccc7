#version 450
/* SPDX-License-Identifier: MIT
 * gl_PointCoord beside inputs of every interpolation, some in a block. */
layout(location = 0) in vec2 plain;
layout(location = 1) noperspective in vec3 linear;
layout(location = 2) flat in uint number;
layout(location = 3) centroid in float near;
layout(location = 4) noperspective centroid in float both;
layout(location = 5) in Block
{
    vec4 smooth_one;
    noperspective vec2 linear_one;
    flat int flat_one;
    float list[2];
}
block;
layout(location = 0) out vec4 color;

float of(vec2 at)
{
    return at.x * gl_PointCoord.y;
}

void main()
{
    float sum = dot(plain, gl_PointCoord) + linear.z + float(number) + near + both + of(gl_PointCoord.yx);
    color = block.smooth_one + vec4(block.linear_one, float(block.flat_one), block.list[number & 1u]) + vec4(sum, dFdx(gl_PointCoord), gl_FragCoord.w);
}
