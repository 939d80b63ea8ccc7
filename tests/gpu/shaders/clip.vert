#version 450
/* SPDX-License-Identifier: MIT
 * Vertex v stands at a place of its own within the band of its instance. CLIP and CULL: how many distances there are.
 * What clips lies between the centres of pixels, and of samples. */
layout(push_constant) uniform Push
{
    float w, shift;
    uint step;
}
push;
layout(location = 0) flat out uint number;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 32, xfb_stride = 40) out vec2 place;
layout(xfb_buffer = 0, xfb_stride = 40) out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    layout(xfb_offset = 0) float gl_ClipDistance[CLIP];
    layout(xfb_offset = 16) float gl_CullDistance[CULL];
};
#else
layout(location = 1) out vec2 place;
out gl_PerVertex /* otherwise glslang declares one distance of the kind that there is not */
{
    vec4 gl_Position;
    float gl_PointSize;
#if CLIP
    float gl_ClipDistance[CLIP];
#endif
#if CULL
    float gl_CullDistance[CULL];
#endif
};
#endif

void main()
{
    uint v = uint(gl_VertexIndex), band = uint(gl_InstanceIndex);
    uint n = v * push.step;
    vec2 pixel = vec2(3.25 + float(n * 37u % 233u), 32.0 * float(band) + 2.25 + float((n * n * 7u + n) % 29u));
    float w = 1.0 + push.w * float(v % 3u);
    gl_Position = vec4((pixel / 128.0 - 1.0) * w, (0.25 + 0.0625 * float(v % 5u)) * w, w);
    gl_PointSize = 1.0 + float(v % 3u) * 2.0;
    float planes[8] = float[8](pixel.x - 20.0 - push.shift, 236.0 + push.shift - pixel.x, 280.625 - pixel.x - pixel.y,
                               pixel.x - pixel.y + 200.625, 1000.0, 0.0, 250.0 - pixel.y, pixel.y - 4.0);
#if CLIP
    for (int i = 0; i < CLIP; i++)
        gl_ClipDistance[i] = w * planes[i];
#endif
#if CULL
    for (int i = 0; i < CULL; i++)
        gl_CullDistance[i] = (v / 3u + uint(i)) % 4u == 0u ? -1.0 : float((v + uint(i)) % 3u) * 1.5 - 1.5;
#endif
    number = v + 1u | band << 16 | (push.shift > 0.0 ? 1u << 30 : 0u);
    place = pixel;
}
