#version 450
/* SPDX-License-Identifier: MIT */
// args info: -s 3=4 -s 4=0
// args geometry: -s 3=3
// args own: -s 3=3
// args raster: -s 3=3
layout(constant_id = 3) const int count = 2;
layout(constant_id = 4) const bool enable = true;
layout(constant_id = 5) const uint scale = 3u;
const int twice = count * 2 - (enable ? 1 : 0);
layout(triangles) in;
layout(triangle_strip, max_vertices = 9) out;
layout(location = 0) in values_block { vec2 values[count]; } each[];
layout(location = 0) out vec2 results[twice];
void main()
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < twice; k++)
            results[k] = each[i].values[k % count] * float(scale);
        gl_Position = gl_in[i].gl_Position;
        if (enable)
            EmitVertex();
    }
}
