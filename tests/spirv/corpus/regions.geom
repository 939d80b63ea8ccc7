#version 450
/* SPDX-License-Identifier: MIT
 * Loops whose length uniforms, push constants, the invocation and vertices say, and branches over them, none of which emits: each
 * vertex is made of one (analysis/region.c). */
layout(triangles, invocations = 3) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 given[];
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 more;
layout(push_constant) uniform Push { layout(offset = 64) uint times; float step; } push;
layout(binding = 0) uniform Field { mat4 turns[3]; vec4 palette[4]; int count; } field;

struct Vertex { vec4 at, light; };
Vertex kept[3];
vec4 sum;

uint next(uint h)
{
    h = h * 747796405u + 1u;
    return h ^ h >> 7;
}

float tint(float seed)
{
    uint h = floatBitsToUint(seed);
    for (uint k = 0u; k < push.times; k++)
        h = next(h);
    return float(h & 3u);
}

vec4 moved(vec4 at)
{
    if (at.x > field.palette[0].x)
        return at * 2.0;
    for (int k = 0; k < field.count + gl_InvocationID; k++) {
        if (at[k & 3] < 0.0)
            return field.palette[k & 3];
        at += push.step;
    }
    return at;
}

void add(vec4 one)
{
    sum += one;
}

void main()
{
    for (int i = 0; i < 3; i++)
        kept[i] = Vertex(gl_in[i].gl_Position, given[i]);
    for (int i = 0; i < 3; i++) {
        vec4 at = field.turns[gl_InvocationID] * moved(kept[i].at);
        sum = vec4(0.0);
        for (int k = 0; k < field.count; k++)
            add(kept[i].light * field.palette[k & 3]);
        switch (field.count) {
        case 0: color = kept[i].light; break;
        case 1: color = sum; more.x = 1.0; /* falls through */
        default: color = sum + tint(kept[i].light.w);
        }
        more = sum;
        if (kept[i].light.x > 0.5)
            at.z = 0.25;
        else if (kept[i].light.y > 0.5)
            more.zw = vec2(at.x, push.step);
        do
            at.y += push.step;
        while (at.y < field.palette[1].y);
        gl_Position = at;
        gl_Layer = gl_InvocationID;
        EmitVertex();
    }
}
