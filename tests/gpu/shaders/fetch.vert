#version 450
/* SPDX-License-Identifier: MIT
 * TYPE is vec4, ivec4 or uvec4; BITS turns it into a uvec4 without changing a bit. APART: what was
 * fetched is no array. */
layout(location = 0) in TYPE first;
layout(location = 1) in TYPE per_instance;
layout(location = 5) in TYPE second;
#ifdef APART
layout(location = 0) flat out uvec4 value0;
layout(location = 1) flat out uvec4 value1;
layout(location = 2) flat out uvec4 value2;
#define VALUE(i) value##i
#else
layout(location = 0) flat out uvec4 values[3];
#define VALUE(i) values[i]
#endif
layout(location = 3) flat out uint instance;

void main()
{
    VALUE(0) = BITS(first);
    VALUE(1) = BITS(per_instance);
    VALUE(2) = BITS(second);
    instance = uint(gl_InstanceIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
