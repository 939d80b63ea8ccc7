#version 450
/* SPDX-License-Identifier: MIT */
// 64-bit numbers are two words, at multiples of 8 bytes.
struct mixed {
    float f;
    double d;
};
layout(location = 0, xfb_buffer = 0, xfb_offset = 8, xfb_stride = 160) flat out dvec3 threes[2];
layout(location = 4, xfb_buffer = 0, xfb_offset = 64) flat out mixed mixes[2];
layout(location = 8, xfb_buffer = 0, xfb_offset = 96) flat out dmat2 m;
layout(location = 11, component = 2, xfb_buffer = 0, xfb_offset = 136) flat out double half_slot;
layout(location = 12, xfb_buffer = 0, xfb_offset = 148) flat out float last;
void main()
{
    threes[0] = dvec3(1.0lf);
    mixes[1].d = 2.0lf;
    m[1] = dvec2(3.0lf);
    half_slot = 4.0lf;
    last = 5.0;
    gl_Position = vec4(0.0);
}
