#version 450
/* SPDX-License-Identifier: MIT
 * A triangle becomes a strip of five vertices and one of three, and an incomplete one. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 10) out;
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

/* The corner is a constant: the lavapipe of Debian 12 does not take others right. */
#define EMIT(number, corner, x, y)                                                                            \
    gl_Position = gl_in[corner].gl_Position + vec4(vec2(x, y) / 128.0 * gl_in[corner].gl_Position.w, 0.0, 0.0); \
    gl_PointSize = gl_in[corner].gl_PointSize;                                                                 \
    gl_PrimitiveID = gl_PrimitiveIDIn * 8 + number;                                                            \
    VIEWPORT;                                                                                                  \
    vertex = from_vertex[corner] + uint(number) * 8u;                                                          \
    instance = from_instance[corner];                                                                          \
    place = from_place[corner];                                                                                \
    along = from_along[corner] + float(number);                                                                \
    EmitVertex()

#ifdef VIEWPORTS
#define VIEWPORT gl_ViewportIndex = gl_PrimitiveIDIn % 3
#else
#define VIEWPORT
#endif

void main()
{
    EMIT(0, 0, 0.0, -2.0);
    EMIT(1, 1, 1.0, -1.0);
    EMIT(2, 2, 2.0, 2.0);
    EMIT(3, 0, 3.0, 2.0);
    EMIT(4, 1, 4.0, -1.0);
    EndPrimitive();
    EMIT(5, 0, 0.0, 0.0);
    EMIT(6, 1, 0.0, 0.0);
    EndPrimitive();
    EMIT(5, 2, 2.0, 1.0);
    EMIT(6, 1, 2.0, 1.0);
    EMIT(7, 0, 2.0, 1.0);
}
