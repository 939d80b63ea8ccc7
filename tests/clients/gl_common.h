// SPDX-License-Identifier: MIT
// What the programs for OpenGL and OpenGL ES share: the shaders of their scenes, which both
// languages understand, and what they do with pictures and times. The program defines HEAD, the
// first line of every shader, and includes the headers of its OpenGL before this one.
#ifndef PGS_CLIENTS_GL_COMMON_H
#define PGS_CLIENTS_GL_COMMON_H

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

#define SIZE 256

// The vertices come out of their numbers: a primitive of PER_PRIMITIVE vertices lies around a place
// of its own.
#define VERTEX(PER_PRIMITIVE)                                                                      \
    HEAD "layout(location = 0) out vec4 color;\n"                                                  \
         "float random(int i) { return fract(float((i * 7919 + 13) % 1009) / 1009.0); }\n"         \
         "const vec2 circle[4] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, 1), vec2(1, -1));\n"    \
         "void main() {\n"                                                                         \
         "  int n = " #PER_PRIMITIVE ", p = gl_VertexID / n;\n"                                    \
         "  vec2 at = 1.6 * vec2(random(p), random(p + 500)) - 0.8;\n"                             \
         "  if (n > 1) at += 0.2 * circle[gl_VertexID % n];\n"                                     \
         "  color = vec4(random(gl_VertexID + 7), random(gl_VertexID + 77), random(gl_VertexID + " \
         "777), 1);\n"                                                                             \
         "  gl_Position = vec4(at, 0, 1);\n"                                                       \
         "}\n"

static const char vertex_captured[] =
    HEAD "layout(location = 0) in vec4 at; layout(location = 1) in vec4 tint;\n"
         "layout(location = 0) out vec4 color;\n"
         "void main() { gl_Position = at; color = tint; }\n";

static const char fragment[] =
    HEAD "layout(location = 0) in vec4 color; layout(location = 0) out vec4 o;\n"
         "void main() { o = color; }\n";

static const char quads[] =
    HEAD "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"
         "void main() {\n"
         "  for (int i = 0; i < 4; ++i) {\n"
         "    color = i < 2 ? c[0] : vec4(1);\n"
         "    gl_Position = gl_in[0].gl_Position + vec4(0.06 * vec2(i >> 1, i & 1), 0, 0);\n"
         "    EmitVertex();\n"
         "  }\n"
         "}\n";

static const char lines[] =
    HEAD "layout(triangles) in; layout(line_strip, max_vertices = 4) out;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"
         "void main() {\n"
         "  for (int i = 0; i < 4; ++i) {\n"
         "    color = c[i % 3];\n"
         "    gl_Position = gl_in[i % 3].gl_Position;\n"
         "    EmitVertex();\n"
         "  }\n"
         "}\n";

// Four turned copies of each triangle, and where a triangle goes: in or out of four layers or
// viewports.
#define INSTANCES(WHERE)                                                                           \
    HEAD "layout(triangles, invocations = 4) in; layout(triangle_strip, max_vertices = 3) out;\n"  \
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"                \
         "const mat2 turns[4] = mat2[](mat2(1, 0, 0, 1), mat2(0, 1, -1, 0), mat2(-1, 0, 0, -1), "  \
         "mat2(0, -1, 1, 0));\n"                                                                   \
         "void main() {\n"                                                                         \
         "  for (int i = 0; i < 3; ++i) {\n"                                                       \
         "    color = c[i];\n"                                                                     \
         "    gl_Position = vec4(turns[gl_InvocationID] * gl_in[i].gl_Position.xy, 0, 1);\n" WHERE \
         "    EmitVertex();\n"                                                                     \
         "  }\n"                                                                                   \
         "}\n"

static const char adjacent[] =
    HEAD "layout(lines_adjacency) in; layout(triangle_strip, max_vertices = 3) out;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"
         "void main() {\n"
         "  for (int i = 0; i < 3; ++i) {\n"
         "    color = c[3 * (i & 1)];\n"
         "    gl_Position = gl_in[i + 1].gl_Position;\n"
         "    EmitVertex();\n"
         "  }\n"
         "}\n";

static const char corners[] =
    HEAD "layout(points) in; layout(points, max_vertices = 3) out;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"
         "void main() {\n"
         "  for (int i = 0; i < 3; ++i) {\n"
         "    color = i == 2 ? vec4(1, 1, 0, 1) : c[0];\n"
         "    gl_Position = gl_in[0].gl_Position + vec4(0.08 * vec2(i & 1, i >> 1), 0, 0);\n"
         "    EmitVertex();\n"
         "  }\n"
         "}\n";

static const char control[] =
    HEAD "layout(vertices = 4) out;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color[];\n"
         "void main() {\n"
         "  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
         "  color[gl_InvocationID] = c[gl_InvocationID];\n"
         "  gl_TessLevelOuter = float[](5.0, 3.0, 4.0, 6.0);\n"
         "  gl_TessLevelInner = float[](4.0, 7.0);\n"
         "}\n";

static const char evaluation[] =
    HEAD "layout(quads, fractional_odd_spacing, ccw) in;\n"
         "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 color;\n"
         "void main() {\n"
         "  vec2 u = gl_TessCoord.xy;\n"
         "  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, u.y),\n"
         "                    mix(gl_in[3].gl_Position, gl_in[2].gl_Position, u.y), u.x);\n"
         "  gl_Position.y += 0.25 * u.x * (1.0 - u.x);\n"
         "  color = mix(c[0], c[2], u.x);\n"
         "}\n";

static inline void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

// Adds a stage to the program; does nothing without a source.
static inline void attach(GLuint program, GLenum stage, const char *source)
{
    char log[4096];
    GLint ok = 0;
    if (!source)
        return;
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glGetShaderInfoLog(shader, sizeof(log), NULL, log);
    if (!ok)
        fail("shader", log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

// Writes OUT/SCENE-LAYER.ppm, from pixels of four bytes.
static inline void write_picture(const char *out, const char *scene, int layer,
                                 const unsigned char (*pixels)[4])
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s-%d.ppm", out, scene, layer);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail(path, "cannot be written");
    fprintf(file, "P6\n%d %d\n255\n", SIZE, SIZE);
    for (int i = 0; i < SIZE * SIZE; ++i)
        fwrite(pixels[i], 1, 3, file);
    fclose(file);
}

#endif
