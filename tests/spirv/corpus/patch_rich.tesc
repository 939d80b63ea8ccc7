#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
struct inner { vec2 a; float b[2]; };
layout(location = 0) in vec3 normal[];
layout(location = 1, component = 1) in vec2 packed_a[];
layout(location = 1, component = 3) in float packed_b[];
layout(location = 2) in block_in { mat2x3 m; inner i[2]; flat uint id; } blocks[];
layout(location = 12) flat in dvec3 exact[];
layout(location = 0) out vec3 out_normal[];
layout(location = 1, component = 1) out vec2 out_packed_a[];
layout(location = 1, component = 0) out float out_packed_b[];
layout(location = 2) out block_out { mat2x3 m; inner i; uint id; } results[];
layout(location = 8) out dvec3 out_exact[];
layout(location = 10) patch out vec4 tint;
layout(location = 11) patch out block_patch { inner i; uint numbers[3]; } once;
layout(location = 17) patch out inner structs[2];
layout(location = 23) patch out dmat2 wide;
layout(location = 25, component = 2) patch out vec2 corner;
layout(location = 26) out vec4 unread[];
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; } gl_out[];
layout(push_constant) uniform push_block { mat4 transform; vec3 levels[2]; int stop; } push;
layout(set = 1, binding = 2, std140) uniform uniforms { vec4 offset[4]; } ubo;
layout(set = 0, binding = 0, std430) buffer counters { uint count; } ssbo;
#define me gl_InvocationID
void pass_on(int from, out vec3 to, inout float sum)
{
    to = normal[from];
    sum += packed_b[from];
}
void main()
{
    float sum = 0.0;
    vec3 taken;
    atomicAdd(ssbo.count, 1u);
    for (int k = 0; k < gl_PatchVerticesIn; k++)
        pass_on(k, taken, sum);
    pass_on(me, taken, sum);
    out_normal[me] = taken;
    out_packed_a[me] = packed_a[me];
    out_packed_b[me] = sum;
    results[me].m = blocks[me].m;
    results[me].i = blocks[me].i[me & 1];
    results[me].id = blocks[me].id + uint(gl_PrimitiveID);
    out_exact[me] = exact[me];
    unread[me] = vec4(1.0);
    gl_out[me].gl_Position = push.transform * gl_in[me].gl_Position + ubo.offset[me];
    gl_out[me].gl_PointSize = gl_in[me].gl_PointSize;
    gl_out[me].gl_ClipDistance[0] = gl_in[me].gl_ClipDistance[1];
    gl_out[me].gl_ClipDistance[1] = 0.5;
    gl_out[me].gl_CullDistance[0] = 0.25;
    barrier();
    if (me == 1) {
        tint = gl_out[0].gl_Position + unread[2];
        once.i = results[3].i;
        once.numbers[1] = results[2].id;
    }
    barrier();
    memoryBarrier();
    if (me == push.stop)
        return;
    if (me == 2) {
        structs[0] = once.i;
        structs[1].b = float[2](1.0, tint.x);
        wide = dmat2(out_exact[0].xyxy);
        corner = tint.zw;
    }
    if (me == 0) {
        gl_TessLevelOuter = float[4](push.levels[0].x, push.levels[0].y, push.levels[0].z, 1.0);
        gl_TessLevelInner[me] = push.levels[1].x;
        gl_TessLevelInner[1] = gl_TessLevelInner[0] * 2.0;
    }
}
