// SPDX-License-Identifier: MIT
// An OpenSceneGraph program, for zink: scene graphs whose shaders make billboards of points, outlines
// of triangles and hills of patches, and one without, each in a pbuffer.
//
// usage: osg_scenes OUT
//   OUT  gets SCENE-0.ppm for each scene and counts.txt, with the names of the scenes
// Prints what the driver is, after #, and for each scene the milliseconds of its first frame and of a later one.
#include <osg/BlendFunc>
#include <osg/GL2Extensions>
#include <osg/Geode>
#include <osg/Geometry>
#include <osg/PatchParameter>
#include <osg/Program>
#include <osg/ShapeDrawable>
#include <osgViewer/Viewer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

enum { SIZE = 256, FRAMES = 5 };

static const char vertex[] = R"(#version 150 compatibility
out vec4 tint;
void main() { tint = gl_Color; gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }
)";

static const char fragment[] = R"(#version 150 compatibility
in vec4 color;
void main() { gl_FragColor = color; }
)";

// The corners of a billboard face the camera; OpenSceneGraph sets the matrices.
static const char billboards[] = R"(#version 150 compatibility
layout(points) in; layout(triangle_strip, max_vertices = 4) out;
uniform float size;
in vec4 tint[]; out vec4 color;
void main() {
  for (int i = 0; i < 4; ++i) {
    color = i < 2 ? tint[0] : vec4(1);
    gl_Position = gl_in[0].gl_Position + gl_ProjectionMatrix * vec4(size * vec2(i >> 1, i & 1), 0, 0);
    EmitVertex();
  }
}
)";

static const char outlines[] = R"(#version 150 compatibility
layout(triangles) in; layout(line_strip, max_vertices = 4) out;
in vec4 tint[]; out vec4 color;
void main() {
  for (int i = 0; i < 4; ++i) {
    color = tint[i % 3];
    gl_Position = gl_in[i % 3].gl_Position;
    EmitVertex();
  }
}
)";

static const char control[] = R"(#version 400 compatibility
layout(vertices = 4) out;
in vec4 tint[]; out vec4 tint_of_corner[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  tint_of_corner[gl_InvocationID] = tint[gl_InvocationID];
  gl_TessLevelOuter = float[](8, 8, 8, 8);
  gl_TessLevelInner = float[](8, 8);
}
)";

static const char evaluation[] = R"(#version 400 compatibility
layout(quads) in;
in vec4 tint_of_corner[]; out vec4 color;
vec4 mixed(vec4 a, vec4 b, vec4 c, vec4 d) {
  return mix(mix(a, b, gl_TessCoord.x), mix(c, d, gl_TessCoord.x), gl_TessCoord.y);
}
void main() {
  vec4 at = mixed(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_in[2].gl_Position, gl_in[3].gl_Position);
  at.y += 0.3 * at.w * sin(6.0 * gl_TessCoord.x) * sin(6.0 * gl_TessCoord.y);
  color = mixed(tint_of_corner[0], tint_of_corner[1], tint_of_corner[2], tint_of_corner[3]);
  gl_Position = at;
}
)";

struct pixels_saver : osg::Camera::DrawCallback {
    osg::ref_ptr<osg::Image> image = new osg::Image;
    std::string driver;

    void operator()(osg::RenderInfo &info) const override
    {
        image->readPixels(0, 0, SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE);
        const char *renderer = reinterpret_cast<const char *>(glGetString(GL_RENDERER));
        const char *version = reinterpret_cast<const char *>(glGetString(GL_VERSION));
        const_cast<pixels_saver *>(this)->driver = std::string(renderer) + "; " + version;
        (void)info;
    }
};

struct scene {
    const char *name;
    osg::Node *(*make)(void);
};

static osg::Program *program_of(std::initializer_list<std::pair<osg::Shader::Type, const char *>> stages)
{
    osg::Program *program = new osg::Program;
    for (const auto &stage : stages)
        program->addShader(new osg::Shader(stage.first, stage.second));
    return program;
}

static float random_at(int i)
{
    return ((i * 7919 + i * i * 31 + 13) % 1009) / 1009.0f;
}

// `vertices` around the origin, as primitives of `mode`, drawn with `program`.
static osg::Geode *geode_of(osg::Vec3Array *vertices, GLenum mode, osg::Program *program)
{
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    osg::ref_ptr<osg::Vec4Array> colors = new osg::Vec4Array;
    for (unsigned i = 0; i < vertices->size(); ++i)
        colors->push_back(osg::Vec4(random_at(3 * i), random_at(3 * i + 1), random_at(3 * i + 2), 1));
    geometry->setUseDisplayList(false);
    geometry->setUseVertexBufferObjects(true);
    geometry->setVertexArray(vertices);
    geometry->setColorArray(colors, osg::Array::BIND_PER_VERTEX);
    geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, vertices->size()));
    osg::Geode *geode = new osg::Geode;
    geode->addDrawable(geometry);
    osg::StateSet *state = geode->getOrCreateStateSet();
    state->setAttributeAndModes(program);
    state->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    return geode;
}

static osg::Vec3Array *cloud(int count)
{
    osg::Vec3Array *vertices = new osg::Vec3Array;
    for (int i = 0; i < count; ++i)
        vertices->push_back(osg::Vec3(2 * random_at(i) - 1, 2 * random_at(i + 500) - 1, 2 * random_at(i + 900) - 1));
    return vertices;
}

static osg::Node *make_plain(void)
{
    osg::Geode *geode = new osg::Geode;
    geode->addDrawable(new osg::ShapeDrawable(new osg::Sphere(osg::Vec3(), 1)));
    return geode;
}

static osg::Node *make_billboards(void)
{
    osg::Program *program = program_of({{osg::Shader::VERTEX, vertex}, {osg::Shader::GEOMETRY, billboards}, {osg::Shader::FRAGMENT, fragment}});
    osg::Geode *geode = geode_of(cloud(200), GL_POINTS, program);
    geode->getOrCreateStateSet()->addUniform(new osg::Uniform("size", 0.15f));
    return geode;
}

static osg::Node *make_outlines(void)
{
    return geode_of(cloud(96), GL_TRIANGLES,
                    program_of({{osg::Shader::VERTEX, vertex}, {osg::Shader::GEOMETRY, outlines}, {osg::Shader::FRAGMENT, fragment}}));
}

static osg::Node *make_tessellated(void)
{
    osg::Vec3Array *corners = new osg::Vec3Array;
    for (int i = 0; i < 4; ++i)
        corners->push_back(osg::Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 2 ? 0.5f : -0.5f));
    osg::Geode *geode = geode_of(corners, GL_PATCHES,
                                 program_of({{osg::Shader::VERTEX, vertex},
                                             {osg::Shader::TESSCONTROL, control},
                                             {osg::Shader::TESSEVALUATION, evaluation},
                                             {osg::Shader::FRAGMENT, fragment}}));
    geode->getOrCreateStateSet()->setAttribute(new osg::PatchParameter(4));
    return geode;
}

static osg::GraphicsContext *make_pbuffer(void)
{
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->width = traits->height = SIZE;
    traits->pbuffer = true;
    traits->doubleBuffer = false;
    traits->readDISPLAY();
    traits->setUndefinedScreenDetailsToDefaultScreen();
    return osg::GraphicsContext::createGraphicsContext(traits);
}

static void write_picture(const std::string &path, const osg::Image &image)
{
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << SIZE << " " << SIZE << "\n255\n";
    for (int y = SIZE - 1; y >= 0; --y)
        file.write(reinterpret_cast<const char *>(image.data(0, y)), 3 * SIZE);
}

static double frame_ms(osgViewer::Viewer &viewer)
{
    osg::Timer_t start = osg::Timer::instance()->tick();
    viewer.frame();
    return osg::Timer::instance()->delta_m(start, osg::Timer::instance()->tick());
}

// False if there is no context.
static bool run(const scene &scene, const std::string &out, bool is_first)
{
    osg::ref_ptr<osg::GraphicsContext> context = make_pbuffer();
    if (!context)
        return false;
    osgViewer::Viewer viewer;
    osg::ref_ptr<pixels_saver> saver = new pixels_saver;
    osg::Camera *camera = viewer.getCamera();
    camera->setGraphicsContext(context);
    camera->setViewport(0, 0, SIZE, SIZE);
    camera->setDrawBuffer(GL_FRONT);
    camera->setReadBuffer(GL_FRONT);
    camera->setClearColor(osg::Vec4(0, 0, 0, 1));
    camera->setProjectionMatrixAsPerspective(40, 1, 1, 20);
    camera->setViewMatrixAsLookAt(osg::Vec3(1, -5, 2), osg::Vec3(), osg::Vec3(0, 0, 1));
    camera->setComputeNearFarMode(osg::Camera::DO_NOT_COMPUTE_NEAR_FAR);
    camera->setFinalDrawCallback(saver);
    viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    viewer.setSceneData(scene.make());
    viewer.realize();

    double first_ms = frame_ms(viewer), later_ms = first_ms;
    for (int i = 0; i < FRAMES; ++i)
        later_ms = std::min(later_ms, frame_ms(viewer));
    if (is_first)
        std::printf("# %s\n", saver->driver.c_str());
    std::printf("%s %.1f %.2f\n", scene.name, first_ms, later_ms);
    write_picture(out + "/" + scene.name + "-0.ppm", *saver->image);
    return true;
}

int main(int argc, char **argv)
{
    static const scene scenes[] = {
        {"plain", make_plain}, {"billboards", make_billboards}, {"outlines", make_outlines}, {"tessellated", make_tessellated}};
    if (argc != 2)
        return std::fprintf(stderr, "usage: osg_scenes OUT\n"), EXIT_FAILURE;
    std::ofstream counts(argv[1] + std::string("/counts.txt"));
    for (const scene &scene : scenes) {
        if (!run(scene, argv[1], &scene == scenes))
            return std::fprintf(stderr, "osg_scenes: no pbuffer\n"), EXIT_FAILURE;
        counts << scene.name << ": drawn\n";
    }
    return EXIT_SUCCESS;
}
