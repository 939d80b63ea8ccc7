#version 450
#extension GL_EXT_fragment_shading_rate : require
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint number;
layout(location = 0) out uint result;

void main()
{
    result = 1u + uint(gl_ShadingRateEXT) + number * 16u;
#ifdef NUMBERED
    result += uint(gl_PrimitiveID) * 1024u;
#endif
}
