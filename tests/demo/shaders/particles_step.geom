#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * One frame of a particle: it goes on, dies, or becomes many. What it emits is captured and the next frame's input. */
#include "particles.glsl"
#define BURST 54

layout(points) in;
layout(points, max_vertices = 56) out;
layout(location = 0) flat in ivec4 a[];
layout(location = 1) flat in ivec4 b[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 0) out ivec4 next_a;
layout(location = 1, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 16) out ivec4 next_b;

void emit(ivec3 place, int kind, int life, ivec3 motion, uint seed)
{
    next_a = ivec4(place, kind | life << 8);
    next_b = ivec4(motion, int(seed));
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
    EmitVertex();
}

/* A direction, 104 to 127 long: points of a cube, until one lies in that shell. */
ivec3 direction(uint seed)
{
    ivec3 d = ivec3(0, 110, 0);
    for (int i = 0; i < 24; i++) {
        seed = hash(seed + 77u);
        ivec3 at = ivec3(seed & 255u, seed >> 8 & 255u, seed >> 16 & 255u) - 128;
        int square = at.x * at.x + at.y * at.y + at.z * at.z;
        if (square >= 104 * 104 && square <= 127 * 127)
            return at;
    }
    return d;
}

/* Half of a rocket's sparks. Every third rocket has a second colour within, every fourth makes a willow. */
void burst(particle p, uint half_seed)
{
    for (int i = 0; i < BURST; i++) {
        uint seed = hash(half_seed + uint(i) * 31u);
        ivec3 d = direction(seed);
        bool inner = p.seed % 3u == 0u && i % 3 == 0;
        bool willow = p.seed % 4u == 1u;
        int speed = willow ? 128 : inner ? 70 : 124;
        ivec3 motion = ivec3(d.x * speed >> 7, d.y * speed >> 7, d.z * speed >> 7) + (p.motion >> 3);
        uint color = willow ? 6u : inner ? p.seed + 3u : p.seed;
        int life = (willow ? 74 : 44) + int(seed >> 24 & 15u);
        emit(p.place, SPARK, life, motion, (color % 8u) | (willow ? 256u : 0u) | (seed & 0xffff0000u));
    }
}

void main()
{
    particle p = unpack(a[0], b[0]);
    if (p.kind == LAUNCHER) {
        uint seed = hash(p.seed + 1u);
        if (p.life > 0) {
            emit(p.place, LAUNCHER, p.life - 1, p.motion, p.seed);
            return;
        }
        emit(p.place, LAUNCHER, 46 + int(seed % 71u), p.motion, seed);
        ivec3 motion = ivec3(int(seed & 63u) - 32, 246 + int(seed >> 6 & 63u) + int(seed >> 9 & 31u), int(seed >> 13 & 63u) - 32);
        emit(p.place, ROCKET, 44 + int(seed >> 19 & 15u), motion, seed >> 8);
        return;
    }
    if (p.kind == EMBER || p.kind == FLASH) {
        if (p.life > 0)
            emit(p.place + p.motion, p.kind, p.life - 1, p.motion, p.seed);
        return;
    }
    p.place += p.motion;
    uint chance = hash(p.seed ^ uint(p.life) * 977u ^ uint(p.place.x));
    if (p.kind == ROCKET) {
        p.motion.y -= 5;
        if (p.life > 1) {
            emit(p.place, ROCKET, p.life - 1, p.motion, p.seed);
            emit(p.place, EMBER, EMBER_LIFE, ivec3(int(chance & 15u) - 8, -10, 0), 6u);
            return;
        }
        if (p.life == 1) {
            emit(p.place, ROCKET, 0, ivec3(0), p.seed);
            emit(p.place, FLASH, FLASH_LIFE, ivec3(0), p.seed % 8u);
        }
        burst(p, hash(p.seed * 2u + uint(p.life)));
        return;
    }
    bool willow = (p.seed & 256u) != 0u;
    p.motion -= p.motion >> 5;
    if (willow)
        p.motion -= p.motion >> 6;
    p.motion.y -= willow ? 1 : 2;
    if (p.life > 0)
        emit(p.place, SPARK, p.life - 1, p.motion, p.seed);
    if (p.life > 3)
        emit(p.place, EMBER, EMBER_LIFE, p.motion >> 3, p.seed & 15u);
}
