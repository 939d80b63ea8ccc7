#version 450
/* SPDX-License-Identifier: MIT
 * All that a walk through a geometry shader meets: calls, counters passed by reference, switches, loops that are left
 * by what it reads, private variables. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 32) out;
layout(location = 0) in ivec4 data[];
layout(location = 0) out vec4 result;
layout(constant_id = 3) const int strips = 2;

int left = 7;

int find(int wanted)
{
    for (int i = 0; i < 4; i++) {
        if (data[1][i] == wanted)
            return i;
    }
    return min(wanted, 5) % 3;
}

void advance(inout int n, int by)
{
    n += by > 0 ? by : 1;
    left -= 1;
}

void strip(int length)
{
    int n = 0, exponent = 1;
    while (true) {
        if (n >= length)
            break;
        switch (n & 3) {
        case 0:
            result = vec4(find(n));
        case 1:
            result.y += float(n << 1);
            break;
        default:
            result.x = frexp(float(data[2].x), exponent);
        }
        if (data[0].x > n && data[0].y != exponent)
            result.z = 1.0;
        gl_Position = gl_in[n % 3].gl_Position;
        EmitVertex();
        advance(n, 1);
    }
    EndPrimitive();
}

void main()
{
    for (int i = 0; i < strips; i++)
        strip(3 + i);
    do
        EmitVertex();
    while (--left > -3);
}
