#version 450
/* SPDX-License-Identifier: MIT */
layout(constant_id = 3) const int LENGTH = 2;
struct Inner {
    vec2 pair;
    int whole;
};
struct Outer {
    Inner inner[2];
    mat2x3 matrix;
};
layout(location = 0) out Outer outer;               /* 0..5 */
layout(location = 6) out vec3 packed_a;             /* components 0..2 of 6 */
layout(location = 6, component = 3) out float packed_b;
layout(location = 7) out Sized                      /* 7..10 */
{
    float values[LENGTH];
}
sized;
layout(location = 11) out Block
{
    vec4 first;
    layout(location = 13) uint second;
    float third[2];                                 /* 14, 15 follow */
}
block;

void main()
{
    float f = float(gl_VertexIndex);
    outer.inner[0].pair = vec2(f, f + 0.5);
    outer.inner[0].whole = gl_VertexIndex * 3;
    outer.inner[1].pair = vec2(-f, f * 2.0);
    outer.inner[1].whole = -gl_VertexIndex;
    outer.matrix = mat2x3(f, 1.0, 2.0, 3.0, f + 4.0, 5.0);
    packed_a = vec3(f + 10.0, f + 11.0, f + 12.0);
    packed_b = f + 13.0;
    for (int i = 0; i < LENGTH; i++)
        sized.values[i] = f * 16.0 + float(i);
    block.first = vec4(f, f + 1.0, f + 2.0, f + 3.0);
    block.second = uint(gl_VertexIndex) * 5u;
    block.third[0] = f + 0.25;
    block.third[1] = f + 0.75;
    gl_Position = vec4(0.0);
}
