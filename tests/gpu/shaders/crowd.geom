#version 450
/* SPDX-License-Identifier: MIT
 * A point at the pixel `at`, of which pipeline, set and draw decide the value. */
layout(points) in;
layout(points, max_vertices = 1) out;
layout(constant_id = 0) const uint kind = 0u;
layout(set = 0, binding = 0) uniform Set
{
    uint number;
};
layout(push_constant) uniform Draw
{
    uint at;
    uint side_px;
};
layout(location = 0) flat out uint value;

void main()
{
    value = kind * 0x1000000u + number * 0x100u + at;
    gl_Position = vec4((vec2(at % side_px, at / side_px) + 0.5) * 2.0 / float(side_px) - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
    EmitVertex();
}
