/* SPDX-License-Identifier: MIT */
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require

layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

layout(location = 0) in f16vec4 halves[];
layout(location = 1) flat in i16vec3 shorts[];
layout(location = 2, component = 0) flat in uint16_t low[];
layout(location = 2, component = 1) flat in u16vec2 pair[];
layout(location = 3) in float16_t row[][3];

layout(location = 0) out f16vec3 color;
layout(location = 1) flat out i16vec2 numbers;
layout(location = 2, component = 2) flat out uint16_t mask;
layout(location = 3) out float16_t ends[2];

#ifdef PLAIN /* nobody sees what is noted, so that the shader may run more than once */
struct log_words {
    uint words[2048];
} log_;
#else
layout(set = 0, binding = 0, std430) buffer log_block
{
    uint words[];
} log_;
#endif

void main()
{
    uint at = gl_PrimitiveIDIn * 32u;
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < 4; i++)
            log_.words[at++] = packFloat2x16(f16vec2(halves[v][i], float16_t(0)));
        for (int i = 0; i < 3; i++)
            log_.words[at++] = uint(int(shorts[v][i]));
        log_.words[at++] = uint(low[v]);
        log_.words[at++] = uint(pair[v].x);
        log_.words[at++] = uint(pair[v].y);
        for (int i = 0; i < 3; i++)
            log_.words[at++] = packFloat2x16(f16vec2(row[v][i], float16_t(0)));
    }
    for (int n = 0; n < 4; n++) {
        const int v = n & 1;
        gl_Position = gl_in[v].gl_Position * vec4(n < 2 ? 1.0 : 0.5, n < 2 ? 1.0 : 0.5, 1.0, 1.0);
        color = halves[v].xyz * float16_t(0.5) + float16_t(0.5);
        numbers = i16vec2(shorts[v].x, shorts[v].z);
        mask = low[v];
        ends[0] = row[v][1];
        ends[1] = row[v][2];
        EmitVertex();
    }
}
