#version 450
/* SPDX-License-Identifier: MIT
 * A line becomes two points of its own sizes, and with STREAMS a third one that is not rasterized. */
layout(lines) in;
#ifdef STREAMS
layout(points, max_vertices = 3) out;
#else
layout(points, max_vertices = 2) out;
#endif
layout(location = 3) flat in uint from_vertex[];
layout(location = 0) flat in uint from_instance[];
layout(location = 1) in vec2 from_place[];
layout(location = 4) in Rest
{
    noperspective float along;
    centroid float beside;
}
from_rest[];
layout(stream = 0) out;
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 place;
#else
layout(location = 1) out vec2 place;
#endif
layout(location = 4) out Rest
{
    noperspective float along;
    centroid float beside;
}
rest;
#ifdef STREAMS
layout(location = 6, stream = 1) out float other;
#endif

#ifdef VIEWPORTS
#define VIEWPORT gl_ViewportIndex = gl_PrimitiveIDIn % 3
#else
#define VIEWPORT
#endif

#define EMIT(number, x, y)                                                                              \
    gl_Position = gl_in[number].gl_Position + vec4(vec2(x, y) / 128.0 * gl_in[number].gl_Position.w, 0.0, 0.0); \
    gl_PointSize = gl_in[number].gl_PointSize + float(number);                                          \
    gl_PrimitiveID = gl_PrimitiveIDIn * 8 + number;                                                     \
    VIEWPORT;                                                                                           \
    vertex = from_vertex[number] + uint(number) * 8u;                                                   \
    instance = from_instance[number];                                                                   \
    place = from_place[number];                                                                         \
    rest.along = from_rest[number].along;                                                                         \
    rest.beside = from_rest[number].beside

void main()
{
    EMIT(0, 0.0, 0.0);
#ifdef STREAMS
    EmitStreamVertex(0);
    other = 1.0;
    EmitStreamVertex(1);
#else
    EmitVertex();
#endif
    EMIT(1, 2.0, 5.0);
#ifdef STREAMS
    EmitStreamVertex(0);
#else
    EmitVertex();
#endif
}
