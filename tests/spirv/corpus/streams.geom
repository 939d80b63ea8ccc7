#version 450
/* SPDX-License-Identifier: MIT */
// expect geometry: unsupported
layout(points) in;
layout(points, max_vertices = 4) out;
layout(stream = 0, location = 0) out vec4 a;
layout(stream = 1, location = 1) out vec4 b;
void main() { a = vec4(1); EmitStreamVertex(0); b = vec4(2); EmitStreamVertex(1); }
