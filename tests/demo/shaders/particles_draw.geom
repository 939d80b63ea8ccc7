#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * A particle becomes a quad that faces the camera, a little larger than its glow; launchers become nothing. */
#include "particles.glsl"
#define WIDTH_PX 640
#define HEIGHT_PX 1080
#define DISTANCE 20480

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in ivec4 a[];
layout(location = 1) flat in ivec4 b[];
layout(location = 0) flat out ivec3 disc;  /* middle and radius, in 1/16 of a pixel */
layout(location = 1) flat out ivec3 color; /* of 255 */

const ivec3 palette[8] = ivec3[](ivec3(255, 70, 60), ivec3(90, 160, 255), ivec3(120, 255, 120), ivec3(255, 120, 230),
                                 ivec3(80, 245, 235), ivec3(190, 120, 255), ivec3(255, 180, 70), ivec3(255, 235, 170));

void main()
{
    particle p = unpack(a[0], b[0]);
    if (p.kind == LAUNCHER)
        return;
    int radius = 116, bright = 255;
    ivec3 tint = palette[p.seed & 7u];
    if (p.kind == ROCKET) {
        radius = 110;
        tint = palette[7];
    } else if (p.kind == SPARK) {
        radius = 100;
        bright = min(255, p.life * 9 + 20);
        /* In the end it glitters. */
        if (p.life < 20 && (hash(p.seed + uint(p.life)) & 3u) == 0u)
            bright = 255;
    } else if (p.kind == EMBER) {
        radius = 50 + p.life * 3;
        bright = p.life * p.life * 170 / (EMBER_LIFE * EMBER_LIFE);
    } else if (p.kind == FLASH) {
        radius = 1500;
        bright = p.life * 170 / FLASH_LIFE;
    }
    tint = tint * bright >> 8;
    int depth = DISTANCE + p.place.z;
    radius = radius * DISTANCE / depth;
    ivec2 middle = ivec2(WIDTH_PX * 8 + p.place.x * DISTANCE / depth, HEIGHT_PX * 16 - 900 - p.place.y * DISTANCE / depth);
    for (int i = 0; i < 4; i++) {
        ivec2 side = ivec2(i & 1, i >> 1) * 2 - 1;
        vec2 pixel = vec2((middle + side * (radius + 16)) >> 4);
        gl_Position = vec4(pixel / vec2(WIDTH_PX / 2, HEIGHT_PX / 2) - 1.0, 0.5, 1.0);
        disc = ivec3(middle, radius);
        color = tint;
        EmitVertex();
    }
}
