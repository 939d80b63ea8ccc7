// SPDX-License-Identifier: MIT
// The shaders of d3d11_scenes.c and d3d12_scenes.c. What an entry point is called begins with its stage: vs_, hs_, ds_, gs_, ps_.

struct vertex
{
    float4 at : POSITION; // x, y in clip space, the size of a quad, an index
    float4 color : COLOR;
};

struct shaded
{
    float4 at : SV_Position;
    float4 color : COLOR;
};

shaded vs_plain(vertex v)
{
    shaded o;
    o.at = float4(v.at.xy, 0.5, 1.0);
    o.color = v.color;
    return o;
}

vertex vs_pass(vertex v)
{
    return v;
}

float4 ps_color(shaded i) : SV_Target
{
    return i.color;
}

// A quad around each point.
[maxvertexcount(4)]
void gs_quads(point vertex v[1], inout TriangleStream<shaded> triangles)
{
    shaded o;
    o.color = v[0].color;
    o.at = float4(v[0].at.x - v[0].at.z, v[0].at.y - v[0].at.z, 0.5, 1.0);
    triangles.Append(o);
    o.at = float4(v[0].at.x - v[0].at.z, v[0].at.y + v[0].at.z, 0.5, 1.0);
    triangles.Append(o);
    o.color = float4(1.0, 1.0, 1.0, 1.0);
    o.at = float4(v[0].at.x + v[0].at.z, v[0].at.y - v[0].at.z, 0.5, 1.0);
    triangles.Append(o);
    o.at = float4(v[0].at.x + v[0].at.z, v[0].at.y + v[0].at.z, 0.5, 1.0);
    triangles.Append(o);
}

// The outline of each triangle.
[maxvertexcount(4)]
void gs_lines(triangle shaded v[3], inout LineStream<shaded> lines)
{
    lines.Append(v[0]);
    lines.Append(v[1]);
    lines.Append(v[2]);
    lines.Append(v[0]);
    lines.RestartStrip();
}

// The middle of a line with adjacency, drawn thick; its neighbours give the colors.
[maxvertexcount(4)]
void gs_adjacent(lineadj shaded v[4], inout TriangleStream<shaded> triangles)
{
    shaded o;
    o.color = v[0].color;
    o.at = v[1].at + float4(0.0, -0.02, 0.0, 0.0);
    triangles.Append(o);
    o.at = v[1].at + float4(0.0, 0.02, 0.0, 0.0);
    triangles.Append(o);
    o.color = v[3].color;
    o.at = v[2].at + float4(0.0, -0.02, 0.0, 0.0);
    triangles.Append(o);
    o.at = v[2].at + float4(0.0, 0.02, 0.0, 0.0);
    triangles.Append(o);
}

// For streams out: the three corners of a triangle around each point. The vertices are those of vs_pass, to be drawn again.
[maxvertexcount(3)]
void gs_corners(point vertex v[1], inout PointStream<vertex> points)
{
    vertex o = v[0];
    o.at.x = v[0].at.x - v[0].at.z;
    points.Append(o);
    o.at.x = v[0].at.x + v[0].at.z;
    points.Append(o);
    o.at.x = v[0].at.x;
    o.at.y = v[0].at.y + v[0].at.z;
    o.color = float4(1.0, 1.0, 0.0, 1.0);
    points.Append(o);
}

struct viewport_out
{
    float4 at : SV_Position;
    float4 color : COLOR;
    uint viewport : SV_ViewportArrayIndex;
};

[maxvertexcount(12)]
void gs_viewports(triangle shaded v[3], inout TriangleStream<viewport_out> triangles)
{
    for (uint i = 0; i < 4; ++i)
    {
        for (uint j = 0; j < 3; ++j)
        {
            viewport_out o;
            o.at = v[j].at;
            o.color = v[j].color * (0.25 * (float)(i + 1));
            o.viewport = i;
            triangles.Append(o);
        }
        triangles.RestartStrip();
    }
}

struct layer_out
{
    float4 at : SV_Position;
    float4 color : COLOR;
    uint layer : SV_RenderTargetArrayIndex;
};

// One layer for each primitive and instance.
[maxvertexcount(3)]
void gs_layers(triangle shaded v[3], uint primitive : SV_PrimitiveID, inout TriangleStream<layer_out> triangles)
{
    for (uint j = 0; j < 3; ++j)
    {
        layer_out o;
        o.at = v[j].at;
        o.color = v[j].color;
        o.layer = primitive % 3;
        triangles.Append(o);
    }
}

// The same by color: not every compiler has SV_PrimitiveID right.
[maxvertexcount(3)]
void gs_slices(triangle shaded v[3], inout TriangleStream<layer_out> triangles)
{
    for (uint j = 0; j < 3; ++j)
    {
        layer_out o;
        o.at = v[j].at;
        o.color = v[j].color;
        o.layer = (uint)(2.9 * v[0].color.x);
        triangles.Append(o);
    }
}

struct factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
};

factors patch_factors(InputPatch<vertex, 4> p)
{
    factors f;
    f.edges[0] = 5.0;
    f.edges[1] = 3.0;
    f.edges[2] = 4.0;
    f.edges[3] = 6.0;
    f.inside[0] = 4.0;
    f.inside[1] = 7.0;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(4)]
[patchconstantfunc("patch_factors")]
vertex hs_quad(InputPatch<vertex, 4> p, uint id : SV_OutputControlPointID)
{
    return p[id];
}

[domain("quad")]
shaded ds_quad(factors f, float2 uv : SV_DomainLocation, const OutputPatch<vertex, 4> p)
{
    shaded o;
    float2 left = lerp(p[0].at.xy, p[1].at.xy, uv.y);
    float2 right = lerp(p[3].at.xy, p[2].at.xy, uv.y);
    float2 at = lerp(left, right, uv.x);
    at.y += 0.25 * uv.x * (1.0 - uv.x);
    o.at = float4(at, 0.5, 1.0);
    o.color = float4(uv, 0.5, 1.0);
    return o;
}
