#version 460
/* SPDX-License-Identifier: MIT */
// env: spv1.4 vulkan1.2 vulkan1.3
// mate ray_query.geom
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) in vec3 place;
layout(location = 0) out float depth;

void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsTerminateOnFirstHitEXT, 0xff, place, 0.0, vec3(0.0, 0.0, 1.0), 10.0);
    rayQueryProceedEXT(query);
    depth = float(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
    gl_Position = vec4(place, 1.0);
}
