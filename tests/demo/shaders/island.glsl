/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 1) uniform sampler2D ground;

/* As in island.c. */
const int segments = 16;
const int side_segments = 12 * segments;
const int texels = 4;
const float side = 8.0, lowest = -1.0, highest = 3.0;
const float bottom = -0.75;

float height_of(vec4 texel)
{
    precise float part = texel.a * (65280.0 / 65535.0) + texel.b * (255.0 / 65535.0);
    return lowest + part * (highest - lowest);
}

/* Of the ground, below the sea, too. */
float ground_height(ivec2 texel)
{
    return height_of(texelFetch(ground, clamp(texel, ivec2(0), ivec2(side_segments * texels)), 0));
}

/* Of what is to be seen, at a place in segments of the finest level. All vertices are at whole numbers, whatever the
 * levels, so that heights are those of texels. */
float surface_height(vec2 place)
{
    return max(ground_height(ivec2(round(place)) * texels), 0.0);
}

vec3 to_world(vec2 place, float height)
{
    precise vec2 flat_place = (place / float(side_segments) - 0.5) * side;
    return vec3(flat_place.x, height, flat_place.y);
}
