#version 450
/* SPDX-License-Identifier: MIT
 *
 * The library of test_join_loads.c. Each function loads from the record at (a, b). */
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 1) in;

struct element
{
    uvec2 place;
    uint size, count;
};
struct record
{
    uvec2 first; /* 16 bytes */
    float second;
    uint third;
    uint fourth; /* alone in its 16 bytes */
    uint unused[3];
    element elements[4];
    uvec4 whole;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer read_ref
{
    record r;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer written_ref
{
    record r;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer narrow_ref
{
    record r;
};

uint result;

/* One load. */
void together(const uint a, const uint b)
{
    const uvec2 first = read_ref(uvec2(a, b)).r.first;
    result = first.x + first.y;
    result += uint(read_ref(uvec2(a, b)).r.second) * read_ref(uvec2(a, b)).r.third;
}

/* Two: the second one lies elsewhere. */
void apart(const uint a, const uint b)
{
    result = read_ref(uvec2(a, b)).r.third + read_ref(uvec2(a, b)).r.fourth + read_ref(uvec2(a, b)).r.first.y;
}

/* One: what the branch needs is there in front of it. */
void ahead(const uint a, const uint b)
{
    result = read_ref(uvec2(a, b)).r.third;
    if (result > 3u) {
        const uvec2 first = read_ref(uvec2(a, b)).r.first;
        result = first.x + first.y;
    }
}

/* Two: neither branch knows what the other one loads. */
void either(const uint a, const uint b)
{
    if (b > 3u) {
        result = read_ref(uvec2(a, b)).r.third;
    } else {
        const uvec2 first = read_ref(uvec2(a, b)).r.first;
        result = first.x + first.y;
    }
}

/* Two, one for each element. */
void elements(const uint a, const uint b)
{
    result = read_ref(uvec2(a, b)).r.elements[a].size + read_ref(uvec2(a, b)).r.elements[a].count;
    const uvec2 place = read_ref(uvec2(a, b)).r.elements[b].place;
    result += read_ref(uvec2(a, b)).r.elements[b].size * (place.x + place.y);
}

/* Two: the structure is written. */
void written(const uint a, const uint b)
{
    const uvec2 first = written_ref(uvec2(a, b)).r.first;
    result = first.x + first.y;
    written_ref(uvec2(a, b)).r.third = result;
    result += written_ref(uvec2(a, b)).r.third;
}

/* Two: it lies at any word. */
void narrow(const uint a, const uint b)
{
    const uvec2 first = narrow_ref(uvec2(a, b)).r.first;
    result = first.x + first.y + narrow_ref(uvec2(a, b)).r.third;
}

void main() {}
