#version 450
/* SPDX-License-Identifier: MIT
 * Every unit could emit 256 vertices; a few emit one line, and all leave a trace in the log. */
layout(points) in;
layout(line_strip, max_vertices = 256) out;
out gl_PerVertex
{
    vec4 gl_Position;
};
layout(location = 0) flat in uint number[];
layout(set = 0, binding = 0) buffer Log
{
    uint word[];
}
log_;

void main()
{
    uint at = number[0] % 1009u;
    atomicAdd(log_.word[at], number[0] + uint(gl_PrimitiveIDIn) * 3u);
    uint place = number[0] / 16u;
    if (number[0] % 16u != 0u)
        return;
    vec2 pixel = vec2(float(place % 64u), float(place / 64u % 64u)) + 0.5;
    float depth = float(place % 65521u + 1u) / 65536.0;
    gl_Position = vec4((pixel + vec2(-0.4375, 0.0)) / 32.0 - 1.0, depth, 1.0);
    EmitVertex();
    gl_Position = vec4((pixel + vec2(0.5625, 0.0)) / 32.0 - 1.0, depth, 1.0);
    EmitVertex();
}
