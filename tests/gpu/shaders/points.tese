#version 450
/* SPDX-License-Identifier: MIT
 * Six points for each patch. */
layout(isolines, equal_spacing, point_mode) in;
layout(location = 0) in uvec2 numbers[];
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
layout(location = 1) out vec2 place;
layout(location = 4) out Rest
{
    noperspective float along;
    centroid float beside;
}
rest;

void main()
{
    vec4 at = gl_in[0].gl_Position;
    gl_Position = at + vec4(gl_TessCoord.x * 0.125 * at.w, gl_TessCoord.y * 0.25 * at.w, 0.0, 0.0);
    gl_PointSize = gl_in[1].gl_PointSize + gl_TessCoord.x * 2.0;
    vertex = numbers[0].y;
    instance = numbers[0].x;
    place = gl_TessCoord.xy;
    rest.along = 1.0;
    rest.beside = 2.0;
}
