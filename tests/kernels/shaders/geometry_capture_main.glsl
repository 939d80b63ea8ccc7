/* SPDX-License-Identifier: MIT
 *
 * Appended to lib/geometry_capture.glsl: finds the patch of each primitive of a list.
 */
void main()
{
    pgs_keep_root();
    const uint i = gl_GlobalInvocationID.x;
    pgs_patch_find(pgs_read_at(PGS_DRAW.primitive_list, i));
    pgs_write_at(PGS_DRAW.vertices, 2u * i, pgs_pf_patch);
    pgs_write_at(PGS_DRAW.vertices, 2u * i + 1u, pgs_pf_in_patch);
}
