#version 450
/* SPDX-License-Identifier: MIT
 *
 * Three phases, in each of which invocations read what others wrote before the barrier.
 */
layout(vertices = 4) out;
layout(location = 0) in uvec3 a[];
layout(location = 1, component = 1) in uint b[];
layout(location = 2) in block_in { uvec2 c[2]; } blocks[];
layout(location = 0) out uvec4 sum[];
layout(location = 1) out uvec2 pair[];
layout(location = 2) patch out uint totals[3];
layout(location = 5) patch out block_once { uvec3 ids; uint last; } once;
layout(push_constant) uniform push_block { uint zero; uint offset; } push;
#define me gl_InvocationID

uint next_last(inout uvec3 ids)
{
    ids += uvec3(1u);
    return pair[(me + 1) & 3].y;
}

void main()
{
    const int from = me % gl_PatchVerticesIn;
    sum[me] = uvec4(a[from], b[from] + push.offset);
    pair[me] = blocks[from].c[me & 1];
    barrier();
    if (me == 1) {
        for (int k = 0; k < 3; k++)
            totals[k] = sum[0][k] + sum[1][k] + sum[2][k] + sum[3][k];
    }
    barrier();
    pair[me] += uvec2(sum[(me + 1) & 3].w, totals[me % 3]);
    barrier();
    if (me == 2)
        return;
    if (me == 3) {
        uvec3 ids = uvec3(gl_PrimitiveID, gl_PatchVerticesIn, me);
        once.last = next_last(ids);
        once.ids = ids;
    }
    if (me == 0) {
        for (int k = 0; k < 4; k++)
            gl_TessLevelOuter[k] = float(pair[k].x & 63u);
        gl_TessLevelInner[0] = 5.0;
        gl_TessLevelInner[1] = float(totals[0] & 63u);
    }
}
