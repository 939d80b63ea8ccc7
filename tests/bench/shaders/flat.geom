#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * W2: a triangle becomes a triangle, coloured by its normal. */
#include "salt.glsl"
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    precise vec3 a = gl_in[1].gl_Position.xyz - gl_in[0].gl_Position.xyz;
    precise vec3 b = gl_in[2].gl_Position.xyz - gl_in[0].gl_Position.xyz;
    precise vec3 normal = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    vec3 sign_of = sign(normal) * 0.25 + 0.5;
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        out_color = SALTED(vec4(sign_of, 1.0) * color[i]);
        EmitVertex();
    }
}
