#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * Dusk over a town: every colour from whole numbers, for the same reason. */
#include "particles.glsl"
layout(location = 0) out vec4 result;

/* Heights of two rows of houses at a column of pixels. */
int roof(int x, int width, uint row)
{
    uint house = hash(uint(x / width) + row * 1000u);
    int height = 30 + int(house % 70u) + (row == 0u ? 46 : 0);
    int inside = x % width;
    if ((house >> 8 & 3u) == 0u) /* a gable */
        height += min(inside, width - inside) * 2 / 3;
    return height;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    int up = 1080 - at.y;
    int chance = int(hash(uint(at.x + 640 * at.y)) & 255u);
    /* From a warm haze over the roofs to a blue that is almost black, dithered. */
    int haze = max(0, 620 - up);
    haze = haze * haze / 620;
    ivec3 sky = ivec3(5 * 256, 7 * 256, 20 * 256) + ivec3(38, 22, 30) * haze;
    ivec3 color = (sky + chance) >> 8;
    uint star = hash(uint(at.x / 2 + 331 * (at.y / 2)) + 5u);
    if (star % 1400u == 0u && up > 260)
        color += int(star >> 20 & 63u) + 40;
    if (up < roof(at.x + 40, 46, 0u))
        color = ivec3(15, 14, 28);
    int front = roof(at.x, 58, 1u);
    if (up < front) {
        color = ivec3(6, 6, 12);
        ivec2 window = ivec2(at.x % 58, up);
        uint lit = hash(uint(at.x / 58 * 64 + window.x / 9 * 8 + up / 12 * 4096));
        bool pane = window.x % 9 >= 3 && window.x % 9 < 7 && window.x > 4 && window.x < 52 && up % 12 > 5 && up < front - 12;
        if (pane && lit % 5u == 0u)
            color = (lit >> 8 & 3u) == 0u ? ivec3(110, 140, 170) : ivec3(200, 140, 60);
    }
    result = vec4(vec3(color) / 255.0, 1.0);
}
