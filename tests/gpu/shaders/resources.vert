#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "resources.glsl"
layout(push_constant) uniform Push
{
    layout(offset = 0) uvec4 for_vertex;
};
layout(location = 0) flat out uint seen[6];

void main()
{
    uint i = uint(gl_VertexIndex);
    seen[0] = plain[i % 4u].y + for_vertex.x;
    seen[1] = texelFetch(texels, int(i % 16u)).x;
    seen[2] = texture(usampler2D(separate_image, separate_sampler), vec2((float(i % 4u) + 0.5) / 4.0, 0.375)).x;
    seen[3] = moving[1].z + for_vertex.w;
    seen[4] = several[for_vertex.y % 4u].value.x;
    seen[5] = textureLod(pictures[1], vec2(0.625, 0.625), 0.0).x + table_[i % 64u];
    gl_Position = vec4(0.0);
}
