/* SPDX-License-Identifier: MIT
 * Input of the vertex shaders that do a geometry shader's work on triangles: an instance is a triangle. */
layout(location = 0) in vec4 place0;
layout(location = 1) in vec4 tint0;
layout(location = 2) in vec4 place1;
layout(location = 3) in vec4 tint1;
layout(location = 4) in vec4 place2;
layout(location = 5) in vec4 tint2;
layout(location = 0) out vec4 color;

vec4 place_of(int i)
{
    return i == 0 ? place0 : i == 1 ? place1 : place2;
}

vec4 tint_of(int i)
{
    return i == 0 ? tint0 : i == 1 ? tint1 : tint2;
}
