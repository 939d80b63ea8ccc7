#version 450
/* SPDX-License-Identifier: MIT */
/* PRECISION: mediump or highp, of the first varying and of a member of a block. */
layout(location = 0) out PRECISION vec3 color;
layout(location = 1) out vec3 place;
layout(location = 2) out Block
{
    vec2 whole;
    MEMBER float half_;
} block;

void main()
{
    place = vec3(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0.0);
    gl_Position = vec4(place * 2.0 - 1.0, 1.0);
    color = place;
    block.whole = place.xy;
    block.half_ = place.x;
}
