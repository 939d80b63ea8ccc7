#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(triangles) in;
/* Three vertex normals and a face normal at most; a face seen from behind gives nothing, and only every second
 * triangle, the one that begins a quad, shows the normals of its vertices. */
layout(line_strip, max_vertices = 8) out;
layout(location = 0) in vec3 vertex_normal[];
layout(location = 0) out vec3 color;
layout(push_constant) uniform Lengths
{
    float vertex_length, face_length, bias;
}
lengths;

/* Lines join the corners of pixels: which pixels one lights is then no matter of rounding. */
vec4 project_end(vec3 world)
{
    return project_to_grid(world, 1.0);
}

void line(vec3 from, vec3 direction, float len, vec3 root, vec3 tip)
{
    precise vec3 start = from + direction * lengths.bias;
    precise vec3 end = from + direction * len;
    gl_Position = project_end(start);
    color = root;
    EmitVertex();
    gl_Position = project_end(end);
    color = tip;
    EmitVertex();
    EndPrimitive();
}

void main()
{
    vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[1].gl_Position.xyz, c = gl_in[2].gl_Position.xyz;
    precise vec3 center = (a + b + c) * (1.0 / 3.0);
    precise vec3 face = cross(b - a, c - a);
    face = normalize(face);
    if (dot(face, camera.eye.xyz - center) < 0.0)
        return;
    if ((gl_PrimitiveIDIn & 1) == 0)
        for (int i = 0; i < 3; i++)
            line(gl_in[i].gl_Position.xyz, vertex_normal[i], lengths.vertex_length, vec3(0.05, 0.30, 0.75),
                 vec3(0.25, 1.0, 1.0));
    line(center, face, lengths.face_length, vec3(0.8, 0.25, 0.02), vec3(1.0, 0.85, 0.25));
}
