#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 domain[];
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 barycentric;
layout(location = 2) flat out vec3 wire; /* how strong that of the edge is across from each corner */
layout(location = 3) flat out float side_of_block;

/* Where the triangles of a patch lie is up to the implementation, but not where its vertices do: the wires are those of
 * the quads, without diagonals. Those on the edge of a patch are stronger. */
float strength(vec2 from, vec2 to)
{
    bvec2 along = equal(from, to);
    if (!any(along))
        return 0.0;
    float place = along.x ? from.x : from.y;
    return place == 0.0 || place == 1.0 ? 1.0 : 0.55;
}

void main()
{
    vec3 strengths;
    for (int i = 0; i < 3; i++)
        strengths[i] = strength(domain[(i + 1) % 3].xy, domain[(i + 2) % 3].xy);
    for (int i = 0; i < 3; i++) {
        gl_Position = project(gl_in[i].gl_Position.xyz);
        world = gl_in[i].gl_Position.xyz;
        barycentric = vec3(i == 0, i == 1, i == 2);
        wire = strengths;
        side_of_block = domain[0].z;
        EmitVertex();
    }
    EndPrimitive();
}
