#version 450
/* SPDX-License-Identifier: MIT
 * Inputs of every numeric type; `value` is a hash of them. */
layout(location = 0) in uvec4 counts;
layout(location = 2) in ivec2 steps;
layout(location = 3) in vec4 parts;
layout(location = 5) in vec3 place;
layout(location = 6) in uint both[2];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif
layout(push_constant) uniform Draw
{
    uint row, first_instance;
};

void add(uint word)
{
    value = (value ^ word) * 16777619u;
    value ^= value >> 15;
}

/* Normalized formats may differ in the last bit, and lavapipe makes less than -1 of the smallest
 * byte of SNORM. */
void add_float(float part)
{
    if (part < -1.0 && part > -1.01)
        part = -1.0;
    add(uint(int(round(part * 64.0))));
}

void main()
{
    value = 2166136261u;
    for (int i = 0; i < 4; i++) {
        add(counts[i]);
        add_float(parts[i]);
    }
    add(uint(steps.x));
    add(uint(steps.y));
    for (int i = 0; i < 3; i++)
        add_float(place[i]);
    add(both[0]);
    add(both[1]);
    const vec2 pixel = vec2(gl_VertexIndex % 64, row + uint(gl_InstanceIndex) - first_instance);
    gl_Position = vec4((pixel + 0.5) / vec2(32, 64) - 1.0, 0, 1);
    gl_PointSize = 1.0;
}
