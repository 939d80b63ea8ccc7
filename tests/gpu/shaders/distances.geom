#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[2];
    float gl_CullDistance[2];
}
gl_in[];
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
};
#ifdef PLAIN /* nobody sees what is noted, so that the shader may run more than once */
float log_[2048];
#else
layout(set = 0, binding = 0) buffer Log
{
    float log_[];
};
#endif

/* 16 squares; clipped at a vertical and a horizontal line inside of them, which go through no pixel's
 * centre, every third one culled. */
void main()
{
    int cell = gl_PrimitiveIDIn;
    for (int i = 0; i < 2; i++)
        log_[cell * 8 + i] = gl_in[0].gl_ClipDistance[i];
    log_[cell * 8 + 3] = gl_in[0].gl_CullDistance[0];
    log_[cell * 8 + 4] = gl_in[0].gl_CullDistance[1];
    log_[cell * 8 + 5] = gl_in[0].gl_Position.x;
    vec2 low = vec2(float(cell % 4), float(cell / 4)) / 2.0 - 1.0;
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(float(i & 1), float(i >> 1));
        gl_Position = vec4(low + corner * 0.5, 0.5, 1.0);
        gl_ClipDistance[0] = corner.x - (float(cell) + 0.5) / 32.0;
        gl_ClipDistance[1] = 0.828125 - corner.y;
        gl_CullDistance[0] = cell % 3 == 0 ? -1.0 : (i == 0 ? 1.0 : -1.0);
        EmitVertex();
    }
}
