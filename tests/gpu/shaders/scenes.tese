#version 450
// SPDX-License-Identifier: MIT
layout(quads, equal_spacing, cw) in;
layout(location = 0) in vec4 from_control[];
layout(location = 0) out vec4 to_next; // a color, or a place for the geometry shader

void main()
{
    const vec4 place = from_control[0];
    gl_Position = vec4(place.xy + (gl_TessCoord.xy - 0.5) * place.z, 0.0, 1.0);
    to_next = vec4(place.xy, place.z, place.w);
}
