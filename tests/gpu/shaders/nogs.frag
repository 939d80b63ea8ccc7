#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: nothing that needs geometryShader, 1: gl_PrimitiveID, 2: gl_Layer, 3: only that there is a
 * gl_PrimitiveID, and 4: nothing; where stipples cut lines, drivers may interpolate flat inputs */
layout(location = 0, component = 1) flat in uint vertex;
layout(location = 0, component = 0) flat in uint instance;
layout(location = 0) out uint result;

void main()
{
    result = vertex | instance << 16 | (gl_FrontFacing ? 0x80000000u : 0u);
#if KIND == 1
    result |= uint(gl_PrimitiveID) << 8;
#elif KIND == 2
    result |= uint(gl_Layer + 1) << 8;
#elif KIND == 3
    result = gl_PrimitiveID >= 0 ? 3u : 1u;
#elif KIND == 4
    result = 3u;
#endif
}
