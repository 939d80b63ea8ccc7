// SPDX-License-Identifier: MIT
// A Direct3D 11 program without a window, for DXVK: draws what needs geometry shaders, tessellation
// and stream output, and writes what came out.
//
// usage: d3d11_scenes SHADERS OUT [SCENE]
//   SHADERS  a folder with each entry point of d3d_scenes.hlsl, compiled: ENTRY.dxbc
//   OUT      gets SCENE-LAYER.ppm for each scene and layer, and counts.txt with what the queries
//   counted
// Prints a line for each scene: its name, the milliseconds of its first frame, with all that is
// created for it, and those of a later frame, the shortest of several; a frame ends when its
// picture can be read.
#define COBJMACROS
#define INITGUID
#include <d3d11.h>

#include "d3d_common.h"

// What all scenes share.
struct program {
    ID3D11Device *device;
    ID3D11DeviceContext *context;
    ID3D11Query *statistics, *captures;
    ID3D11Predicate *nothing;
    const char *shaders, *out;
    FILE *counts;
};

// What is created for one scene.
struct objects {
    ID3D11VertexShader *vs;
    ID3D11HullShader *hs;
    ID3D11DomainShader *ds;
    ID3D11GeometryShader *gs;
    ID3D11VertexShader *vs_again; // draws what was captured
    ID3D11PixelShader *ps;
    ID3D11InputLayout *layout;
    ID3D11Buffer *vertices, *indices, *arguments, *captured;
    ID3D11Texture2D *target, *staging;
    ID3D11RenderTargetView *view;
    ID3D11RasterizerState *rasterizer;
};

static void create_geometry_shader(const struct program *program, const struct scene *scene,
                                   struct objects *o)
{
    static char code[MAX_CODE_B];
    const D3D11_SO_DECLARATION_ENTRY entries[] = {{0, "POSITION", 0, 0, 4, 0},
                                                  {0, "COLOR", 0, 0, 4, 0}};
    const UINT stride_B = sizeof(struct vertex);
    SIZE_T size_B = load_code(program->shaders, scene->gs, code);
    if (scene->drawing >= DRAW_CAPTURED)
        check(ID3D11Device_CreateGeometryShaderWithStreamOutput(
                  program->device, code, size_B, entries, 2, &stride_B, 1,
                  D3D11_SO_NO_RASTERIZED_STREAM, NULL, &o->gs),
              scene->gs);
    else
        check(ID3D11Device_CreateGeometryShader(program->device, code, size_B, NULL, &o->gs),
              scene->gs);
}

static void create_shaders(const struct program *program, const struct scene *scene,
                           struct objects *o)
{
    static char code[MAX_CODE_B];
    const D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 16, D3D11_INPUT_PER_VERTEX_DATA, 0},
    };
    SIZE_T size_B = load_code(program->shaders, "vs_plain", code);
    check(ID3D11Device_CreateVertexShader(program->device, code, size_B, NULL, &o->vs_again),
          "vs_plain");
    size_B = load_code(program->shaders, scene->vs, code);
    check(ID3D11Device_CreateVertexShader(program->device, code, size_B, NULL, &o->vs), scene->vs);
    check(ID3D11Device_CreateInputLayout(program->device, elements, 2, code, size_B, &o->layout),
          "input layout");
    size_B = load_code(program->shaders, "ps_color", code);
    check(ID3D11Device_CreatePixelShader(program->device, code, size_B, NULL, &o->ps), "ps_color");
    if (scene->hs) {
        size_B = load_code(program->shaders, scene->hs, code);
        check(ID3D11Device_CreateHullShader(program->device, code, size_B, NULL, &o->hs),
              scene->hs);
        size_B = load_code(program->shaders, scene->ds, code);
        check(ID3D11Device_CreateDomainShader(program->device, code, size_B, NULL, &o->ds),
              scene->ds);
    }
    if (scene->gs)
        create_geometry_shader(program, scene, o);
}

static ID3D11Buffer *create_buffer(const struct program *program, UINT size_B, UINT bind, UINT misc,
                                   const void *data)
{
    const D3D11_BUFFER_DESC desc = {size_B, D3D11_USAGE_DEFAULT, bind, 0, misc, 0};
    const D3D11_SUBRESOURCE_DATA initial = {data, 0, 0};
    ID3D11Buffer *buffer = NULL;
    check(ID3D11Device_CreateBuffer(program->device, &desc, data ? &initial : NULL, &buffer),
          "buffer");
    return buffer;
}

static void create_buffers(const struct program *program, const struct scene *scene,
                           struct objects *o)
{
    struct vertex vertices[MAX_VERTICES] = {0};
    UINT16 indices[MAX_VERTICES];
    const UINT arguments[4] = {scene->vertices, 1, 0, 0};
    make_vertices(scene, vertices);
    for (UINT i = 0; i < MAX_VERTICES; ++i)
        indices[i] = (UINT16)(scene->vertices - 1 - i % scene->vertices);
    o->vertices = create_buffer(program, sizeof(vertices), D3D11_BIND_VERTEX_BUFFER, 0, vertices);
    o->indices = create_buffer(program, sizeof(indices), D3D11_BIND_INDEX_BUFFER, 0, indices);
    o->arguments = create_buffer(program, sizeof(arguments), 0,
                                 D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS, arguments);
    o->captured = create_buffer(program, 3 * sizeof(vertices),
                                D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_STREAM_OUTPUT, 0, NULL);
}

static void create_target(const struct program *program, const struct scene *scene,
                          struct objects *o)
{
    D3D11_TEXTURE2D_DESC desc = {SIZE,
                                 SIZE,
                                 1,
                                 scene->layers,
                                 DXGI_FORMAT_R8G8B8A8_UNORM,
                                 {1, 0},
                                 D3D11_USAGE_DEFAULT,
                                 D3D11_BIND_RENDER_TARGET,
                                 0,
                                 0};
    check(ID3D11Device_CreateTexture2D(program->device, &desc, NULL, &o->target), "target");
    check(ID3D11Device_CreateRenderTargetView(program->device, (ID3D11Resource *)o->target, NULL,
                                              &o->view),
          "view");
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    check(ID3D11Device_CreateTexture2D(program->device, &desc, NULL, &o->staging), "staging");
    const D3D11_RASTERIZER_DESC rasterizer = {
        .FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_NONE, .DepthClipEnable = TRUE};
    check(ID3D11Device_CreateRasterizerState(program->device, &rasterizer, &o->rasterizer),
          "rasterizer");
}

#define RELEASE(object) ((object) ? (void)IUnknown_Release((IUnknown *)(object)) : (void)0)

static void destroy(const struct objects *o)
{
    RELEASE(o->vs);
    RELEASE(o->hs);
    RELEASE(o->ds);
    RELEASE(o->gs);
    RELEASE(o->vs_again);
    RELEASE(o->ps);
    RELEASE(o->layout);
    RELEASE(o->vertices);
    RELEASE(o->indices);
    RELEASE(o->arguments);
    RELEASE(o->captured);
    RELEASE(o->target);
    RELEASE(o->staging);
    RELEASE(o->view);
    RELEASE(o->rasterizer);
}

static void set_viewports(ID3D11DeviceContext *context, UINT count)
{
    D3D11_VIEWPORT viewports[4];
    const float size = count > 1 ? SIZE / 2 : SIZE;
    for (UINT i = 0; i < count; ++i)
        viewports[i] =
            (D3D11_VIEWPORT){size * (float)(i % 2), size * (float)(i / 2), size, size, 0, 1};
    ID3D11DeviceContext_RSSetViewports(context, count, viewports);
}

static void set_vertices(ID3D11DeviceContext *context, ID3D11Buffer *buffer)
{
    const UINT stride_B = sizeof(struct vertex), offset_B = 0;
    ID3D11DeviceContext_IASetVertexBuffers(context, 0, 1, &buffer, &stride_B, &offset_B);
}

// Streams out what the geometry shader emits, then draws that.
static void draw_captured(const struct program *program, const struct scene *scene,
                          const struct objects *o)
{
    ID3D11DeviceContext *context = program->context;
    ID3D11Buffer *const none = NULL;
    const UINT offset_B = 0;
    ID3D11DeviceContext_SOSetTargets(context, 1, &o->captured, &offset_B);
    ID3D11DeviceContext_Draw(context, scene->vertices, 0);
    ID3D11DeviceContext_SOSetTargets(context, 1, &none, &offset_B);
    ID3D11DeviceContext_GSSetShader(context, NULL, NULL, 0);
    ID3D11DeviceContext_VSSetShader(context, o->vs_again, NULL, 0);
    ID3D11DeviceContext_IASetPrimitiveTopology(context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    set_vertices(context, o->captured);
    if (scene->drawing == DRAW_CAPTURED)
        ID3D11DeviceContext_DrawAuto(context);
    else
        ID3D11DeviceContext_Draw(context, 3 * scene->vertices, 0);
}

// Draws the first half if something was visible, which it is not, and the second if nothing was.
static void draw_predicated(const struct program *program, const struct scene *scene)
{
    ID3D11DeviceContext *context = program->context;
    const UINT half = scene->vertices / 2;
    ID3D11DeviceContext_Begin(context, (ID3D11Asynchronous *)program->nothing);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)program->nothing);
    ID3D11DeviceContext_SetPredication(context, program->nothing, FALSE);
    ID3D11DeviceContext_Draw(context, half, 0);
    ID3D11DeviceContext_SetPredication(context, program->nothing, TRUE);
    ID3D11DeviceContext_Draw(context, half, half);
    ID3D11DeviceContext_SetPredication(context, NULL, FALSE);
}

static void draw(const struct program *program, const struct scene *scene, const struct objects *o)
{
    ID3D11DeviceContext *context = program->context;
    const float black[4] = {0, 0, 0, 1};
    ID3D11DeviceContext_ClearState(context);
    ID3D11DeviceContext_ClearRenderTargetView(context, o->view, black);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &o->view, NULL);
    ID3D11DeviceContext_RSSetState(context, o->rasterizer);
    set_viewports(context, scene->viewports);
    ID3D11DeviceContext_VSSetShader(context, o->vs, NULL, 0);
    ID3D11DeviceContext_HSSetShader(context, o->hs, NULL, 0);
    ID3D11DeviceContext_DSSetShader(context, o->ds, NULL, 0);
    ID3D11DeviceContext_GSSetShader(context, o->gs, NULL, 0);
    ID3D11DeviceContext_PSSetShader(context, o->ps, NULL, 0);
    ID3D11DeviceContext_IASetInputLayout(context, o->layout);
    ID3D11DeviceContext_IASetPrimitiveTopology(context, scene->topology);
    ID3D11DeviceContext_IASetIndexBuffer(context, o->indices, DXGI_FORMAT_R16_UINT, 0);
    set_vertices(context, o->vertices);
    switch (scene->drawing) {
    case DRAW:
        ID3D11DeviceContext_Draw(context, scene->vertices, 0);
        break;
    case DRAW_INDEXED:
        ID3D11DeviceContext_DrawIndexed(context, scene->vertices, 0, 0);
        break;
    case DRAW_INDIRECT:
        ID3D11DeviceContext_DrawInstancedIndirect(context, o->arguments, 0);
        break;
    case DRAW_PREDICATED:
        draw_predicated(program, scene);
        break;
    case DRAW_CAPTURED:
    case DRAW_STREAMED:
        draw_captured(program, scene, o);
        break;
    }
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)o->staging,
                                     (ID3D11Resource *)o->target);
}

// Waits for the picture; writes it as well, if it is to be kept.
static void read_back(const struct program *program, const struct scene *scene,
                      const struct objects *o, bool keep)
{
    for (UINT layer = 0; layer < scene->layers; ++layer) {
        D3D11_MAPPED_SUBRESOURCE mapped;
        check(ID3D11DeviceContext_Map(program->context, (ID3D11Resource *)o->staging, layer,
                                      D3D11_MAP_READ, 0, &mapped),
              "map");
        if (keep)
            write_picture(program->out, scene->name, layer, mapped.pData, mapped.RowPitch);
        ID3D11DeviceContext_Unmap(program->context, (ID3D11Resource *)o->staging, layer);
    }
}

static void wait_for_query(const struct program *program, ID3D11Query *query, void *data,
                           UINT size_B)
{
    HRESULT result;
    while ((result = ID3D11DeviceContext_GetData(program->context, (ID3D11Asynchronous *)query,
                                                 data, size_B, 0)) == S_FALSE)
        Sleep(0);
    check(result, "query");
}

// Draws once more, and writes what the queries say of it. Invocations of vertex, hull and domain
// shaders are the implementation's choice, so they are left out, as are those of pixel shaders
// behind tessellation.
static void count(const struct program *program, const struct scene *scene, const struct objects *o)
{
    D3D11_QUERY_DATA_SO_STATISTICS so;
    D3D11_QUERY_DATA_PIPELINE_STATISTICS pipeline;
    ID3D11DeviceContext_Begin(program->context, (ID3D11Asynchronous *)program->statistics);
    ID3D11DeviceContext_Begin(program->context, (ID3D11Asynchronous *)program->captures);
    draw(program, scene, o);
    ID3D11DeviceContext_End(program->context, (ID3D11Asynchronous *)program->captures);
    ID3D11DeviceContext_End(program->context, (ID3D11Asynchronous *)program->statistics);
    wait_for_query(program, program->captures, &so, sizeof(so));
    wait_for_query(program, program->statistics, &pipeline, sizeof(pipeline));
    fprintf(program->counts,
            "%s: read %u vertices %u primitives, GS %u run %u emitted, rasterizer %u, captured %u "
            "of %u\n",
            scene->name, (unsigned)pipeline.IAVertices, (unsigned)pipeline.IAPrimitives,
            (unsigned)pipeline.GSInvocations, (unsigned)pipeline.GSPrimitives,
            (unsigned)pipeline.CInvocations, (unsigned)so.NumPrimitivesWritten,
            (unsigned)so.PrimitivesStorageNeeded);
}

static void run_scene(const struct program *program, const struct scene *scene, struct objects *o)
{
    double start_ms = now_ms();
    create_shaders(program, scene, o);
    create_buffers(program, scene, o);
    create_target(program, scene, o);
    draw(program, scene, o);
    read_back(program, scene, o, false);
    double first_ms = now_ms() - start_ms, frame_ms = 1e9;
    for (int i = 0; i < MAX_FRAMES; ++i) {
        start_ms = now_ms();
        for (unsigned j = 0; j < frames_at_once(); ++j) {
            draw(program, scene, o);
            read_back(program, scene, o, false);
        }
        double ms = (now_ms() - start_ms) / frames_at_once();
        frame_ms = ms < frame_ms ? ms : frame_ms;
    }
    read_back(program, scene, o, true);
    count(program, scene, o);
    printf("%s %.1f %.2f\n", scene->name, first_ms, frame_ms);
    fflush(stdout);
}

// Whether the objects of a scene live until all scenes are drawn, by PGS_CLIENT_KEEP: wined3d 10
// draws with the pipeline of destroyed shaders where others have their addresses.
static void run_scenes(const struct program *program, const char *name)
{
    static struct objects objects[sizeof(scenes) / sizeof(*scenes)];
    const bool keeps = getenv("PGS_CLIENT_KEEP");
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); ++i) {
        if (is_skipped(scenes[i].name) || (name && strcmp(name, scenes[i].name) != 0))
            continue;
        run_scene(program, &scenes[i], &objects[i]);
        if (!keeps)
            destroy(&objects[i]);
    }
    for (size_t i = 0; keeps && i < sizeof(scenes) / sizeof(*scenes); ++i)
        destroy(&objects[i]);
}

int main(int argc, char **argv)
{
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    struct program program = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: d3d11_scenes SHADERS OUT [SCENE]\n");
        return 2;
    }
    program.shaders = argv[1];
    program.out = argv[2];
    check(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, &level, 1, D3D11_SDK_VERSION,
                            &program.device, NULL, &program.context),
          "D3D11CreateDevice");
    const D3D11_QUERY_DESC statistics = {D3D11_QUERY_PIPELINE_STATISTICS, 0},
                           captures = {D3D11_QUERY_SO_STATISTICS, 0},
                           nothing = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
    check(ID3D11Device_CreatePredicate(program.device, &nothing, &program.nothing), "predicate");
    check(ID3D11Device_CreateQuery(program.device, &statistics, &program.statistics), "query");
    check(ID3D11Device_CreateQuery(program.device, &captures, &program.captures), "query");
    char path[1024];
    snprintf(path, sizeof(path), "%s/counts.txt", program.out);
    program.counts = fopen(path, "w");
    check(program.counts ? S_OK : E_FAIL, path);
    run_scenes(&program, argc < 4 ? NULL : argv[3]);
    fclose(program.counts);
    RELEASE(program.statistics);
    RELEASE(program.captures);
    RELEASE(program.nothing);
    RELEASE(program.context);
    RELEASE(program.device);
    return 0;
}
