/* SPDX-License-Identifier: MIT
 * Every type of descriptor, in four sets; which stage reads what is up to the shaders. */
layout(set = 0, binding = 0) uniform Plain
{
    uvec4 plain[4];
};
layout(set = 0, binding = 1) readonly buffer Table
{
    uint table_[];
};
layout(set = 0, binding = 2) buffer Log
{
    uint log_[];
};
layout(set = 1, binding = 0) uniform usamplerBuffer texels;
layout(set = 1, binding = 1, r32ui) uniform uimageBuffer cells;
layout(set = 1, binding = 2) uniform usampler2D combined;
layout(set = 1, binding = 3) uniform utexture2D separate_image;
layout(set = 1, binding = 4) uniform sampler separate_sampler;
layout(set = 1, binding = 5, r32ui) uniform uimage2D picture;
layout(set = 2, binding = 0) uniform Moving
{
    uvec4 moving[2];
};
layout(set = 2, binding = 1) buffer MovingTable
{
    uint moving_table[];
};
layout(set = 3, binding = 0) uniform Several
{
    uvec4 value;
}
several[4];
layout(set = 3, binding = 1) uniform usampler2D pictures[3];
