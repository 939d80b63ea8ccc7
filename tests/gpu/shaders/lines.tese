#version 450
/* SPDX-License-Identifier: MIT
 * Two lines for each patch. The flat values are the patch's. */
layout(isolines, equal_spacing) in;
layout(location = 0) in uvec2 numbers[];
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
layout(location = 1) out vec2 place;
layout(location = 2) out float along;

void main()
{
    vec4 at = gl_TessCoord.x < 0.5 ? gl_in[0].gl_Position : gl_in[1].gl_Position;
    gl_Position = at + vec4(0.0, gl_TessCoord.y < 0.25 ? 0.0 : 0.09375 * at.w, 0.0, 0.0);
    vertex = numbers[0].y;
    instance = numbers[0].x;
    place = vec2(0.125);
    along = 1.0;
}
