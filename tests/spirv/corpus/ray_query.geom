#version 460
/* SPDX-License-Identifier: MIT */
// env: spv1.4 vulkan1.2 vulkan1.3
// mate ray_query.vert
#extension GL_EXT_ray_query : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) in float depth[];
layout(location = 0) out float hit;

void main()
{
    rayQueryEXT query;
    for (int i = 0; i < 3; i++) {
        rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, gl_in[i].gl_Position.xyz, 0.0,
                              vec3(0.0, 0.0, 1.0), 10.0);
        while (rayQueryProceedEXT(query))
            if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT)
                rayQueryConfirmIntersectionEXT(query);
        const bool found = rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT;
        hit = found ? rayQueryGetIntersectionTEXT(query, true) : depth[i];
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
