#version 450
/* SPDX-License-Identifier: MIT
 * The patch itself, undivided. */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in uint numbers[];
layout(location = 1) in vec2 places[];
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 place;

void main()
{
    vec3 at = gl_TessCoord;
    gl_Position = at.x * gl_in[0].gl_Position + at.y * gl_in[1].gl_Position + at.z * gl_in[2].gl_Position;
    number = numbers[0];
    place = at.x * places[0] + at.y * places[1] + at.z * places[2];
}
