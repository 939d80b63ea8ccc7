#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
#include "island.glsl"
layout(vertices = 4) out;

/* How far the ground may be from an edge of a triangle, as seen by the eye: parts of the distance. */
const float tolerance = 0.0012;

/* The fewest segments, a power of two, with which a line over the ground is near enough to it. From the ends of the
 * line alone: two patches agree about the edge between them. */
float level(vec4 from, vec4 to)
{
    if (from.xy == to.xy)
        return 2.0; /* down the side of the block */
    float heights[segments + 1];
    for (int i = 0; i <= segments; i++)
        heights[i] = surface_height(mix(from.xy, to.xy, float(i) / float(segments)));
    vec3 middle = to_world(0.5 * (from.xy + to.xy), heights[segments / 2]);
    float allowed = tolerance * distance(middle, camera.eye.xyz);
    int count = 1;
    for (; count < segments; count *= 2) {
        int step = segments / count;
        float worst = 0.0;
        for (int i = 0; i < segments; i++) {
            int start = i / step * step;
            float chord = mix(heights[start], heights[start + step], float(i - start) / float(step));
            worst = max(worst, abs(heights[i] - chord));
        }
        if (worst <= allowed)
            break;
    }
    return float(count);
}

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID != 0)
        return;
    vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position, c = gl_in[2].gl_Position, d = gl_in[3].gl_Position;
    gl_TessLevelOuter[0] = level(a, c);
    gl_TessLevelOuter[1] = level(a, b);
    gl_TessLevelOuter[2] = level(b, d);
    gl_TessLevelOuter[3] = level(c, d);
    /* Within, as many as the most demanding of three lines wants. */
    float along = level(0.5 * (a + c), 0.5 * (b + d));
    float across = level(0.5 * (a + b), 0.5 * (c + d));
    gl_TessLevelInner[0] = max(along, max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]));
    gl_TessLevelInner[1] = max(across, max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]));
}
