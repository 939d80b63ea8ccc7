/* SPDX-License-Identifier: MIT */
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene[2];
layout(push_constant) uniform Push
{
    vec2 step;
    uint which;
} push;

/* What a ray along z meets, as a number; 0: nothing. */
uint meet(vec2 at)
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene[push.which], gl_RayFlagsOpaqueEXT, 0xff, vec3(at, 0.0), 0.0, vec3(0.0, 0.0, 1.0),
                          10.0);
    while (rayQueryProceedEXT(query)) {
    }
    if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT)
        return 0u;
    return 1u + uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true)) * 2u +
           uint(rayQueryGetIntersectionInstanceIdEXT(query, true)) * 16u +
           uint(rayQueryGetIntersectionTEXT(query, true)) * 32u;
}
