#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_gpu_shader_int64 : require
layout(points) in;
layout(line_strip, max_vertices = 2) out;
layout(location = 0) flat in dvec3 wide[];
layout(location = 2) flat in i64vec2 big[];
layout(location = 3, component = 2) flat in double one[];
layout(location = 0) flat out dvec4 out_wide;
layout(location = 2) flat out u64vec3 out_big;
layout(location = 4) flat out dmat2 out_matrix;
void main()
{
    gl_Position = vec4(wide[0].xyz, 1.0);
    out_wide = dvec4(wide[0], one[0]);
    out_big = u64vec3(big[0], 7);
    out_matrix = dmat2(one[0]);
    EmitVertex();
    gl_Position = vec4(0);
    EmitVertex();
}
