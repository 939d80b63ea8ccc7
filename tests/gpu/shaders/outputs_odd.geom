#version 450
/* SPDX-License-Identifier: MIT
 * LAYER: chooses another layer than the vertex shader in front of it, which chooses none any more. CHOICE:
 * chooses a layer and a viewport if the constant says so, which it does not by itself.
 */
#ifdef CHOICE
layout(constant_id = 0) const bool chooses = false;
#endif
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        value = number[i];
#ifdef LAYER
        gl_Layer = int(number[0] % 3u);
#endif
#ifdef CHOICE
        if (chooses) {
            gl_Layer = 1;
            gl_ViewportIndex = 2;
        }
#endif
        EmitVertex();
    }
}
