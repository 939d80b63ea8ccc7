/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    uint layer_count, viewport_count;
};

int layer_of(uint number)
{
    return int((number * 3u + 1u) % layer_count);
}

int viewport_of(uint number)
{
    return int((number * 5u + 2u) % viewport_count);
}
