#version 450
// SPDX-License-Identifier: MIT
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(set = 0, binding = 1) uniform Copy { vec2 shift; uint tint; } copy;
layout(location = 0) flat in uint values[];
layout(location = 0) flat out uint value;

void main()
{
    for (int i = 0; i < 6; i++) {
        value = values[i % 3] + uint(i / 3) * copy.tint;
        gl_Position = gl_in[i % 3].gl_Position + vec4(copy.shift * float(i / 3), 0, 0);
        EmitVertex();
        if (i == 2)
            EndPrimitive();
    }
}
