#version 450
/* SPDX-License-Identifier: MIT
 * As joined.geom, with loops of other kinds. LOOP 0: two vertices each time; 1: counts from one to a number; 2: the same
 * place goes on and on; 3: a value that is not always written; 4: another loop in it; 5: left early; 6: one vertex in front
 * of it; 7: counts down to it. */
layout(points) in;
layout(triangle_strip, max_vertices = 16) out;
layout(location = 0) flat in uvec2 cell_shape[];
layout(location = 1) flat in uint cell[];
layout(location = 0) flat out uint value;
layout(location = 1) out float shade;

/* Macros, since a call in a loop would keep it as it is. */
#define ORIGIN vec2(float(cell[0] % 8u) * 32.0, float(cell[0] / 8u % 4u) * 64.0)
#define PLACE(pixel) vec4((ORIGIN + (pixel)) / 128.0 - 1.0, 0.5, 1.0)
#define CORNER(i) (vec2(3.25, 5.75) + vec2(float((i) * 11u % 13u), float((i) * (i) % 11u) * 2.0) * 2.0)
#define VALUE(i) (cell[0] * 64u + uint(i) + 1u)

void main()
{
    int most = int(min(cell_shape[0].x, 16u));
    shade = 0.0;
#if LOOP == 0
    for (int i = 0; i < most / 2; i++) {
        gl_Position = PLACE(CORNER(uint(i)));
        value = VALUE(i);
        shade = float(i) / 16.0;
        EmitVertex();
        gl_Position = PLACE(CORNER(uint(i) + 20u));
        value = VALUE(i + 20);
        shade = 0.5;
        EmitVertex();
    }
#elif LOOP == 1
    for (uint i = 1u; uint(most) >= i; i++) {
        gl_Position = PLACE(CORNER(i));
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
    EndPrimitive();
#elif LOOP == 2
    vec2 pixel = vec2(3.25, 5.75);
    for (int i = 0; i < most; i++) {
        pixel += vec2(1.5, (i & 1) == 0 ? 21.0 : -19.0);
        gl_Position = PLACE(pixel);
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
#elif LOOP == 3
    uint written = VALUE(40);
    for (int i = 0; i < most; i++) {
        gl_Position = PLACE(CORNER(uint(i)));
        shade = 0.0;
        if (i % 3 == 1)
            written = VALUE(i);
        value = written;
        EmitVertex();
    }
#elif LOOP == 4
    for (int i = 0; i < most; i++) {
        vec2 pixel = vec2(3.25, 5.75);
        for (int k = 0; k < i; k++)
            pixel += vec2((k & 3) == 3 ? -3.0 : 2.5, (k & 1) == 0 ? 21.0 : -19.0);
        gl_Position = PLACE(pixel);
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
#elif LOOP == 5
    for (int i = 0; i < 16; i++) {
        if (i >= most)
            break;
        gl_Position = PLACE(CORNER(uint(i)));
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
#elif LOOP == 6
    gl_Position = PLACE(vec2(17.5, 30.25));
    value = VALUE(50);
    EmitVertex();
    for (int i = 1; i < most; i++) {
        gl_Position = PLACE(CORNER(uint(i)));
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
#else
    for (int i = most; i > 0; i--) {
        gl_Position = PLACE(CORNER(uint(i)));
        value = VALUE(i);
        shade = 0.0;
        EmitVertex();
    }
#endif
}
