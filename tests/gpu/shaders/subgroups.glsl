/* SPDX-License-Identifier: MIT
 *
 * What holds in any subgroup, as bits.
 */
#ifdef PLAIN /* without the operations */
uint answers(uint number)
{
    return 255u;
}
#else
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

uint answers(uint number)
{
    const uvec4 active_mask = subgroupBallot(true);
    const uint count = subgroupBallotBitCount(active_mask);
    uint bits = 0u;
    bits |= subgroupBallotBitExtract(active_mask, gl_SubgroupInvocationID) ? 1u : 0u;
    bits |= gl_SubgroupInvocationID < gl_SubgroupSize ? 2u : 0u;
    bits |= subgroupAdd(1u) == count ? 4u : 0u;
    bits |= subgroupAllEqual(count) && subgroupAny(true) ? 8u : 0u;
    bits |= subgroupAdd(subgroupElect() ? 1u : 0u) == 1u ? 16u : 0u;
    bits |= subgroupBroadcastFirst(number) == subgroupMax(subgroupElect() ? number : 0u) ? 32u : 0u;
    bits |= subgroupExclusiveAdd(1u) == subgroupBallotExclusiveBitCount(active_mask) ? 64u : 0u;
    if (number % 3u == 1u)
        bits |= subgroupMin(number % 3u) == 1u && subgroupMax(number % 3u) == 1u ? 128u : 0u;
    else
        bits |= subgroupAll(number % 3u != 1u) ? 128u : 0u;
    return bits;
}
#endif
