#version 450
/* SPDX-License-Identifier: MIT */
// Writes memory, which nobody may do twice.
// expect chunks: unsupported
layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 12) out;
struct inner { vec3 a; mat2 m; };
layout(location = 1) in block_in { vec2 uv; inner deep[2]; flat uint id; } blocks[];
layout(location = 12, component = 1) in vec2 packed_a[];
layout(location = 12, component = 3) in float packed_b[];
layout(location = 13) in mat4x3 matrix[];
layout(location = 0) out block_out { vec2 uv; inner deep; uint id; } result;
layout(location = 6, component = 0) out float packed_c;
layout(location = 6, component = 2) out vec2 packed_d;
layout(location = 7, component = 1) out vec2 packed_array[3];
layout(push_constant) uniform push_block { mat4 transform; vec3 tint[2]; int count; } push;
layout(set = 1, binding = 2, std140) uniform uniforms { vec4 offset[4]; } ubo;
layout(set = 0, binding = 0, std430) buffer counters { uint count; } ssbo;
void emit_one(int i, bool twice)
{
    if (i >= push.count)
        return;
    gl_Position = push.transform * gl_in[i].gl_Position + ubo.offset[i & 3];
    result.uv = blocks[i].uv;
    result.deep = blocks[i].deep[i & 1];
    result.id = blocks[i].id;
    packed_c = packed_a[i].y + matrix[i][2].z;
    packed_d = vec2(packed_b[i], push.tint[i & 1].x);
    for (int k = 0; k < 3; k++)
        packed_array[k] = packed_a[i] * float(k);
    EmitVertex();
    if (twice) {
        gl_Position.x += 1.0;
        EmitVertex();
    }
}
void main()
{
    atomicAdd(ssbo.count, 1u);
    int i = 0;
    while (true) {
        emit_one(i, (i & 1) != 0);
        if (++i == 6)
            break;
        if (i == 3)
            EndPrimitive();
    }
}
