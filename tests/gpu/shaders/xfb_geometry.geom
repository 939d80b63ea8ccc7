#version 450
/* SPDX-License-Identifier: MIT
 * OUTPUT, INVOCATIONS: see CMakeLists.txt. Invocation i leaves out i vertices. */
layout(points, invocations = INVOCATIONS) in;
layout(OUTPUT, max_vertices = 32) out;
layout(location = 0) flat in uvec3 cell[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 4) out uvec4 seen;
layout(xfb_buffer = 1, xfb_stride = 16) out gl_PerVertex
{
    layout(xfb_offset = 0) vec4 gl_Position;
    float gl_PointSize;
};
layout(location = 1) flat out uint value;

void main()
{
    for (uint n = 0u; n + uint(gl_InvocationID) < cell[0].x; n++) {
        seen = uvec4(gl_PrimitiveIDIn, gl_InvocationID, n, cell[0].z);
        value = 1u + n + 32u * uint(gl_PrimitiveIDIn);
        uint place = uint(gl_PrimitiveIDIn) * 37u + n * 17u + uint(gl_InvocationID) * 29u;
        gl_Position = vec4((vec2(place % 64u, place / 64u % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
        gl_PointSize = 1.0;
        EmitVertex();
        if ((cell[0].y >> n & 1u) != 0u)
            EndPrimitive();
    }
}
