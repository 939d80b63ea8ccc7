/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform Camera
{
    mat4 view_projection;
    vec4 eye, right, up, forward, light;
}
camera;

/* `precise`, so that the same source gives the same bits in whichever stage it is compiled into. */
vec4 project(vec3 world)
{
    precise vec4 clip = camera.view_projection * vec4(world, 1.0);
    return clip;
}

/* Blinn-Phong with a rim light and a distance fog towards the backdrop. */
vec3 shade(vec3 base, vec3 normal, vec3 world, float gloss)
{
    vec3 to_eye = normalize(camera.eye.xyz - world);
    vec3 halfway = normalize(to_eye + camera.light.xyz);
    float diffuse = max(dot(normal, camera.light.xyz), 0.0);
    float wrap = 0.5 + 0.5 * dot(normal, camera.up.xyz);
    float specular = pow(max(dot(normal, halfway), 0.0), 48.0) * gloss;
    float rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    vec3 ambient = mix(vec3(0.05, 0.04, 0.08), vec3(0.16, 0.19, 0.26), wrap);
    return base * (ambient + 0.95 * diffuse) + vec3(specular) + rim * vec3(0.10, 0.16, 0.26);
}

vec4 display(vec3 linear)
{
    return vec4(pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
