#version 450
/* SPDX-License-Identifier: MIT
 * A line becomes a strip of three lines, and one of a single line. */
layout(lines) in;
layout(line_strip, max_vertices = 7) out;
layout(location = 0) flat in uint from_number[];
layout(location = 1) in float from_along[];
layout(location = 0) flat out uint number;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) out float along;
#else
layout(location = 1) out float along;
#endif

#define EMIT(corner, x, y)                                                                                      \
    gl_Position = gl_in[corner].gl_Position + vec4(vec2(x, y) / 128.0 * gl_in[corner].gl_Position.w, 0.0, 0.0); \
    number = from_number[corner];                                                                               \
    along = from_along[corner];                                                                                 \
    EmitVertex()

void main()
{
    EMIT(0, 0.0, 0.0);
    EMIT(1, 0.0, 0.0);
    EMIT(1, 0.0, 100.0);
    EMIT(0, 0.0, 100.0);
    EndPrimitive();
    EMIT(0, 0.0, 110.0);
    EndPrimitive();
    EMIT(0, 0.0, 120.0);
    EMIT(1, 0.0, 120.0);
}
