// SPDX-License-Identifier: MIT
// An OpenGL ES 3.2 program without a window, for ANGLE on Vulkan: draws what needs geometry
// shaders, tessellation and transform feedback, and writes what came out.
//
// usage: gles_scenes OUT [SCENE]
//   OUT  gets SCENE-LAYER.ppm for each scene and layer, and counts.txt with what the queries
//   counted
// Prints what the driver is, after #, and a line for each scene: its name, the milliseconds of its
// first frame, with all that is created for it, and those of a later frame, the shortest of
// several; a frame ends when its picture is read. Exit status: 77 if there is no OpenGL ES 3.2.
#define EGL_NO_X11
#define GL_GLES_PROTOTYPES 1
#define HEAD "#version 320 es\nprecision highp float;\nprecision highp int;\n"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gl_common.h"

#define MAX_LAYERS 4

// Of EGL_ANGLE_platform_angle and its sisters, whose headers no package has.
#define PLATFORM_ANGLE 0x3202
#define PLATFORM_ANGLE_TYPE 0x3203
#define PLATFORM_ANGLE_TYPE_VULKAN 0x3450
#define PLATFORM_ANGLE_NATIVE 0x348F
#define PLATFORM_VULKAN_HEADLESS 0x34A5

// What a scene captures before it draws that as triangles: what the geometry shader emits, into one
// buffer, or what the vertex shader writes, in two parts with a pause between them, into a buffer
// for each variable.
enum capture { NOTHING, EMITTED, WRITTEN };

struct scene {
    const char *name, *vertex, *control, *evaluation, *geometry;
    GLenum mode;
    GLsizei vertices, layers;
    enum capture capture;
};

static const struct scene scenes[] = {
    {"plain", VERTEX(3), NULL, NULL, NULL, GL_TRIANGLES, 48, 1, NOTHING},
    {"quads", VERTEX(1), NULL, NULL, quads, GL_POINTS, 200, 1, NOTHING},
    {"lines", VERTEX(3), NULL, NULL, lines, GL_TRIANGLES, 96, 1, NOTHING},
    {"fan", VERTEX(1), NULL, NULL, lines, GL_TRIANGLE_FAN, 32, 1, NOTHING},
    {"adjacent", VERTEX(4), NULL, NULL, adjacent, GL_LINES_ADJACENCY, 64, 1, NOTHING},
    {"instances", VERTEX(3), NULL, NULL, INSTANCES(""), GL_TRIANGLES, 48, 1, NOTHING},
    {"layers", VERTEX(3), NULL, NULL, INSTANCES("gl_Layer = gl_InvocationID;\n"), GL_TRIANGLES, 48,
     4, NOTHING},
    {"captured", VERTEX(1), NULL, NULL, corners, GL_POINTS, 200, 1, EMITTED},
    {"written", VERTEX(3), NULL, NULL, NULL, GL_TRIANGLES, 96, 1, WRITTEN},
    {"tessellated", VERTEX(4), control, evaluation, NULL, GL_PATCHES, 16, 1, NOTHING},
    {"tessellated-lines", VERTEX(4), control, evaluation, lines, GL_PATCHES, 16, 1, NOTHING},
};

struct objects {
    GLuint program, again, arrays, buffers[2], feedback, texture, framebuffer;
};

static GLuint link_program(const struct scene *scene, const char *vertex, enum capture capture)
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
    if (capture != NOTHING)
        glTransformFeedbackVaryings(program, 2, varyings,
                                    capture == WRITTEN ? GL_SEPARATE_ATTRIBS
                                                       : GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, sizeof(log), NULL, log);
    if (!ok)
        fail("program", log);
    return program;
}

// The buffers that are captured into, and how they are read as vertices.
static void create_buffers(const struct scene *scene, struct objects *o)
{
    const bool apart = scene->capture == WRITTEN;
    const GLsizei stride_B = apart ? 16 : 32;
    glGenVertexArrays(1, &o->arrays);
    glBindVertexArray(o->arrays);
    glGenBuffers(2, o->buffers);
    glGenTransformFeedbacks(1, &o->feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, o->feedback);
    for (GLuint i = 0; i < 2 && scene->capture != NOTHING; ++i) {
        glBindBuffer(GL_ARRAY_BUFFER, o->buffers[apart ? i : 0]);
        if (i == 0 || apart) {
            glBufferData(GL_ARRAY_BUFFER, 3L * 32 * scene->vertices, NULL, GL_STATIC_COPY);
            glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, o->buffers[i]);
        }
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, stride_B,
                              (const char *)NULL + (apart ? 0 : 16 * i));
    }
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

static void create(const struct scene *scene, struct objects *o)
{
    o->program = link_program(scene, scene->vertex, scene->capture);
    if (scene->capture != NOTHING)
        o->again = link_program(NULL, vertex_captured, NOTHING);
    create_buffers(scene, o);
    const GLenum target = scene->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    glGenTextures(1, &o->texture);
    glBindTexture(target, o->texture);
    if (scene->layers > 1)
        glTexStorage3D(target, 1, GL_RGBA8, SIZE, SIZE, scene->layers);
    else
        glTexStorage2D(target, 1, GL_RGBA8, SIZE, SIZE);
    glGenFramebuffers(1, &o->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, o->texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail(scene->name, "the framebuffer is not complete");
}

static void destroy(const struct objects *o)
{
    glDeleteProgram(o->program);
    glDeleteProgram(o->again);
    glDeleteVertexArrays(1, &o->arrays);
    glDeleteBuffers(2, o->buffers);
    glDeleteTransformFeedbacks(1, &o->feedback);
    glDeleteTextures(1, &o->texture);
    glDeleteFramebuffers(1, &o->framebuffer);
}

static void set_arrays(bool enabled)
{
    for (GLuint i = 0; i < 2; ++i)
        if (enabled)
            glEnableVertexAttribArray(i);
        else
            glDisableVertexAttribArray(i);
}

// Captures, then draws as triangles what was captured: OpenGL ES has no draws that know how much.
static void draw_captured(const struct scene *scene, const struct objects *o)
{
    const bool written = scene->capture == WRITTEN;
    const GLsizei half = scene->vertices / 2;
    set_arrays(false);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, o->feedback);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(written ? GL_TRIANGLES : GL_POINTS);
    if (written) {
        glDrawArrays(scene->mode, 0, half);
        glPauseTransformFeedback();
        glDrawArrays(scene->mode, 0, half); // is not captured
        glResumeTransformFeedback();
        glDrawArrays(scene->mode, half, half);
    } else {
        glDrawArrays(scene->mode, 0, scene->vertices);
    }
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    set_arrays(true);
    glUseProgram(o->again);
    glDrawArrays(GL_TRIANGLES, 0, written ? scene->vertices : 3 * scene->vertices);
}

static void draw(const struct scene *scene, const struct objects *o)
{
    const float black[4] = {0, 0, 0, 1};
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffer);
    glClearBufferfv(GL_COLOR, 0, black);
    glViewport(0, 0, SIZE, SIZE);
    glBindVertexArray(o->arrays);
    glUseProgram(o->program);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    if (scene->capture != NOTHING)
        draw_captured(scene, o);
    else
        glDrawArrays(scene->mode, 0, scene->vertices);
}

static void read_back(const struct scene *scene, const struct objects *o, const char *out)
{
    static unsigned char pixels[SIZE * SIZE][4];
    GLuint framebuffer = o->framebuffer;
    if (scene->layers > 1)
        glGenFramebuffers(1, &framebuffer);
    for (int layer = 0; layer < scene->layers; ++layer) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        if (scene->layers > 1)
            glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, o->texture, 0,
                                      layer);
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        if (out)
            write_picture(out, scene->name, layer, pixels);
    }
    if (scene->layers > 1)
        glDeleteFramebuffers(1, &framebuffer);
}

// Draws once more for both queries, and writes what they say.
static void count(const struct scene *scene, const struct objects *o, FILE *counts)
{
    static const GLenum targets[2] = {GL_PRIMITIVES_GENERATED,
                                      GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN};
    GLuint queries[2], values[2] = {0};
    glGenQueries(2, queries);
    for (int i = 0; i < 2; ++i)
        glBeginQuery(targets[i], queries[i]);
    draw(scene, o);
    for (int i = 0; i < 2; ++i) {
        glEndQuery(targets[i]);
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &values[i]);
    }
    glDeleteQueries(2, queries);
    fprintf(counts, "%s: generated %u, captured %u\n", scene->name, values[0], values[1]);
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

// Exits where ANGLE has no OpenGL ES 3.2 on this driver.
static EGLDisplay make_current(void)
{
    static const EGLint platform[] = {PLATFORM_ANGLE_TYPE, PLATFORM_ANGLE_TYPE_VULKAN,
                                      PLATFORM_ANGLE_NATIVE, PLATFORM_VULKAN_HEADLESS, EGL_NONE};
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE};
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2,
                                        EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get_display
                             ? get_display(PLATFORM_ANGLE, (void *)EGL_DEFAULT_DISPLAY, platform)
                             : EGL_NO_DISPLAY;
    if (!eglInitialize(display, NULL, NULL))
        fail("EGL", "there is no display on Vulkan");
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count)
        fail("EGL", "there is no configuration");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (!context) {
        fprintf(stderr, "there is no OpenGL ES 3.2\n");
        exit(77);
    }
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("EGL", "the context cannot be made current");
    return display;
}

int main(int argc, char **argv)
{
    char path[1024];
    if (argc < 2) {
        fprintf(stderr, "usage: gles_scenes OUT [SCENE]\n");
        return 2;
    }
    EGLDisplay display = make_current();
    printf("# %s; OpenGL ES %s\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION));
    snprintf(path, sizeof(path), "%s/counts.txt", argv[1]);
    FILE *counts = fopen(path, "w");
    if (!counts)
        fail(path, "cannot be written");
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); ++i)
        if (argc < 3 || strcmp(argv[2], scenes[i].name) == 0)
            run_scene(&scenes[i], argv[1], counts);
    fclose(counts);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display); // its threads would outlive the driver
    return 0;
}
