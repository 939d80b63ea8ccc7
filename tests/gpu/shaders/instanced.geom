#version 450
/* SPDX-License-Identifier: MIT
 * Each vertex is made of one. STRIPS of an invocation, INVOCATIONS of them; LAYER of a strip; INPUT has VERTICES and becomes
 * OUTPUT. UNREAD: push constants that nobody reads have that type, and others say how long loops are. */
#ifndef STRIPS
#define STRIPS 1
#endif
layout(INPUT, invocations = INVOCATIONS) in;
layout(OUTPUT, max_vertices = VERTICES * STRIPS) out;
layout(location = 0) in Told
{
    flat uint number;
    float shade;
}
told[];
#ifdef PUSH
layout(push_constant) uniform Push
{
#ifdef UNREAD
    layout(offset = 4) UNREAD unread;
#endif
    layout(offset = 16) uint more[3];
} push;
#endif
layout(binding = 0) uniform Field { vec4 turns[6]; } field;
layout(location = 0) out float shade;
layout(location = 1) out flat uint value;

vec4 turned(vec4 at, uint strip)
{
    const vec4 turn = field.turns[strip];
    at.xy = mat2(turn.xy, turn.zw) * at.xy;
#ifdef UNREAD
    for (uint i = 0u; i < push.more[2] % 5u; i++) {
        at.y += 0.0625;
        if (at.x > 0.75)
            return at;
    }
#endif
    return at;
}

#ifdef UNREAD
uint stirred(uint number)
{
    for (uint i = 0u; i < push.more[2] % 7u; i++)
        number = number * 747796405u + push.more[0];
    return number & 1023u;
}
#endif

void main()
{
    for (uint k = 0u; k < STRIPS; k++) {
        const uint strip = uint(gl_InvocationID) * STRIPS + k;
        for (int i = 0; i < VERTICES; i++) {
            gl_Position = turned(gl_in[i].gl_Position, strip % 6u);
            gl_PointSize = gl_in[i].gl_PointSize;
#ifdef LAYER
            gl_Layer = int(LAYER);
#endif
            shade = told[i].shade + float(strip);
            value = told[i].number * 64u + strip;
#ifdef PUSH
            value += push.more[strip % 3u];
#endif
#ifdef UNREAD
            value += stirred(told[i].number);
#endif
            EmitVertex();
        }
        EndPrimitive();
    }
}
