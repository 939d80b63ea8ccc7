#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT uint payload;

void main()
{
    payload = 2u + uint(gl_PrimitiveID) + uint(gl_InstanceID) * 8u + uint(gl_HitTEXT) * 16u;
}
