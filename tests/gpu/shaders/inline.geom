#version 450
/* SPDX-License-Identifier: MIT
 * INPUT, VERTICES of it, OUTPUT and KIND, its vertices, come from the command line. Strips of 0 to 7 vertices, as many as
 * the number says, around the cell of the first vertex; what is drawn later lies above. */
layout(INPUT, invocations = 2) in;
layout(OUTPUT, max_vertices = 24) out;
layout(location = 0) in Told
{
    flat uint number;
    flat uvec2 turn;
}
told[];
layout(set = 0, binding = 0) uniform Field
{
    vec4 scale; /* of a cell, and of the whole */
}
field;
layout(location = 0) out vec3 shade;
layout(location = 1) flat out uint value;

uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main()
{
    const uint last = uint(VERTICES) - 1u;
    uint seed = hash(told[0].number * 2u + uint(gl_InvocationID) + told[last].number * 77u);
    uint emitted = 0u;
    for (uint strip = 0u; strip < 4u; strip++) {
        uint length = min(seed >> (3u * strip) & 7u, 24u - emitted);
        vec2 corner = gl_in[strip & last].gl_Position.xy + vec2(float(gl_InvocationID) * 1.5, float(strip)) +
                      vec2(0.03125, 0.09375); /* no rasterizer is in doubt */
        for (uint i = 0u; i < length; i++) {
            bool up = ((i ^ told[0].turn.x) & 1u) != 0u;
            vec2 at = corner + field.scale.xy * vec2(float(i), up ? 3.0 : 0.0);
            gl_Position = vec4(at * field.scale.zw - 1.0, 0.5, 1.0);
            gl_PointSize = 1.0;
            gl_PrimitiveID = gl_PrimitiveIDIn;
            shade = vec3(float(i), float(told[last].turn.y), 1.0);
            value = told[0].number * 256u + strip * 32u + uint(gl_InvocationID) * 16u + i;
            EmitVertex();
        }
        emitted += length;
        if (strip % 2u == 0u || length > 2u)
            EndPrimitive();
    }
}
