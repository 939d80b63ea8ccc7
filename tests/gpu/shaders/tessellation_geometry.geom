#version 450
/* SPDX-License-Identifier: MIT */
/* INPUT and CORNERS are those of the primitives that come in; each goes out as one of OUTPUT. */
layout(INPUT, invocations = 2) in;
layout(OUTPUT, max_vertices = CORNERS) out;
layout(location = 0) in vec3 coord[];
layout(location = 1) in uvec2 numbers[];
layout(location = 2) in Block
{
    float sums[2];
} block[];
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[1];
} gl_in[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 0) out vec3 captured_coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) out uvec4 captured;
layout(location = 2, xfb_buffer = 0, xfb_offset = 28) out float right;
layout(location = 3) flat out uint color;

#if PRIMITIVE_ID
#define PATCH gl_PrimitiveIDIn
#else
#define PATCH int(numbers[0].x)
#endif

void main()
{
    bool same = gl_in.length() == CORNERS;
    for (int i = 0; i < CORNERS; i++) {
        same = same && gl_in[i].gl_Position == vec4(coord[i].xy, float(PATCH), 1.0);
        same = same && gl_in[i].gl_PointSize == 3.0 + coord[i].x;
        same = same && gl_in[i].gl_ClipDistance[0] == coord[i].y;
        same = same && block[i].sums[0] == coord[i].x * 2.0;
        same = same && block[i].sums[1] == float(PATCH);
        same = same && numbers[i].y == 3u;
    }
    /* Every second primitive of the second invocation goes. */
    if (gl_InvocationID == 1 && (PATCH & 1) == 1)
        return;
    for (int i = 0; i < CORNERS; i++) {
        captured_coord = coord[i];
        captured = uvec4(numbers[i].x, PATCH, gl_InvocationID, CORNERS);
        right = same ? 1.0 : 0.0;
        color = 1u + uint(PATCH) + 16u * uint(gl_InvocationID);
        /* Each patch in a cell of its own; no edge goes through the middle of a pixel. */
        vec2 place = (coord[i].xy * 0.97 + 0.01 + vec2(PATCH % 4, PATCH / 4)) / 4.0;
        gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
        gl_PrimitiveID = PATCH + 100;
        EmitVertex();
    }
}
