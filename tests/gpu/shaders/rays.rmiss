#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT uint payload;

void main()
{
    payload = 1u;
}
