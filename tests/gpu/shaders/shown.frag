#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uvec4 first;
layout(location = 1) flat in uvec4 per_instance;
layout(location = 2) flat in uvec4 second;
layout(location = 3) flat in uvec2 place;
layout(location = 0) out uint value;
layout(set = 0, binding = 0) buffer Log
{
    uvec4 row[];
}
log_;
layout(push_constant) uniform Draw
{
    uint base, first_instance, vertices;
}
draw;

void main()
{
    uint slot = (place.y - draw.first_instance) * draw.vertices + place.x;
    log_.row[draw.base + slot * 3u] = first;
    log_.row[draw.base + slot * 3u + 1u] = per_instance;
    log_.row[draw.base + slot * 3u + 2u] = second;
    value = slot;
}
