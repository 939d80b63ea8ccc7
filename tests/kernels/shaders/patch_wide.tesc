#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 2) out;
layout(location = 0) in dvec3 a[];
layout(location = 2, component = 2) in double b[];
layout(location = 0) out dvec3 c[];
layout(location = 2) patch out dmat2 once;
layout(location = 4) patch out dvec3 last[2];

void main()
{
    const int me = gl_InvocationID, other = 1 - me;
    c[gl_InvocationID] = dvec3(a[other].zy, b[me]);
    barrier();
    if (me == 1) {
        once = dmat2(c[0].xy, c[1].zx);
        last[1] = c[0];
    }
    if (me == 0)
        last[0] = a[1];
}
