#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* SPDX-License-Identifier: MIT */
layout(lines) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in dvec3 doubles[];
layout(location = 2) flat in i64vec2 longs[];
layout(location = 0) flat out dvec2 out_doubles;
layout(location = 1) flat out uint64_t out_long;
#ifdef PLAIN /* nobody sees what is noted, so that the shader may run more than once */
uvec2 log_[1024];
#else
layout(set = 0, binding = 0) buffer Log
{
    uvec2 log_[];
};
#endif

void main()
{
    int at = gl_PrimitiveIDIn * 10;
    for (int v = 0; v < 2; v++, at += 5) {
        for (int i = 0; i < 3; i++)
            log_[at + i] = unpackDouble2x32(doubles[v][i]);
        for (int i = 0; i < 2; i++)
            log_[at + 3 + i] = unpackUint2x32(uint64_t(longs[v][i]));
    }
    int16_t small = int16_t(gl_PrimitiveIDIn * 3000);
    for (int v = 0; v < 3; v++) {
        gl_Position = vec4(float(gl_PrimitiveIDIn % 4 + (v & 1)) / 2.0 - 0.96875,
                           float(gl_PrimitiveIDIn / 4 + (v >> 1)) / 2.0 - 0.96875, 0.5, 1.0);
        out_doubles = dvec2(doubles[0].y + double(v), doubles[1].x);
        out_long = uint64_t(longs[1].x) * 3ul + uint64_t(int64_t(small));
        EmitVertex();
    }
}
