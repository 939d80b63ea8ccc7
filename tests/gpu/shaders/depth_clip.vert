#version 450
/* SPDX-License-Identifier: MIT
 * Vertices in front of the near plane, behind the far plane and between them. CLIP: own clip distances besides.
 * INSTANCED: others for each instance. */
layout(push_constant) uniform Push
{
    float w, begin; /* 0 or -1: of the range of depths */
}
push;
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 place;
#if defined(CLIP) && CLIP == 8
out gl_PerVertex /* otherwise glslang declares a cull distance besides, one more than drivers have */
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[CLIP];
};
#elif defined(CLIP)
out float gl_ClipDistance[CLIP];
#endif

void main()
{
    uint v = uint(gl_VertexIndex);
#ifdef INSTANCED
    v += uint(gl_InstanceIndex);
#endif
    vec2 pixel = vec2(2.25 + float(v * 37u % 59u), 1.75 + float((v * v * 7u + v * 3u) % 61u));
    float w = 1.0 + push.w * float(v % 3u);
    float z = 0.5 + (float(v * 5u % 7u) - 3.0) * 0.375; /* -0.625 to 1.625 */
    gl_Position = vec4((pixel / 32.0 - 1.0) * w, mix(push.begin, 1.0, z) * w, w);
    gl_PointSize = 3.0;
#ifdef CLIP
    for (int i = 0; i < CLIP; i++)
        gl_ClipDistance[i] = w * (i == 1 ? 50.0 - pixel.x : 1000.0 - float(i) * pixel.y);
#endif
    number = v + 1u;
    place = pixel;
}
