#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
/* COUNT vectors for each of 32 vertices and PATCH for the patch, which all invocations read behind a barrier. */
#include "tessellation_limits.glsl"
#ifdef AGAIN
#define READ COUNT
#else
#define READ (COUNT - 1) /* the last one changes meanwhile */
#endif
layout(vertices = 32) out;
layout(location = 0) in vec4 v[][IN];
layout(location = 0) out vec4 o[][COUNT];
#ifdef PATCH
layout(location = COUNT) patch out vec4 once[PATCH];
#endif

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < COUNT; i++)
        o[gl_InvocationID][i] = v[me][i % IN] + float(me);
#ifdef PATCH
    for (int i = 0; i < PATCH; i++)
        if (i == me)
            once[i] = vec4(gl_PrimitiveID, i, v[me][0].x, 0.125);
#endif
    barrier();
    const int next = (me + 5) % 32;
    uint hash = 1u;
    for (int i = 0; i < READ; i++)
        hash = mixed(hash, o[next][i]);
#ifdef PATCH
    hash = mixed(hash, once[7 % PATCH]);
    hash = mixed(hash, once[2]);
#endif
#ifdef AGAIN /* others have read what is written now */
    barrier();
#endif
    o[gl_InvocationID][COUNT - 1].w = float(hash & 0xffffu);
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 1.0;
    gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelOuter[3] = 1.0;
    gl_TessLevelInner[0] = 1.0;
    gl_TessLevelInner[1] = 1.0;
}
