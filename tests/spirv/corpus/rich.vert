#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_gpu_shader_int64 : require
layout(location = 0) in mat3x4 transform;
layout(location = 3) in ivec2 ids;
layout(location = 4, component = 2) in uvec2 more;
layout(location = 5) in float weights[3];
layout(location = 8) in dvec3 exact;
layout(location = 10) in double other;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
struct inner { vec2 a; float b[2]; };
layout(location = 0) out block { inner i; flat dvec3 d; } o;
layout(location = 8) flat out uvec4 numbers[2];
layout(constant_id = 0) const uint seed = 5u;
void main()
{
    gl_Position = transform * vec3(weights[0], weights[1], weights[2]);
    gl_PointSize = float(gl_InstanceIndex + gl_BaseVertex + gl_BaseInstance + gl_DrawID);
    gl_ClipDistance[0] = gl_Position.x;
    gl_ClipDistance[1] = gl_Position.y;
    o.i.a = vec2(ids);
    o.i.b = float[2](1.0, float(seed));
    o.d = exact * other;
    for (int i = 0; i < 2; i++)
        numbers[i] = uvec4(more, uint(gl_VertexIndex), seed);
}
