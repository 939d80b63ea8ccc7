#version 450
/* SPDX-License-Identifier: MIT
 * T2, T3: a point of the terrain. */
layout(quads, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    precise vec2 there = gl_TessCoord.xy, here = 1.0 - there;
    precise vec4 weights =
        vec4(here.x * here.y, there.x * here.y, here.x * there.y, there.x * there.y);
    precise vec4 place = vec4(0.0), mixed = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        place += weights[i] * gl_in[i].gl_Position;
        mixed += weights[i] * color[i];
    }
    place.z += 0.1 * there.x * here.x;
    gl_Position = place;
    out_color = mixed;
}
