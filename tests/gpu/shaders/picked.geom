#version 450
/* SPDX-License-Identifier: MIT
 * Emits copies of some of its vertices. PICKS: 0 edges, in a function; 1 whole primitives or their first two triangles as one strip; 2 silhouettes;
 * 3 points, a static choice; 4 the two halves of a quad, turned, or one of them; 5 one end of a line; 6 the same for each primitive;
 * 7 strips that data ends; 8 corners that data chooses; 9 triangles of the neighbours; 10 a loop that ends behind its first round. */
#ifndef PICKS
#define PICKS 0
#define MOST 6
#undef INPUT
#define INPUT triangles
#undef OUTPUT
#define OUTPUT line_strip
#endif
layout(INPUT) in;
layout(OUTPUT, max_vertices = MOST) out;
layout(location = 0) in Told
{
    flat uint number;
    float shade;
}
told[];
layout(location = 0) out float shade;
layout(location = 1) out flat uint value;
layout(push_constant) uniform Push { layout(offset = 8) uint tints; } push;

void make(int i)
{
    vec4 at = gl_in[i].gl_Position;
    uint number = told[i].number;
    for (uint k = 0u; k < push.tints; k++)
        number += number * (k + 1u);
    gl_Position = vec4(at.xy * 0.75, at.zw);
    gl_PointSize = 1.0;
    shade = told[i].shade;
    value = number;
    EmitVertex();
}

float turn(int a, int b, int c)
{
    precise vec2 u = gl_in[b].gl_Position.xy - gl_in[a].gl_Position.xy;
    precise vec2 v = gl_in[c].gl_Position.xy - gl_in[a].gl_Position.xy;
    return u.x * v.y - u.y * v.x;
}

void main()
{
#if PICKS == 0
    for (int i = 0; i < 3; i++) {
        if (((told[i].number ^ told[(i + 1) % 3].number) & 3u) == 1u)
            continue;
        make(i);
        make((i + 1) % 3);
        EndPrimitive();
    }
#elif PICKS == 1
    if (turn(0, 1, 2) < 0.0)
        return;
    make(0);
    make(1);
    make(2);
    if ((told[0].number & 1u) != 0u) {
        make(0);
        make(1);
    }
#elif PICKS == 2
    if (turn(0, 2, 4) < 0.0)
        return;
    for (int i = 0; i < 6; i += 2) {
        const int next = (i + 2) % 6;
        if (turn(i, i + 1, next) < 0.0) {
            make(i);
            make(next);
            EndPrimitive();
        }
    }
#elif PICKS == 3
    for (int i = 2; i >= 0; i--)
        if ((told[i].number + uint(gl_PrimitiveIDIn)) % 3u != 0u)
            make(i);
#elif PICKS == 4
    if (turn(0, 1, 2) < turn(1, 2, 3)) {
        make(3);
        make(1);
        make(2);
        EndPrimitive();
    }
    if ((told[1].number & 2u) != 0u) {
        make(0); /* too few for a triangle */
        make(3);
        EndPrimitive();
    }
    make(2);
    make(1);
    make(0);
#elif PICKS == 5
    if (told[0].shade < told[1].shade)
        make(0);
    else
        make(1);
#elif PICKS == 6
    for (int i = 0; i < 4; i++)
        make(i % 3);
#elif PICKS == 7
    for (int i = 0; i < 8; i++) {
        if (i > 1 && ((told[i % 3].number + uint(i)) & 3u) == 1u)
            EndPrimitive();
        make(i * 2 % 3);
    }
    EndPrimitive();
    EndPrimitive();
#elif PICKS == 8
    for (int i = 0; i < 3; i++) {
        int k = i;
        if ((told[i].number & 2u) != 0u) {
            EndPrimitive();
            k = (i + 2) % 3;
        }
        make(k);
    }
#elif PICKS == 9
    if (turn(0, 2, 4) > 0.0) {
        make(4);
        make(0);
        make(2);
    }
    for (int i = 5; i > 0; i -= 2)
        if ((told[i].number & 1u) == 0u)
            make(i);
#else
    bool goes_on = (told[0].number & 1u) == 0u;
    while (goes_on) {
        make(0);
        goes_on = false;
    }
#endif
}
