#version 450
/* SPDX-License-Identifier: MIT */
/* A bumpy sheet in perspective. KIND says by what its position is computed: 0 matrices, 1 functions, 2 attributes
 * of normalized formats, 3 control flow. */
layout(set = 0, binding = 0) uniform Scene
{
    mat4 projection;
    mat4 view;
    vec4 light;
} scene;
layout(push_constant) uniform Push
{
    layout(offset = 16) mat4 model;
} push;
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 weights;
layout(location = 0) out vec4 shade;
#ifndef TESSELLATED
invariant gl_Position;
#endif

struct Wave
{
    vec3 along;
    float height;
};

void lift(inout vec3 point, const Wave wave, out float slope)
{
    slope = dot(point, wave.along) + wave.height * 0.37;
    point += normal.xyz * (wave.height * slope - slope * slope * 0.11);
}

vec3 move(const vec3 from)
{
    vec3 point = from;
#if KIND == 1
    const vec3 across = normalize(cross(normal.xyz + vec3(0.1, 0.2, 0.3), scene.light.xyz));
    point = mix(point, reflect(point, across), 0.13 + 0.05 * weights.x);
    point += across * smoothstep(0.1, 0.9, length(point) * 0.7) * 0.1;
    point.z += 0.1 * sin(point.x * 3.1) * distance(point, scene.light.xyz) * 0.2;
    point.xy = fma(point.xy, vec2(0.97, 1.01), vec2(0.013, 0.017) * inversesqrt(1.0 + point.x * point.x));
#elif KIND == 2
    point += normal.xyz * 0.07 + weights.xyz * weights.w * 0.031;
#elif KIND == 3
    Wave waves[3] = Wave[](Wave(vec3(0.3, 0.1, 0.2), 0.1), Wave(scene.light.xyz, 0.07), Wave(normal.xyz, 0.05));
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        float slope;
        lift(point, waves[i], slope);
        sum += slope * 0.3 + point.x * 0.7;
        if (sum > 1.3)
            break;
    }
    point.z = sum > 0.4 ? point.z + sum * 0.02 : point.z - sum * sum * 0.03;
#endif
    return point;
}

void main()
{
    const vec3 point = move(place);
    const vec4 world = push.model * vec4(point, 1.0);
#ifdef TESSELLATED
    gl_Position = world;
#else
    gl_Position = scene.projection * scene.view * world;
    gl_Position.x += world.y * 0.013 + world.z * 0.017;
#endif
    shade = vec4(dot(normalize(mat3(push.model) * normal.xyz), scene.light.xyz)) + world * 0.01 + weights;
}
