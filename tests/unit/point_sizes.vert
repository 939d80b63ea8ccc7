#version 450
/* SPDX-License-Identifier: MIT
 * SIZE: what is written. */
#ifdef SPECIAL
layout(constant_id = 0) const float special = 1.0;
#endif

void main()
{
    gl_Position = vec4(float(gl_VertexIndex), 0.0, 0.0, 1.0);
#ifdef SIZE
    gl_PointSize = SIZE;
#endif
#ifdef READ
    gl_Position.x += gl_PointSize;
#endif
}
