#version 450
/* SPDX-License-Identifier: MIT */
/* INPUT and VERTICES are those of the primitives that come in. Each invocation emits one of OUTPUT into a quarter of the
 * cell of its patch, always. */
layout(INPUT, invocations = 4) in;
layout(OUTPUT, max_vertices = VERTICES) out;
layout(location = 0) in vec2 coord[];
layout(location = 1) in uvec3 numbers[];
layout(location = 0) flat out uint color;

#if PRIMITIVE_ID
#define PATCH uint(gl_PrimitiveIDIn)
#else
#define PATCH numbers[0].z
#endif

void main()
{
    uint wrong = 0;
    for (int i = 0; i < VERTICES; i++) {
        if (numbers[i] != uvec3(numbers[0].xy, PATCH))
            wrong = 50000u;
        if (gl_in[i].gl_Position != vec4(coord[i], float(numbers[i].x), 1.0))
            wrong += 100000u;
    }
    uvec2 cell = uvec2(numbers[0].x % 8u, numbers[0].x / 8u);
    uvec2 quarter = uvec2(gl_InvocationID % 2, gl_InvocationID / 2);
    for (int i = 0; i < VERTICES; i++) {
        color = 1u + PATCH + 100u * uint(gl_InvocationID) + 1000u * numbers[i].y + wrong;
        /* No edge of a triangle goes through the middle of a pixel. */
        vec2 place = (coord[i] * 0.97 + 0.01 + vec2(quarter)) / 2.0 + vec2(cell);
        gl_Position = vec4(place / 4.0 - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
        gl_PrimitiveID = int(PATCH) + 10;
        EmitVertex();
    }
}
