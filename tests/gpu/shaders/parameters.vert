#version 450
#extension GL_ARB_shader_draw_parameters : require
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uvec4 values[3];
layout(location = 3) flat out uint instance;

void main()
{
    values[0] = uvec4(gl_VertexIndex, gl_InstanceIndex, gl_BaseVertexARB, gl_BaseInstanceARB);
    values[1] = uvec4(gl_DrawIDARB, 1, 2, 3);
    values[2] = uvec4(4, 5, 6, 7);
    instance = uint(gl_InstanceIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
