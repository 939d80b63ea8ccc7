#version 450
/* SPDX-License-Identifier: MIT
 * Edges of a triangle between which a silhouette lies, each vertex a copy. */
layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec4 given[];
layout(location = 1) in flat uint kind[];
layout(location = 0) out vec4 color;
layout(location = 1) out flat uint made;
layout(binding = 0) uniform Field { mat4 turn; vec4 tints[4]; int count; } field;

bool faces(int a, int b, int c)
{
    vec2 at = gl_in[a].gl_Position.xy;
    vec2 u = gl_in[b].gl_Position.xy - at, v = gl_in[c].gl_Position.xy - at;
    return u.x * v.y - u.y * v.x > 0.0;
}

void make(int i)
{
    vec4 sum = given[i];
    for (int k = 0; k < field.count; k++)
        sum += field.tints[k];
    gl_Position = field.turn * gl_in[i].gl_Position;
    color = kind[i] > 3u ? sum : sum * 2.0;
    made = kind[i];
    EmitVertex();
}

void main()
{
    if (!faces(0, 2, 4))
        return;
    for (int i = 0; i < 6; i += 2) {
        const int next = (i + 2) % 6;
        if (faces(i, i + 1, next))
            continue;
        make(i);
        make(next);
        EndPrimitive();
    }
}
