#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec3 point_color[];
layout(location = 1) in float point_radius[];
layout(location = 0) out vec3 color;
layout(location = 1) out vec2 place;
layout(location = 2) out vec3 world;

/* To the grid of the positions, on which project() computes without rounding. */
vec3 snap(vec3 v)
{
    return round(v * 1024.0) / 1024.0;
}

/* Half the viewport: see VIEWPORT_PX in points.c. */
const float half_viewport_px = 1024.0;

void main()
{
    /* The quad faces the camera: all its corners are as deep as its middle, so it needs no perspective. */
    vec4 middle = project(gl_in[0].gl_Position.xyz);
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(float(i & 1), float(i >> 1));
        vec2 offset = (corner * 2.0 - 1.0) * point_radius[0];
        vec3 at = snap(gl_in[0].gl_Position.xyz + camera.right.xyz * offset.x + camera.up.xyz * offset.y);
        gl_Position = vec4(window(at, 16.0) / half_viewport_px, middle.z / middle.w, 1.0);
        color = point_color[0];
        place = vec2(corner.x, 1.0 - corner.y);
        world = at;
        EmitVertex();
    }
    EndPrimitive();
}
