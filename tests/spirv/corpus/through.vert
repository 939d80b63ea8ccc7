#version 450
/* SPDX-License-Identifier: MIT */
// Outputs that share locations, lie in structures and arrays, and are never written.
layout(location = 0) in vec4 position;
layout(constant_id = 3) const int length = 2;
struct inner { int a; vec3 b[2]; };
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
layout(location = 0, component = 1) out vec2 middle;
layout(location = 0, component = 0) out float first;
layout(location = 1) out mat2x3 matrix;
layout(location = 4) flat out inner whole;
layout(location = 8) out block { layout(location = 9) vec2 x; layout(location = 12) vec4 y[2]; } named;
layout(location = 15) out float sized[length];
layout(location = 18) out vec4 unwritten;
void main()
{
    gl_Position = position;
    gl_PointSize = 2.0;
    for (int i = 0; i < 3; i++)
        gl_ClipDistance[i] = position[i];
    gl_CullDistance[0] = gl_CullDistance[1] = 1.0;
    middle = position.xy;
    first = float(gl_VertexIndex);
    matrix = mat2x3(1.0);
    whole = inner(gl_VertexIndex, vec3[2](vec3(1.0), vec3(2.0)));
    named.x = position.zw;
    named.y[0] = named.y[1] = position;
    for (int i = 0; i < length; i++)
        sized[i] = float(i);
}
