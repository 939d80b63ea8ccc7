#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(points, max_vertices = 1) out;
void main() { gl_Position = vec4(0); EmitStreamVertex(0); EndStreamPrimitive(0); }
