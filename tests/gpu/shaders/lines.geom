#version 450
/* SPDX-License-Identifier: MIT
 * A line becomes a strip of three vertices and one of two, and an incomplete one. */
layout(lines) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 3) flat in uint from_vertex[];
layout(location = 0) flat in uint from_instance[];
layout(location = 1) in vec2 from_place[];
layout(location = 2) in float from_along[];
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 place;
#else
layout(location = 1) out vec2 place;
#endif
layout(location = 2) out float along;

#ifdef VIEWPORTS
#define VIEWPORT gl_ViewportIndex = gl_PrimitiveIDIn % 3
#else
#define VIEWPORT
#endif

#define EMIT(number, corner, x, y)                                                                             \
    gl_Position = gl_in[corner].gl_Position + vec4(vec2(x, y) / 128.0 * gl_in[corner].gl_Position.w, 0.0, 0.0); \
    gl_PrimitiveID = gl_PrimitiveIDIn * 8 + number;                                                            \
    VIEWPORT;                                                                                                  \
    vertex = from_vertex[corner] + uint(number) * 8u;                                                          \
    instance = from_instance[corner];                                                                          \
    place = from_place[corner];                                                                                \
    along = from_along[corner] + float(number);                                                                \
    EmitVertex()

void main()
{
    EMIT(0, 0, 0.0, 0.0);
    EMIT(1, 1, 0.0, 0.0);
    EMIT(2, 1, 0.0, 9.0);
    EndPrimitive();
    EMIT(3, 0, 0.0, 4.0);
    EndPrimitive();
    EMIT(4, 0, 0.0, 12.0);
    EMIT(5, 1, 0.0, 12.0);
}
