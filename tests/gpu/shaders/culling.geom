#version 450
/* SPDX-License-Identifier: MIT
 *
 * Emits the strips of a list, so many for each point: how many, a compiler cannot know. OUTPUT: what
 * it emits; VERTICES: vertices at most, with 4 those of one strip. QUADS: one strip of four vertices, which
 * a compiler knows; shorter ones repeat their last vertex.
 */
layout(points) in;
layout(OUTPUT, max_vertices = VERTICES) out;

layout(set = 0, binding = 0, std430) readonly buffer strip_list
{
    uvec2 strips[]; /* first position, vertices */
};
layout(set = 0, binding = 1, std430) readonly buffer position_list
{
    vec4 positions[];
};
layout(push_constant) uniform push_constants
{
    uint strips_of_point, viewports;
} push;

layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint strip;

void emit(const uint n, const uint k)
{
    gl_Position = positions[strips[n].x + k];
    gl_PointSize = 1.0;
#ifdef VIEWPORTS
    gl_ViewportIndex = int(n % push.viewports);
#endif
    strip = n;
    EmitVertex();
}

#ifdef QUADS

void main()
{
    const uint n = number[0] * push.strips_of_point;
    const uint last = max(strips[n].y, 1u) - 1u;
    emit(n, 0u);
    emit(n, min(1u, last));
    emit(n, min(2u, last));
    emit(n, last);
    EndPrimitive();
}

#else

void main()
{
    for (uint i = 0u; i < push.strips_of_point; i++) {
        const uint n = number[0] * push.strips_of_point + i;
        for (uint k = 0u; k < strips[n].y; k++)
            emit(n, k);
        EndPrimitive();
    }
}

#endif
