/* SPDX-License-Identifier: MIT
 *
 * Appended to lib/vertex.glsl: stores all that the library can tell of a vertex.
 */
void main()
{
    if (!pgs_vertex_begin(20u))
        return;
    pgs_vertex_store4(0u, pgs_fetch(0u, PGS_FORMAT_DYNAMIC));
    pgs_vertex_store4(4u, pgs_fetch_wide(1u, PGS_FORMAT_DYNAMIC, 0u));
    pgs_vertex_store4(8u, pgs_fetch_wide(1u, PGS_FORMAT_DYNAMIC, 1u));
    pgs_vertex_store4(12u, uvec4(pgs_vertex_index(), pgs_instance_index(), pgs_base_vertex(), pgs_base_instance()));
    pgs_vertex_store(16u, pgs_draw_index());
    pgs_vertex_store(17u, pgs_read(pgs_add(pgs_push_address(), 12u)));
}
