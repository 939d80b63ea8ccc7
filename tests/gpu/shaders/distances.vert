#version 450
/* SPDX-License-Identifier: MIT
 * Four distances in all: with more, lavapipe 22.3 hands the wrong ones to the geometry shader. */
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[2];
    float gl_CullDistance[2];
};

void main()
{
    float f = float(gl_VertexIndex);
    gl_Position = vec4(f, 0.0, 0.0, 1.0);
    for (int i = 0; i < 2; i++)
        gl_ClipDistance[i] = f + float(i) * 0.25;
    gl_CullDistance[0] = -f;
    gl_CullDistance[1] = f * 3.0;
}
