// SPDX-License-Identifier: MIT
// An OpenGL 4 program without a window, for zink: draws what needs geometry shaders, tessellation
// and transform feedback, and writes what came out.
//
// usage: gl_scenes OUT [SCENE]
//   OUT  gets SCENE-LAYER.ppm for each scene and layer, and counts.txt with what the queries
//   counted
// Prints what the driver is, after #, and a line for each scene: its name, the milliseconds of its
// first frame, with all that is created for it, and those of a later frame, the shortest of
// several; a frame ends when its picture is read.
#define EGL_NO_X11
#define GL_GLEXT_PROTOTYPES
#define HEAD "#version 450 core\n"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gl_common.h"

#define MAX_LAYERS 4

struct scene {
    const char *name, *vertex, *control, *evaluation, *geometry;
    GLenum mode;
    GLsizei vertices;
    GLsizei layers, viewports;
    // What the geometry shader emits is captured and then drawn as triangles; or one half is drawn
    // if something was visible, and the other if nothing was.
    enum { PLAIN, CAPTURED, CONDITIONAL } drawing;
};

static const struct scene scenes[] = {
    {"plain", VERTEX(3), NULL, NULL, NULL, GL_TRIANGLES, 48, 1, 1, PLAIN},
    {"quads", VERTEX(1), NULL, NULL, quads, GL_POINTS, 200, 1, 1, PLAIN},
    {"lines", VERTEX(3), NULL, NULL, lines, GL_TRIANGLES, 96, 1, 1, PLAIN},
    {"fan", VERTEX(1), NULL, NULL, lines, GL_TRIANGLE_FAN, 32, 1, 1, PLAIN},
    {"adjacent", VERTEX(4), NULL, NULL, adjacent, GL_LINES_ADJACENCY, 64, 1, 1, PLAIN},
    {"instances", VERTEX(3), NULL, NULL, INSTANCES(""), GL_TRIANGLES, 48, 1, 1, PLAIN},
    {"layers", VERTEX(3), NULL, NULL, INSTANCES("gl_Layer = gl_InvocationID;\n"), GL_TRIANGLES, 48,
     4, 1, PLAIN},
    {"viewports", VERTEX(3), NULL, NULL, INSTANCES("gl_ViewportIndex = gl_InvocationID;\n"),
     GL_TRIANGLES, 48, 1, 4, PLAIN},
    {"captured", VERTEX(1), NULL, NULL, corners, GL_POINTS, 200, 1, 1, CAPTURED},
    {"conditional", VERTEX(1), NULL, NULL, quads, GL_POINTS, 200, 1, 1, CONDITIONAL},
    {"tessellated", VERTEX(4), control, evaluation, NULL, GL_PATCHES, 16, 1, 1, PLAIN},
    {"tessellated-lines", VERTEX(4), control, evaluation, lines, GL_PATCHES, 16, 1, 1, PLAIN},
};

struct objects {
    GLuint program, again, arrays, buffer, feedback, texture, framebuffer;
};

static GLuint link_program(const struct scene *scene, const char *vertex, bool capture)
{
    static const char *const varyings[] = {"gl_Position", "color"};
    char log[4096];
    GLint ok = 0;
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, vertex);
    attach(program, GL_FRAGMENT_SHADER, fragment);
    if (scene) {
        attach(program, GL_TESS_CONTROL_SHADER, scene->control);
        attach(program, GL_TESS_EVALUATION_SHADER, scene->evaluation);
        attach(program, GL_GEOMETRY_SHADER, scene->geometry);
    }
    if (capture)
        glTransformFeedbackVaryings(program, 2, varyings, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, sizeof(log), NULL, log);
    if (!ok)
        fail("program", log);
    return program;
}

static void create(const struct scene *scene, struct objects *o)
{
    const GLsizei stride_B = 8 * sizeof(float);
    o->program = link_program(scene, scene->vertex, scene->drawing == CAPTURED);
    if (scene->drawing == CAPTURED)
        o->again = link_program(NULL, vertex_captured, false);
    glCreateVertexArrays(1, &o->arrays);
    glCreateBuffers(1, &o->buffer);
    glNamedBufferData(o->buffer, 3L * stride_B * scene->vertices, NULL, GL_STATIC_COPY);
    glVertexArrayVertexBuffer(o->arrays, 0, o->buffer, 0, stride_B);
    for (GLuint i = 0; i < 2 && scene->drawing == CAPTURED; ++i) {
        glEnableVertexArrayAttrib(o->arrays, i);
        glVertexArrayAttribFormat(o->arrays, i, 4, GL_FLOAT, GL_FALSE, 16 * i);
        glVertexArrayAttribBinding(o->arrays, i, 0);
    }
    glCreateTransformFeedbacks(1, &o->feedback);
    glTransformFeedbackBufferBase(o->feedback, 0, o->buffer);
    glCreateTextures(scene->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D, 1, &o->texture);
    if (scene->layers > 1)
        glTextureStorage3D(o->texture, 1, GL_RGBA8, SIZE, SIZE, scene->layers);
    else
        glTextureStorage2D(o->texture, 1, GL_RGBA8, SIZE, SIZE);
    glCreateFramebuffers(1, &o->framebuffer);
    glNamedFramebufferTexture(o->framebuffer, GL_COLOR_ATTACHMENT0, o->texture, 0);
    if (glCheckNamedFramebufferStatus(o->framebuffer, GL_DRAW_FRAMEBUFFER) !=
        GL_FRAMEBUFFER_COMPLETE)
        fail(scene->name, "the framebuffer is not complete");
}

static void destroy(const struct objects *o)
{
    glDeleteProgram(o->program);
    glDeleteProgram(o->again);
    glDeleteVertexArrays(1, &o->arrays);
    glDeleteBuffers(1, &o->buffer);
    glDeleteTransformFeedbacks(1, &o->feedback);
    glDeleteTextures(1, &o->texture);
    glDeleteFramebuffers(1, &o->framebuffer);
}

// The first query sees nothing, as the scissor is empty, the second sees what is drawn to no color.
// Only the second half is left.
static void draw_conditional(const struct scene *scene)
{
    const GLsizei half = scene->vertices / 2;
    GLuint queries[2];
    glGenQueries(2, queries);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    for (int i = 0; i < 2; ++i) {
        glScissor(0, 0, i * SIZE, i * SIZE);
        glEnable(GL_SCISSOR_TEST);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[i]);
        glDrawArrays(scene->mode, 0, half);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
    }
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (int i = 0; i < 2; ++i) {
        glBeginConditionalRender(queries[i], GL_QUERY_WAIT);
        glDrawArrays(scene->mode, i * half, half);
        glEndConditionalRender();
    }
    glDeleteQueries(2, queries);
}

static void draw(const struct scene *scene, const struct objects *o)
{
    const float black[4] = {0, 0, 0, 1};
    const float size = scene->viewports > 1 ? SIZE / 2 : SIZE;
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffer);
    glClearBufferfv(GL_COLOR, 0, black);
    for (int i = 0; i < scene->viewports; ++i)
        glViewportIndexedf((GLuint)i, size * (float)(i % 2), size * (float)(i / 2), size, size);
    glBindVertexArray(o->arrays);
    glUseProgram(o->program);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    if (scene->drawing == CAPTURED) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, o->feedback);
        glEnable(GL_RASTERIZER_DISCARD);
        glBeginTransformFeedback(GL_POINTS);
    }
    if (scene->drawing == CONDITIONAL)
        draw_conditional(scene);
    else
        glDrawArrays(scene->mode, 0, scene->vertices);
    if (scene->drawing == CAPTURED) {
        glEndTransformFeedback();
        glDisable(GL_RASTERIZER_DISCARD);
        glUseProgram(o->again);
        glDrawTransformFeedback(GL_TRIANGLES, o->feedback);
    }
}

static void read_back(const struct scene *scene, const struct objects *o, const char *out)
{
    static unsigned char pixels[MAX_LAYERS][SIZE * SIZE][4];
    glGetTextureImage(o->texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof(pixels), pixels);
    for (int layer = 0; out && layer < scene->layers; ++layer)
        write_picture(out, scene->name, layer, pixels[layer]);
}

// Draws once more for each query, and writes what they say: Vulkan lets no two queries for
// statistics be active at once, but zink does not heed that.
static void count(const struct scene *scene, const struct objects *o, FILE *counts)
{
    static const GLenum targets[4] = {
        GL_PRIMITIVES_GENERATED, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
        GL_GEOMETRY_SHADER_INVOCATIONS, GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED};
    GLuint queries[4], values[4] = {0};
    glGenQueries(4, queries);
    for (int i = 0; i < 4; ++i) {
        glBeginQuery(targets[i], queries[i]);
        draw(scene, o);
        glEndQuery(targets[i]);
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &values[i]);
    }
    glDeleteQueries(4, queries);
    fprintf(counts, "%s: generated %u, captured %u, GS %u run %u emitted\n", scene->name, values[0],
            values[1], values[2], values[3]);
}

static void run_scene(const struct scene *scene, const char *out, FILE *counts)
{
    struct objects o = {0};
    double start_ms = now_ms();
    create(scene, &o);
    draw(scene, &o);
    read_back(scene, &o, NULL);
    double first_ms = now_ms() - start_ms, frame_ms = 1e9;
    for (int i = 0; i < MAX_FRAMES; ++i) {
        start_ms = now_ms();
        for (unsigned j = 0; j < frames_at_once(); ++j) {
            draw(scene, &o);
            read_back(scene, &o, NULL);
        }
        double ms = (now_ms() - start_ms) / frames_at_once();
        frame_ms = ms < frame_ms ? ms : frame_ms;
    }
    read_back(scene, &o, out);
    count(scene, &o, counts);
    if (glGetError() != GL_NO_ERROR)
        fail(scene->name, "there was a GL error");
    printf("%s %.1f %.2f\n", scene->name, first_ms, frame_ms);
    fflush(stdout);
    destroy(&o);
}

static void make_current(void)
{
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                        EGL_NONE};
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("EGL", "there is no surfaceless display");
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("EGL", "there is no context of OpenGL 4.5");
}

int main(int argc, char **argv)
{
    char path[1024];
    if (argc < 2) {
        fprintf(stderr, "usage: gl_scenes OUT [SCENE]\n");
        return 2;
    }
    make_current();
    printf("# %s; OpenGL %s\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION));
    snprintf(path, sizeof(path), "%s/counts.txt", argv[1]);
    FILE *counts = fopen(path, "w");
    if (!counts)
        fail(path, "cannot be written");
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); ++i)
        if (argc < 3 || strcmp(argv[2], scenes[i].name) == 0)
            run_scene(&scenes[i], argv[1], counts);
    fclose(counts);
    return 0;
}
