#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: flat inputs, 1: what is interpolated, 2: distances, 3: derivatives, 4: counts fragments, 5: the same with
 * early tests, 6: early tests alone, 7: own depths, 8: masks of samples, 9: once for each sample, 10: counts, and needs
 * derivatives */
layout(location = 0) flat in uint number;
layout(location = 1) in vec2 place;
#if KIND == 1 || KIND == 8 || KIND == 9
layout(location = 0) out vec4 result;
#else
layout(location = 0) out uint result;
#endif
#if KIND == 2
in float gl_ClipDistance[4];
in float gl_CullDistance[4];
#endif
#if KIND == 5 || KIND == 6
layout(early_fragment_tests) in;
#endif
#if KIND == 4 || KIND == 5 || KIND == 10
layout(set = 0, binding = 0) buffer Counts
{
    uint counts[];
};
#endif

void main()
{
#if KIND == 0 || KIND == 6
    result = number;
#elif KIND == 1
    result = vec4(place / 256.0, float(number & 255u) / 255.0, 1.0);
#elif KIND == 2
    float nearest = 1e9;
    for (int i = 0; i < 4; i++)
        nearest = min(nearest, gl_ClipDistance[i]);
    result = uint(floor(gl_ClipDistance[0])) | uint(floor(nearest * 0.5)) << 10 | (gl_CullDistance[1] > 0.3 ? 1u : 2u) << 20;
#elif KIND == 3
    result = number | uint(round(dFdx(place.x) * 4.0 + fwidth(place.y))) << 24;
#elif KIND == 4 || KIND == 5
    result = number;
    atomicAdd(counts[number & 63u], 1u);
#elif KIND == 7
    if (fract(place.x * 0.125) > 0.5)
        discard;
    gl_FragDepth = float(number & 63u) / 64.0;
    result = number;
#elif KIND == 8
    int covered = gl_SampleMaskIn[0];
    gl_SampleMask[0] = (number & 1u) != 0u ? covered : ~2;
    /* the driver may rasterize a clipped polygon as several triangles, each with a mask of its own */
    float right = number >> 30 != 0u ? 20.5 : 20.0;
    bool wrong = covered == 0;
    for (int i = 0; i < 4; i++)
        wrong = wrong || ((covered >> i & 1) != 0 && interpolateAtSample(place, i).x < right);
    result = vec4(wrong ? 1.0 : 0.25, 0.5, float(number & 255u) / 255.0, 1.0);
#elif KIND == 9
    result = vec4(float(gl_SampleID + 1) / 4.0, gl_SampleMaskIn[0] == 1 << gl_SampleID ? 0.25 : 1.0, float(number & 255u) / 255.0, 1.0);
#elif KIND == 10
    result = number | uint(round(fwidth(place.x))) << 24;
    atomicAdd(counts[number & 63u], 1u);
#endif
}
