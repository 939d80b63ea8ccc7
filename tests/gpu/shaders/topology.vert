#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uint vertex_tag;
layout(location = 1) in uint instance_tag;
layout(location = 0) out uvec4 seen;

void main()
{
    seen = uvec4(gl_VertexIndex, gl_InstanceIndex, vertex_tag, instance_tag);
    gl_Position = vec4(float(gl_VertexIndex) * 0.25, float(gl_InstanceIndex), float(vertex_tag), 1.0);
    gl_PointSize = 1.0 + float(gl_VertexIndex & 7);
}
