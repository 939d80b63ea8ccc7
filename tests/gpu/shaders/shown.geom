#version 450
/* SPDX-License-Identifier: MIT
 * Hands on what the vertex shader fetched, to be stored by shown.frag. */
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat in uvec4 first[];
layout(location = 1) flat in uvec4 per_instance[];
layout(location = 2) flat in uvec4 second[];
layout(location = 3) flat in uint instance[];
layout(location = 0) flat out uvec4 shown_first;
layout(location = 1) flat out uvec4 shown_per_instance;
layout(location = 2) flat out uvec4 shown_second;
layout(location = 3) flat out uvec2 place; /* vertex and instance */

void main()
{
    shown_first = first[0];
    shown_per_instance = per_instance[0];
    shown_second = second[0];
    place = uvec2(uint(gl_PrimitiveIDIn), instance[0]);
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    EmitVertex();
}
