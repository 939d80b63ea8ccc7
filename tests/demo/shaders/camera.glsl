/* SPDX-License-Identifier: MIT */
layout(set = 0, binding = 0) uniform Camera
{
    mat4 view_projection;
    vec4 eye, right, up, forward, light;
}
camera;

/* Drivers may round the way to window coordinates differently from one path to the next, and their rasterizers have
 * 4 to 8 bits below the pixel. So corners are put on a grid of `per_pixel` steps a pixel, and all of them see the same
 * triangles and lines. `precise`, so that the same source gives the same bits in whichever stage it is compiled into
 * (lavapipe still fuses multiplications and additions as it likes). */
const vec2 half_size_px = vec2(960.0, 540.0);

vec4 to_clip(vec3 world)
{
    precise vec4 clip = camera.view_projection[0] * world.x + camera.view_projection[1] * world.y +
                        camera.view_projection[2] * world.z + camera.view_projection[3];
    return clip;
}

/* Place on the grid, in pixels from the middle of the picture. */
vec2 window(vec3 world, float per_pixel)
{
    vec4 clip = to_clip(world);
    precise vec2 pixels = round(clip.xy / clip.w * half_size_px * per_pixel) / per_pixel;
    return pixels;
}

vec4 project_to_grid(vec3 world, float per_pixel)
{
    vec4 clip = to_clip(world);
    clip.xy = window(world, per_pixel) / half_size_px * clip.w;
    return clip;
}

vec4 project(vec3 world)
{
    return project_to_grid(world, 16.0);
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
