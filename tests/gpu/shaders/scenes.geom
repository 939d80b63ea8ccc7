#version 450
// SPDX-License-Identifier: MIT
// INPUT: what a primitive is. STRIPS: zigzags, as long as the data say; else squares. PATCHES: their triangles. LAYERS: in both. CAPTURED: to a buffer, too.
layout(INPUT) in;
layout(triangle_strip, max_vertices = 20) out;
layout(set = 0, binding = 0) readonly buffer Shades { vec4 shades[4]; };
layout(location = 0) in vec4 from_previous[];
#ifdef CAPTURED
layout(location = 0, xfb_buffer = 0, xfb_offset = 16, xfb_stride = 32) out vec4 color;
layout(xfb_buffer = 0, xfb_stride = 32) out gl_PerVertex {
    layout(xfb_offset = 0) vec4 gl_Position;
};
#else
layout(location = 0) out vec4 color;
#endif

void square(vec4 place, vec4 shade, int layer)
{
    for (uint k = 0; k < 4; k++) {
        gl_Position = vec4(place.xy + (vec2(k & 1, k >> 1) - 0.5) * place.z, 0.0, 1.0);
        color = shade; // which is undefined after each EmitVertex
#ifdef LAYERS
        gl_Layer = layer;
#endif
        EmitVertex();
    }
    EndPrimitive();
}

void zigzag(vec4 place, vec4 shade)
{
    const uint count = 4 + uint(place.w) % 8 * 2;
    for (uint k = 0; k < count; k++) {
        gl_Position = vec4(place.xy + vec2(float(k >> 1) * 0.0625, float(k & 1) * place.z), 0.0, 1.0);
        color = shade;
        EmitVertex();
    }
    EndPrimitive();
}

void main()
{
#ifdef LAYERS
    for (int layer = 0; layer < 2; layer++)
        square(from_previous[0], shades[(gl_PrimitiveIDIn + layer) % 4], layer);
#elif defined(PATCHES) // whose numbers lavapipe 22.3 does not hand on
    zigzag(from_previous[0], shades[uint(from_previous[0].w) % 4]);
#elif defined(STRIPS)
    zigzag(from_previous[0], shades[gl_PrimitiveIDIn % 4]);
#else
    square(from_previous[0], shades[gl_PrimitiveIDIn % 4], 0);
#endif
}
