#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * flat.geom without a geometry shader: 3 vertices. */
#include "salt.glsl"
#include "triangle_by_hand.glsl"

void main()
{
    precise vec3 a = place1.xyz - place0.xyz;
    precise vec3 b = place2.xyz - place0.xyz;
    precise vec3 normal = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    vec3 sign_of = sign(normal) * 0.25 + 0.5;
    gl_Position = place_of(gl_VertexIndex);
    color = SALTED(vec4(sign_of, 1.0) * tint_of(gl_VertexIndex));
}
