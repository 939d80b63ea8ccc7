#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, cw) in;
layout(set = 0, binding = 0) uniform Scene
{
    mat4 projection;
    mat4 view;
    vec4 light;
} scene;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 shade_out;
invariant gl_Position;

void main()
{
    const vec4 point = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                       gl_TessCoord.z * gl_in[2].gl_Position;
    const float lift = gl_TessCoord.x * gl_TessCoord.y * gl_TessCoord.z;
    shade_out = shade[0] * gl_TessCoord.x + shade[1] * gl_TessCoord.y + shade[2] * gl_TessCoord.z;
    const vec4 world = point + vec4(normalize(scene.light.xyz + point.xyz) * lift, 0.0);
    gl_Position = scene.projection * scene.view * world;
    gl_Position.x += world.y * 0.013 + world.z * 0.017;
}
