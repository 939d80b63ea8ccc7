#version 450
/* SPDX-License-Identifier: MIT
 * Places in pixels, with any w. */
layout(location = 0) in vec3 place;
layout(location = 0) flat out uint number;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) out float along;
#else
layout(location = 1) out float along;
#endif

void main()
{
    vec2 pixel = place.xy + vec2(0.0, 60.0 * float(gl_InstanceIndex));
#ifndef PLACELESS
    gl_Position = vec4((pixel / 128.0 - 1.0) * place.z, 0.25 * place.z, place.z);
#endif
    number = uint(gl_VertexIndex) + 1u;
    along = float(gl_VertexIndex % 5);
}
