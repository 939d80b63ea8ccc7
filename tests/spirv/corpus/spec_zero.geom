#version 450
/* SPDX-License-Identifier: MIT
 * What is computed from specialization constants with a zero as the second operand. */
// args info: -s 3=2
layout(constant_id = 3) const int count = 7;
layout(constant_id = 4) const bool enable = true;
const bool is_none = count == 0, is_some = count != 0, is_positive = count > 0, is_negative = count < 0;
const int all = is_none || is_negative || !is_some || !is_positive || enable == false ? 1 : (count << 0) + 0 + (count | 0);
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) out vec2 results[all]; /* 4 */
void main()
{
    for (int i = 0; i < all; i++)
        results[i] = gl_in[0].gl_Position.xy;
    EmitVertex();
}
