#version 450
/* SPDX-License-Identifier: MIT
 * What the geometry shader is told comes from every kind of input that the driver has for vertex shaders. */
layout(location = 0) in vec2 place;
layout(location = 1) in uvec2 turn; /* one for each instance */
#ifdef RANGE
layout(push_constant) uniform Push { uint base; } push;
#define BASE push.base
#elif defined(PUSH)
layout(push_constant) uniform Push { uint base; layout(offset = 16) uint more[3]; } push;
#define BASE (push.base + push.more[1])
#else
#define BASE 3u
#endif
layout(location = 0) out Told
{
    flat uint number;
    float shade;
}
told;

void main()
{
    const uint cell = uint(gl_VertexIndex);
    told.number = BASE + cell * 7u + uint(gl_InstanceIndex) * 1024u + turn.x * 131u;
    told.shade = float(cell % 5u) + float(turn.y);
    gl_Position = vec4(place + vec2(float(gl_InstanceIndex % 3) * 0.25, 0.0), 0.5, 1.0);
    gl_PointSize = 1.0 + float(cell % 4u);
}
