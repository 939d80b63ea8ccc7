#version 450
/* SPDX-License-Identifier: MIT */
// expect behind: unsupported
layout(quads, fractional_odd_spacing, cw, point_mode) in;
struct inner { vec2 a; float b[2]; };
layout(location = 0) in vec3 normal[];
layout(location = 1, component = 1) in vec2 packed_a[];
layout(location = 1, component = 0) in float packed_b[];
layout(location = 2) in block_out { mat2x3 m; inner i; uint id; } results[];
layout(location = 8) in dvec3 exact[];
layout(location = 10) patch in vec4 tint;
layout(location = 11) patch in block_patch { inner i; uint numbers[3]; } once;
layout(location = 17) patch in inner structs[2];
layout(location = 23) patch in dmat2 wide;
layout(location = 25, component = 2) patch in vec2 corner;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };
layout(location = 0) out vec3 out_normal;
layout(location = 1) out block { inner i; flat dvec3 d; } o;
layout(location = 7, component = 1) out vec2 packed_c;
layout(location = 8) out mat2x3 out_m;
layout(location = 10) flat out uvec2 ids;
layout(push_constant) uniform push_block { mat4 transform; vec3 levels[2]; int stop; } push;
layout(set = 1, binding = 2, std140) uniform uniforms { vec4 offset[4]; } ubo;
layout(set = 0, binding = 0, std430) buffer counters { uint count; } ssbo;
vec4 blend(vec4 a, vec4 b, vec4 c, vec4 d)
{
    return mix(mix(a, b, gl_TessCoord.x), mix(c, d, gl_TessCoord.x), gl_TessCoord.y);
}
void main()
{
    vec3 sum = vec3(0.0);
    atomicAdd(ssbo.count, 1u);
    for (int k = 0; k < gl_PatchVerticesIn; k++)
        sum += normal[k] * packed_b[k] + results[k].m[1];
    out_normal = sum + gl_TessCoord.z;
    o.i = once.i;
    o.d = exact[1] * wide[0].x + wide[1].y;
    packed_c = packed_a[2] + corner;
    out_m = results[3].m;
    ids = uvec2(results[0].id + once.numbers[1], gl_PrimitiveID);
    gl_Position = push.transform * blend(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_in[2].gl_Position,
                                         gl_in[3].gl_Position) + tint + ubo.offset[push.stop];
    gl_PointSize = gl_in[0].gl_PointSize + structs[1].b[1] + gl_TessLevelOuter[3] * gl_TessLevelInner[1];
    gl_ClipDistance[0] = gl_in[0].gl_ClipDistance[1];
    gl_ClipDistance[1] = 1.0;
    gl_CullDistance[0] = gl_in[1].gl_CullDistance[0];
}
