#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_struct.geom
struct Part {
    vec2 a;
    float b[2];
    mat2 c;
};
layout(location = 0) out Part w[4];
layout(location = 0) in vec4 from;

void main()
{
    for (int i = 0; i < 4; i++)
        w[(i + gl_VertexIndex) % 4] = Part(from.xy, float[](from.z, from.w), mat2(float(i)));
    gl_Position = from;
}
