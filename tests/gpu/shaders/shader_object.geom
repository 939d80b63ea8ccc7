#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(set = 0, binding = 0) readonly buffer Tints
{
    uint tints[];
};
layout(push_constant) uniform Push
{
    vec2 shift;
    uint tint;
};
layout(location = 0) flat in uint number[];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif

void main()
{
    for (uint copy = 0u; copy < 2u; copy++) {
        for (uint i = 0u; i < 3u; i++) {
            gl_Position = gl_in[i].gl_Position + vec4(0.0, float(copy) * 0.5, 0.0, 0.0);
            value = number[0] + copy * 16u + 3u * tints[tint + 1u];
            EmitVertex();
        }
        EndPrimitive();
    }
}
