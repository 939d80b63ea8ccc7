#version 450
/* SPDX-License-Identifier: MIT
 * OUTPUT, RASTER (the stream of the position), UNSIZED (no sizes of points): see CMakeLists.txt. Vertex n goes to one stream or another, strips of
 * different streams interleave; stream 0 has two buffers, stream 2 none. */
layout(points) in;
layout(OUTPUT, max_vertices = 32) out;
layout(location = 0) flat in uvec3 cell[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 12, xfb_offset = 4) out uvec2 first;
layout(stream = 0, location = 1, xfb_buffer = 3, xfb_stride = 4, xfb_offset = 0) out uint second;
layout(stream = 1, location = 2, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out uvec3 third;
layout(stream = 3, location = 4, xfb_buffer = 2, xfb_stride = 8, xfb_offset = 0) out uvec2 fourth;
layout(stream = RASTER, xfb_buffer = RASTER, location = 5) flat out uint value;
layout(stream = RASTER, xfb_buffer = RASTER) out gl_PerVertex
{
    vec4 gl_Position;
#ifndef UNSIZED
    float gl_PointSize;
#endif
};

void main()
{
    for (uint n = 0u; n < cell[0].x; n++) {
        uint stream = (cell[0].y >> (n % 31u)) + n & 3u;
        uint id = uint(gl_PrimitiveIDIn);
        uint place = id * 32u + n;
        first = uvec2(id, n);
        second = cell[0].z;
        third = uvec3(n, id, stream);
        fourth = uvec2(cell[0].z, n);
        value = 1u + place;
        gl_Position = vec4((vec2(place % 64u, place / 64u % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
#ifndef UNSIZED
        gl_PointSize = 1.0;
#endif
        gl_PrimitiveID = int(value); /* of stream 0: the language lets it choose none */
        bool cut = (cell[0].y >> n & 1u) != 0u;
        if (stream == 0u) {
            EmitStreamVertex(0);
            if (cut)
                EndStreamPrimitive(0);
        } else if (stream == 1u) {
            EmitStreamVertex(1);
            if (cut)
                EndStreamPrimitive(1);
        } else if (stream == 2u) {
            EmitStreamVertex(2);
        } else {
            EmitStreamVertex(3);
            if (cut)
                EndStreamPrimitive(3);
        }
    }
}
