#version 450
/* SPDX-License-Identifier: MIT
 * RASTER: see CMakeLists.txt. Hands points through, all to one stream; whether it does, the layer only knows of
 * stream 0. */
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat in uvec4 seen[];
layout(location = 1) flat in uint value[];
layout(stream = RASTER, location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 captured;
layout(stream = RASTER, xfb_buffer = 0, location = 1) flat out uint drawn;
layout(stream = RASTER, xfb_buffer = 0) out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
};

void main()
{
    captured = seen[0];
    drawn = value[0];
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    if (RASTER == 0 || value[0] != 0u)
        EmitStreamVertex(RASTER);
}
