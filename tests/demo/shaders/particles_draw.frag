#version 450
/* SPDX-License-Identifier: MIT
 * A glow with a hot middle, in whole numbers: added up they give the same picture in any order and on any driver. */
layout(location = 0) flat in ivec3 disc;
layout(location = 1) flat in ivec3 color;
layout(location = 0) out vec4 result;

void main()
{
    ivec2 away = ivec2(gl_FragCoord.xy) * 16 + 8 - disc.xy;
    int square = disc.z * disc.z;
    int near = max(square - away.x * away.x - away.y * away.y, 0) / max(square >> 8, 1);
    int glow = near * near >> 8;
    glow = glow * near >> 8;
    int hot = max(near - 208, 0) * 3;
    result = vec4(vec3(min((color * glow >> 8) + (color * hot >> 8), 255)) / 255.0, 1.0);
}
