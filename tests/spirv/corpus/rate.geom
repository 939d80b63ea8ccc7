#version 450
#extension GL_EXT_fragment_shading_rate : require
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 shade;

void main()
{
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_in[i].gl_Position + vec4(copy);
            gl_PrimitiveShadingRateEXT =
                copy == 0 ? gl_ShadingRateFlag2VerticalPixelsEXT | gl_ShadingRateFlag2HorizontalPixelsEXT : gl_PrimitiveIDIn & 1;
            shade = color[i];
            EmitVertex();
        }
        EndPrimitive();
    }
}
