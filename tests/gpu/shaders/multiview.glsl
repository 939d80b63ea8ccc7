/* SPDX-License-Identifier: MIT
 *
 * gl_ViewIndex in the stages that shall read it, else 0; and what shaders that store count.
 */
#extension GL_EXT_multiview : require
#ifdef VIEW
#define view_index uint(gl_ViewIndex)
#else
#define view_index 0u
#endif
#ifdef STORES
layout(set = 0, binding = 0) buffer Counts
{
    uint vertices, primitives;
};
#endif
