#version 450
/* SPDX-License-Identifier: MIT
 * Vertex v stands at a place of its own in the band of its instance: any three make a triangle. */
layout(location = 0, component = 1) flat out uint vertex;
layout(location = 0, component = 0) flat out uint instance;

void main()
{
    uint v = uint(gl_VertexIndex), band = uint(gl_InstanceIndex);
    vec2 pixel = vec2(3.25 + 7.0 * float(v), 16.0 * float(band) + 2.25 + float((v * 7u + v / 3u) % 12u));
    gl_Position = vec4(pixel / 128.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0 + float(v % 3u) * 2.0;
    vertex = v + 1u;
    instance = band;
}
