#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: a constant, 1: with early tests, 2: with derivatives, 3: with the number of the line, 4: with samples,
 * 5: blended. Where lines are cut, lavapipe interpolates flat inputs. */
#if KIND == 1
layout(early_fragment_tests) in;
#endif
#if KIND == 3
layout(location = 0) flat in uint number;
#endif
#if KIND == 2
layout(location = 1) in float along;
#endif
#if KIND >= 4
layout(location = 0) out vec4 result;
#else
layout(location = 0) out uint result;
#endif

void main()
{
#if KIND == 0
    result = 1u;
#elif KIND == 1
    result = 3u;
#elif KIND == 2
    result = abs(dFdx(along)) + abs(dFdy(along)) < 100.0 ? 1u : 2u;
#elif KIND == 3
    result = uint(gl_PrimitiveID) << 8 | number;
#elif KIND == 4
    result = vec4(gl_SampleMaskIn[0] != 0 ? 0.5 : 1.0);
    gl_SampleMask[0] = 5;
#else
    result = vec4(0.25);
#endif
}
