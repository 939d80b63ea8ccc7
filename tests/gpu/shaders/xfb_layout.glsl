/* SPDX-License-Identifier: MIT
 * CASE: see xfb_layout.c. Word w of captured vertex v is v * 1000 + w, in the type of the output. */
#define U(w) (v * 1000u + uint(w))
#define I(w) int(U(w))
#define F(w) float(U(w))
#define F2(w) vec2(F(w), F(w + 1))
#define F3(w) vec3(F2(w), F(w + 2))
#define F4(w) vec4(F3(w), F(w + 3))
#define U2(w) uvec2(U(w), U(w + 1))

#if CASE == 0
/* Vectors, packed components, built-ins. */
layout(xfb_buffer = 0, xfb_stride = 80) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 4) out uvec4 a;
layout(location = 1, xfb_buffer = 0, xfb_offset = 24) out ivec2 b;
layout(location = 1, component = 2, xfb_buffer = 0, xfb_offset = 36) out int c;
layout(location = 5, xfb_buffer = 0, xfb_offset = 64) out float e;
layout(location = 5, component = 1, xfb_buffer = 0, xfb_offset = 48) out vec3 f;
layout(location = 6) out vec4 lost;
layout(xfb_buffer = 1, xfb_stride = 52) out;
layout(xfb_buffer = 1) out gl_PerVertex
{
    layout(xfb_offset = 4) vec4 gl_Position;
    layout(xfb_offset = 24) float gl_PointSize;
    layout(xfb_offset = 32) float gl_ClipDistance[3];
};

void shade(uint v)
{
    a = uvec4(U2(1), U2(3));
    b = ivec2(I(6), I(7));
    c = I(9);
    f = F3(12);
    e = F(16);
    lost = F4(90);
    gl_Position = F4(1);
    gl_PointSize = F(6);
    for (int i = 0; i < 3; i++)
        gl_ClipDistance[i] = F(8 + i);
}
#elif CASE == 1
/* Arrays, arrays of arrays, matrices. */
layout(xfb_buffer = 0, xfb_stride = 160) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out float a[3];
layout(location = 3, xfb_buffer = 0, xfb_offset = 16) out vec2 b[2];
layout(location = 5, xfb_buffer = 0, xfb_offset = 36) out uint c[2][3];
layout(location = 11, xfb_buffer = 0, xfb_offset = 64) out mat3 m;
layout(location = 14, xfb_buffer = 0, xfb_offset = 104) out mat2x3 n;
layout(location = 16, xfb_buffer = 0, xfb_offset = 136) out ivec3 last[2];

void shade(uint v)
{
    gl_PointSize = 1.0;
    for (int i = 0; i < 3; i++)
        a[i] = F(i);
    for (int i = 0; i < 2; i++) {
        b[i] = F2(4 + 2 * i);
        for (int k = 0; k < 3; k++)
            c[i][k] = U(9 + 3 * i + k);
        last[i] = ivec3(F3(34 + 3 * i));
    }
    m = mat3(F3(16), F3(19), F3(22));
    n = mat2x3(F3(26), F3(29));
}
#elif CASE == 2
/* Structures and blocks. */
struct thing {
    vec2 a;
    float b[2];
    uint c;
};
layout(xfb_buffer = 0, xfb_stride = 72) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 4) out thing one;
layout(location = 4, xfb_buffer = 0, xfb_offset = 28) out thing two[2];
layout(location = 12, xfb_buffer = 1, xfb_stride = 64) out Chosen
{
    layout(xfb_offset = 4) vec3 p;
    float lost;
    layout(xfb_offset = 20) uvec2 r;
    layout(xfb_offset = 40) float z[3];
};
layout(location = 20, xfb_buffer = 2, xfb_stride = 48, xfb_offset = 8) out All
{
    vec4 x;
    uint y;
    vec2 w[2];
} all;

void shade(uint v)
{
    gl_PointSize = 1.0;
    one.a = F2(1);
    one.b[0] = F(3);
    one.b[1] = F(4);
    one.c = U(5);
    for (int i = 0; i < 2; i++) {
        two[i].a = F2(7 + 5 * i);
        two[i].b[0] = F(9 + 5 * i);
        two[i].b[1] = F(10 + 5 * i);
        two[i].c = U(11 + 5 * i);
    }
    p = F3(1);
    lost = F(90);
    r = U2(5);
    for (int i = 0; i < 3; i++)
        z[i] = F(10 + i);
    all.x = F4(2);
    all.y = U(6);
    all.w[0] = F2(7);
    all.w[1] = F2(9);
}
#elif CASE == 3
/* Numbers of 64 bits. */
#define D(w) double(U(w))
layout(xfb_buffer = 0, xfb_stride = 96) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 8) out dvec3 a;
layout(location = 2, xfb_buffer = 0, xfb_offset = 40) out double b;
layout(location = 3, xfb_buffer = 0, xfb_offset = 48) out dmat2 m;
layout(location = 5, xfb_buffer = 0, xfb_offset = 84) out float f;

void shade(uint v)
{
    gl_PointSize = 1.0;
    a = dvec3(D(2), D(4), D(6));
    b = D(10);
    m = dmat2(D(12), D(14), D(16), D(18));
    f = F(21);
}
#else
/* Four buffers. */
layout(location = 0, xfb_buffer = 0, xfb_stride = 12, xfb_offset = 4) out uvec2 a;
layout(location = 1, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out vec4 b;
layout(location = 2, xfb_buffer = 2, xfb_stride = 4, xfb_offset = 0) out uint c;
layout(location = 3, xfb_buffer = 3, xfb_stride = 20, xfb_offset = 8) out float d[2];

void shade(uint v)
{
    gl_PointSize = 1.0;
    a = U2(1);
    b = F4(0);
    c = U(0);
    d[0] = F(2);
    d[1] = F(3);
}
#endif
