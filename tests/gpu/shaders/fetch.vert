#version 450
/* SPDX-License-Identifier: MIT
 * TYPE is vec4, ivec4 or uvec4; BITS turns it into a uvec4 without changing a bit. */
layout(location = 0) in TYPE first;
layout(location = 1) in TYPE per_instance;
layout(location = 5) in TYPE second;
layout(location = 0) flat out uvec4 values[3];
layout(location = 3) flat out uint instance;

void main()
{
    values[0] = BITS(first);
    values[1] = BITS(per_instance);
    values[2] = BITS(second);
    instance = uint(gl_InstanceIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
