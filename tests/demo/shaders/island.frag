#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
#include "island.glsl"
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 barycentric;
layout(location = 2) flat in vec3 wire;
layout(location = 3) flat in float side_of_block;
layout(location = 0) out vec4 result;

const vec3 sun_direction = normalize(vec3(-0.80, 0.62, 0.12));
const vec3 sun_color = vec3(1.75, 1.42, 1.02);
const vec3 sky_color = vec3(0.20, 0.27, 0.42);

vec3 water(float depth)
{
    vec3 shallow = vec3(0.10, 0.52, 0.50), deep = vec3(0.010, 0.075, 0.20);
    return mix(shallow, deep, 1.0 - exp(-5.0 * depth));
}

vec3 land(float height, float steep, float patches)
{
    vec3 sand = vec3(0.66, 0.52, 0.30), grass = vec3(0.17, 0.30, 0.06), wood = vec3(0.06, 0.15, 0.04);
    vec3 rock = vec3(0.30, 0.25, 0.21), snow = vec3(0.86, 0.90, 0.96);
    vec3 color = mix(sand, grass, smoothstep(0.05, 0.13, height));
    color = mix(color, wood, smoothstep(0.22, 0.55, height + 0.15 * patches));
    color = mix(color, rock, max(smoothstep(0.85, 1.2, height + 0.15 * patches), smoothstep(0.7, 1.2, steep)));
    return mix(color, snow, smoothstep(1.2, 1.45, height - 0.18 * steep + 0.1 * patches));
}

vec3 top_color()
{
    vec2 place = (world.xz / side + 0.5) * float(side_segments * texels);
    vec4 light = texture(ground, (place + 0.5) / float(side_segments * texels + 1));
    ivec2 texel = ivec2(round(place));
    float height = lowest + light.a * (65280.0 / 65535.0) * (highest - lowest);
    vec2 rise = vec2(ground_height(texel + ivec2(1, 0)) - ground_height(texel - ivec2(1, 0)),
                     ground_height(texel + ivec2(0, 1)) - ground_height(texel - ivec2(0, 1)));
    float steep = length(rise) * float(side_segments * texels) / (2.0 * side);
    vec3 lit = light.r * sun_color + light.g * sky_color;
    float shore = smoothstep(-0.012, 0.004, height);
    vec3 to_eye = normalize(camera.eye.xyz - world);
    float glint = pow(max(dot(normalize(to_eye + sun_direction), vec3(0, 1, 0)), 0.0), 40.0);
    vec3 sea = water(-height) * lit + 0.35 * glint + 0.10 * pow(1.0 - to_eye.y, 3.0);
    vec3 foam = vec3(0.75) * lit * smoothstep(-0.035, -0.01, height) * (1.0 - shore);
    return mix(sea + 0.5 * foam, land(height, steep, sin(5.0 * world.x) * sin(6.0 * world.z)) * lit, shore);
}

/* Layers of rock, and the sea above them. */
vec3 side_color()
{
    vec2 place = (world.xz / side + 0.5) * float(side_segments * texels);
    float ground_here = ground_height(ivec2(round(place)));
    float depth = ground_here - world.y;
    float lit = side_of_block == 2.0 ? 0.62 : 0.36;
    float band = 0.5 + 0.5 * sin(26.0 * depth + 2.0 * sin(1.1 * world.x + 0.8 * world.z));
    vec3 rock = mix(vec3(0.20, 0.12, 0.08), vec3(0.42, 0.28, 0.17), smoothstep(0.2, 0.8, band));
    rock = mix(vec3(0.55, 0.43, 0.26), rock, smoothstep(0.02, 0.06, depth));
    rock *= mix(1.0, 0.35, smoothstep(0.0, 1.0, -world.y));
    vec3 sea = water(0.12 - 0.9 * world.y) + 0.06;
    return mix(sea, rock, smoothstep(-0.006, 0.006, depth)) * lit;
}

/* Lines of about the same width in pixels, fainter where they are close to each other. */
float wires()
{
    vec3 per_pixel = max(fwidth(barycentric), vec3(1e-6));
    vec3 far = barycentric / per_pixel;
    vec3 room = smoothstep(vec3(2.0), vec3(16.0), 1.0 / per_pixel);
    vec3 lines = (1.0 - smoothstep(vec3(0.4), vec3(1.5), far)) * wire * mix(vec3(0.45), vec3(1.0), room);
    return max(lines.x, max(lines.y, lines.z));
}

void main()
{
    vec3 color = side_of_block == 0.0 ? top_color() : side_color();
    vec3 line = side_of_block == 0.0 ? color + vec3(0.42, 0.47, 0.50) : color + vec3(0.10, 0.12, 0.14);
    result = display(mix(color, line, 0.75 * wires()));
}
