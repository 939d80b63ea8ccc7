/* SPDX-License-Identifier: MIT
 *
 * Rows of the chooser's table: the application's own draw, and where it is not.
 */
#ifndef PLAN_INSTANCED_H
#define PLAN_INSTANCED_H

#include "plan_facts.h"

#define INSTANCED_ROWS                                                                             \
    ROW(INSTANCED | STATIC, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),                              \
        ROW(INSTANCED | STATIC | RESTART | HUGE | DRIVER_QUERY, INSTANCED, NONE, NONE, CPU,        \
            CHEAPEST, 0),                                                                          \
        ROW(INSTANCED | STATIC | INDIRECT, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),               \
        ROW(INSTANCED | STATIC | XFB | NO_XFB, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),           \
        ROW(STRIPS | STATIC, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),                             \
        ROW(STRIPS | STATIC | PREFERRED | INDIRECT, INLINE_GS, NONE, NONE, GPU, CHEAPEST,          \
            INLINE_CALL),                                                                          \
        ROW(INSTANCED | STATIC | WISH_VERTEX | PREFERRED, INLINE_GS, NONE, NONE, CPU, CHEAPEST,    \
            0),                                                                                    \
        ROW(INSTANCED | STATIC | WISH_COMPUTE, STORED, NONE, NONE, CPU, NO_PIPELINE,               \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                                  \
        ROW(INSTANCED | STATIC | GENERATED, STORED, NONE, STATIC, CPU, NO_PIPELINE,                \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_PROGRAM)),                                 \
        ROW(INSTANCED | STATIC | STATISTICS, STORED, NONE, STATIC, CPU, NO_PIPELINE,               \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_PROGRAM)),                                 \
        ROW(INSTANCED | STATIC | XFB, STORED, GS, STATIC, CPU, NO_PIPELINE,                        \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SHADER) | S(XFB_PROGRAM)),                 \
        ROW(INSTANCED | STATIC | CONDITION, STORED, NONE, NONE, SETUP, NO_PIPELINE,                \
            SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                           \
        ROW(INSTANCED | STATIC | BYTE_COUNT, STORED, NONE, NONE, SETUP, NO_PIPELINE,               \
            SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                           \
        ROW(INSTANCED | STATIC | DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, 0)

#endif
