#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(triangles, invocations = 4) in;
/* A plate: its two faces and its three sides. */
layout(triangle_strip, max_vertices = 18) out;
layout(location = 0) out vec3 color;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 world;
layout(push_constant) uniform Shape
{
    vec3 cut;
    float thickness;
}
shape;

const vec3 shell_color[4] = vec3[](vec3(0.90, 0.42, 0.05), vec3(0.72, 0.06, 0.09), vec3(0.16, 0.12, 0.60),
                                   vec3(0.02, 0.34, 0.40));

void corner(vec3 at, vec3 direction)
{
    gl_Position = project(at);
    color = shell_color[gl_InvocationID];
    normal = direction;
    world = at;
    EmitVertex();
}

void main()
{
    precise vec3 p[3] =
        vec3[](gl_in[0].gl_Position.xyz, gl_in[1].gl_Position.xyz, gl_in[2].gl_Position.xyz);
    precise vec3 center = (p[0] + p[1] + p[2]) * (1.0 / 3.0);
    precise vec3 out_direction = normalize(center);
    int shell = gl_InvocationID;
    /* The outer shells are open on the side that the cut points to, each wider than the one within. */
    float opening = dot(out_direction, shape.cut);
    if (shell > 0 && opening > 0.62 - 0.29 * float(shell))
        return;

    /* Near the edge of its opening a shell comes apart. */
    float loose = shell == 0 ? 0.0 : smoothstep(-0.75, 0.62 - 0.29 * float(shell), opening);
    float radius = 0.62 + 0.43 * float(shell) + 0.22 * loose * loose * (1.0 + 0.5 * sin(40.0 * center.y));
    float size = shell == 0 ? 1.0 : mix(0.93, 0.60, loose);
    precise vec3 top[3], bottom[3];
    for (int i = 0; i < 3; i++) {
        precise vec3 shrunk = center + (p[i] - center) * size;
        top[i] = shrunk * radius;
        bottom[i] = shrunk * (radius - shape.thickness);
    }
    for (int i = 0; i < 3; i++)
        corner(top[i], out_direction);
    EndPrimitive();
    corner(bottom[0], -out_direction);
    corner(bottom[2], -out_direction);
    corner(bottom[1], -out_direction);
    EndPrimitive();
    if (shell == 0)
        return;
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        vec3 side = normalize(cross(top[next] - top[i], out_direction));
        corner(top[i], side);
        corner(bottom[i], side);
        corner(top[next], side);
        corner(bottom[next], side);
        EndPrimitive();
    }
}
