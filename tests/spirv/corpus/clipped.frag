#version 450
// SPDX-License-Identifier: MIT
// What becomes of distances and of samples where a fragment shader clips.
layout(early_fragment_tests) in;
in float gl_ClipDistance[3];
in float gl_CullDistance[2];
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
    float nearest = gl_CullDistance[1];
    for (int i = 0; i < 3; i++)
        nearest = min(nearest, gl_ClipDistance[i]);
    gl_SampleMask[0] = gl_SampleMaskIn[0] & (nearest > 1.0 ? 5 : ~0);
    result = color * nearest + vec4(fwidth(color.x));
}
