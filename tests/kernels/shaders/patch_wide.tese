#version 450
/* SPDX-License-Identifier: MIT */
layout(isolines) in;
layout(location = 0) in dvec3 c[];
layout(location = 2) patch in dmat2 once;
layout(location = 4) patch in dvec3 last[2];
layout(location = 0) out dvec4 results[3];

void main()
{
    results[0] = dvec4(c[0], once[0].y);
    results[1] = dvec4(last[0], once[1].x);
    results[2] = dvec4(last[1], once[1].y);
}
