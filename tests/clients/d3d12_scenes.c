// SPDX-License-Identifier: MIT
// A Direct3D 12 program without a window, for vkd3d: draws what needs geometry shaders,
// tessellation and stream output, and writes what came out.
//
// usage: d3d12_scenes SHADERS OUT [SCENE]
//   SHADERS  a folder with each entry point of d3d_scenes.hlsl, compiled: ENTRY.dxbc
//   OUT      gets SCENE-LAYER.ppm for each scene and layer, and counts.txt with what the queries
//   counted
// Prints a line for each scene: its name, the milliseconds of its first frame, with all that is
// created for it, and those of a later frame, the shortest of several; a frame ends when its
// picture can be read.
#define COBJMACROS
#define INITGUID
#define WIDL_C_INLINE_WRAPPERS // for functions that return structures
#define VKD3D_UTILS_API_VERSION VKD3D_API_VERSION_1_2
#include <vkd3d_utils.h>

#include "d3d_common.h"

#define PIXELS_B ((size_t)SIZE * SIZE * 4)

// The scratch buffer of a scene: its words, as byte offsets.
#define FILLED_AT 0     // how many bytes are captured
#define NO_AT 8         // 0, a predicate
#define YES_AT 16       // 1
#define ARGUMENTS_AT 32 // of an indirect draw

// What all scenes share.
struct program {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12RootSignature *root;
    ID3D12CommandSignature *signature;
    ID3D12QueryHeap *statistics, *captures;
    ID3D12Resource *results; // of the queries
    ID3D12Fence *fence;
    HANDLE event;
    UINT64 submits;
    const char *shaders, *out;
    FILE *counts;
};

// What is created for one scene.
struct objects {
    ID3D12PipelineState *pipeline, *again; // the second draws what was captured
    ID3D12Resource *vertices, *indices, *words, *upload, *captured, *target, *staging;
    ID3D12DescriptorHeap *views;
};

#define RELEASE(object) ((object) ? (void)IUnknown_Release((IUnknown *)(object)) : (void)0)

static ID3D12Resource *create_resource(const struct program *program, D3D12_HEAP_TYPE heap,
                                       const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state)
{
    const D3D12_HEAP_PROPERTIES properties = {.Type = heap};
    ID3D12Resource *resource = NULL;
    check(ID3D12Device_CreateCommittedResource(program->device, &properties, D3D12_HEAP_FLAG_NONE,
                                               desc, state, NULL, &IID_ID3D12Resource,
                                               (void **)&resource),
          "resource");
    return resource;
}

// With DATA in it, if it is a buffer for uploads.
static ID3D12Resource *create_buffer(const struct program *program, D3D12_HEAP_TYPE heap,
                                     size_t size_B, D3D12_RESOURCE_STATES state, const void *data)
{
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                      .Width = size_B,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .SampleDesc = {1, 0},
                                      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
    ID3D12Resource *buffer = create_resource(program, heap, &desc, state);
    if (data) {
        void *mapped;
        check(ID3D12Resource_Map(buffer, 0, NULL, &mapped), "map");
        memcpy(mapped, data, size_B);
        ID3D12Resource_Unmap(buffer, 0, NULL);
    }
    return buffer;
}

static D3D12_SHADER_BYTECODE load_stage(const struct program *program, const char *entry,
                                        char code[MAX_CODE_B])
{
    if (!entry)
        return (D3D12_SHADER_BYTECODE){0};
    return (D3D12_SHADER_BYTECODE){code, load_code(program->shaders, entry, code)};
}

static D3D12_PRIMITIVE_TOPOLOGY_TYPE class_of(D3D_PRIMITIVE_TOPOLOGY topology)
{
    if (topology >= D3D_PRIMITIVE_TOPOLOGY_1_CONTROL_POINT_PATCHLIST)
        return D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
    switch (topology) {
    case D3D_PRIMITIVE_TOPOLOGY_POINTLIST:
        return D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT;
    case D3D_PRIMITIVE_TOPOLOGY_LINELIST_ADJ:
        return D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE;
    default:
        return D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    }
}

// The scene's pipeline, or the one that draws again what it captured.
static ID3D12PipelineState *create_pipeline(const struct program *program,
                                            const struct scene *scene, bool again)
{
    static char code[5][MAX_CODE_B];
    static const D3D12_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 16,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
    };
    static const D3D12_SO_DECLARATION_ENTRY entries[] = {{0, "POSITION", 0, 0, 4, 0},
                                                         {0, "COLOR", 0, 0, 4, 0}};
    static const UINT stride_B = sizeof(struct vertex);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = program->root,
        .VS = load_stage(program, again ? "vs_plain" : scene->vs, code[0]),
        .PS = load_stage(program, "ps_color", code[1]),
        .SampleMask = ~0u,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID,
                            .CullMode = D3D12_CULL_MODE_NONE,
                            .DepthClipEnable = TRUE},
        .InputLayout = {elements, 2},
        .PrimitiveTopologyType =
            again ? D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE : class_of(scene->topology),
        .NumRenderTargets = 1,
        .RTVFormats = {DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {1, 0},
    };
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
    if (!again) {
        desc.HS = load_stage(program, scene->hs, code[2]);
        desc.DS = load_stage(program, scene->ds, code[3]);
        desc.GS = load_stage(program, scene->gs, code[4]);
        if (scene->drawing >= DRAW_CAPTURED)
            desc.StreamOutput =
                (D3D12_STREAM_OUTPUT_DESC){entries, 2, &stride_B, 1, D3D12_SO_NO_RASTERIZED_STREAM};
    }
    ID3D12PipelineState *pipeline = NULL;
    check(ID3D12Device_CreateGraphicsPipelineState(program->device, &desc, &IID_ID3D12PipelineState,
                                                   (void **)&pipeline),
          "pipeline");
    return pipeline;
}

static void create_buffers(const struct program *program, const struct scene *scene,
                           struct objects *o)
{
    struct vertex vertices[MAX_VERTICES] = {0};
    UINT16 indices[MAX_VERTICES];
    UINT words[16] = {0};
    make_vertices(scene, vertices);
    for (UINT i = 0; i < MAX_VERTICES; ++i)
        indices[i] = (UINT16)(scene->vertices - 1 - i % scene->vertices);
    words[YES_AT / 4] = 1;
    words[ARGUMENTS_AT / 4] = scene->vertices;
    words[ARGUMENTS_AT / 4 + 1] = 1;
    o->vertices = create_buffer(program, D3D12_HEAP_TYPE_UPLOAD, sizeof(vertices),
                                D3D12_RESOURCE_STATE_GENERIC_READ, vertices);
    o->indices = create_buffer(program, D3D12_HEAP_TYPE_UPLOAD, sizeof(indices),
                               D3D12_RESOURCE_STATE_GENERIC_READ, indices);
    o->upload = create_buffer(program, D3D12_HEAP_TYPE_UPLOAD, sizeof(words),
                              D3D12_RESOURCE_STATE_GENERIC_READ, words);
    o->words = create_buffer(program, D3D12_HEAP_TYPE_DEFAULT, sizeof(words),
                             D3D12_RESOURCE_STATE_COPY_DEST, NULL);
    o->captured = create_buffer(program, D3D12_HEAP_TYPE_DEFAULT, 3 * sizeof(vertices),
                                D3D12_RESOURCE_STATE_STREAM_OUT, NULL);
}

static void create_target(const struct program *program, const struct scene *scene,
                          struct objects *o)
{
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                      .Width = SIZE,
                                      .Height = SIZE,
                                      .DepthOrArraySize = (UINT16)scene->layers,
                                      .MipLevels = 1,
                                      .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                      .SampleDesc = {1, 0},
                                      .Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0, 0};
    const D3D12_RENDER_TARGET_VIEW_DESC view = {.Format = desc.Format,
                                                .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
                                                .Texture2DArray = {.ArraySize = scene->layers}};
    o->target = create_resource(program, D3D12_HEAP_TYPE_DEFAULT, &desc,
                                D3D12_RESOURCE_STATE_RENDER_TARGET);
    o->staging = create_buffer(program, D3D12_HEAP_TYPE_READBACK, MAX_LAYERS * PIXELS_B,
                               D3D12_RESOURCE_STATE_COPY_DEST, NULL);
    check(ID3D12Device_CreateDescriptorHeap(program->device, &heap, &IID_ID3D12DescriptorHeap,
                                            (void **)&o->views),
          "views");
    ID3D12Device_CreateRenderTargetView(
        program->device, o->target, &view,
        ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(o->views));
}

static void destroy(const struct objects *o)
{
    RELEASE(o->pipeline);
    RELEASE(o->again);
    RELEASE(o->vertices);
    RELEASE(o->indices);
    RELEASE(o->words);
    RELEASE(o->upload);
    RELEASE(o->captured);
    RELEASE(o->target);
    RELEASE(o->staging);
    RELEASE(o->views);
}

static void change_state(ID3D12GraphicsCommandList *list, ID3D12Resource *resource,
                         D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after)
{
    const D3D12_RESOURCE_BARRIER barrier = {
        .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        .Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after}};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

static void set_vertices(ID3D12GraphicsCommandList *list, ID3D12Resource *buffer, size_t size_B)
{
    const D3D12_VERTEX_BUFFER_VIEW view = {ID3D12Resource_GetGPUVirtualAddress(buffer),
                                           (UINT)size_B, sizeof(struct vertex)};
    ID3D12GraphicsCommandList_IASetVertexBuffers(list, 0, 1, &view);
}

// Streams out what the geometry shader emits of two draws, the second behind the first, then draws
// that.
static void draw_captured(const struct program *program, const struct scene *scene,
                          const struct objects *o)
{
    ID3D12GraphicsCommandList *list = program->list;
    const size_t captured_B = 3 * MAX_VERTICES * sizeof(struct vertex);
    const UINT half = scene->vertices / 2;
    const D3D12_STREAM_OUTPUT_BUFFER_VIEW none = {0},
                                          view = {ID3D12Resource_GetGPUVirtualAddress(o->captured),
                                                  captured_B,
                                                  ID3D12Resource_GetGPUVirtualAddress(o->words) +
                                                      FILLED_AT};
    ID3D12GraphicsCommandList_SOSetTargets(list, 0, 1, &view);
    ID3D12GraphicsCommandList_DrawInstanced(list, half, 1, 0, 0);
    if (scene->drawing == DRAW_CAPTURED) {
        ID3D12GraphicsCommandList_SOSetTargets(list, 0, 1, &none);
        ID3D12GraphicsCommandList_SOSetTargets(list, 0, 1, &view);
    }
    ID3D12GraphicsCommandList_DrawInstanced(list, half, 1, half, 0);
    ID3D12GraphicsCommandList_SOSetTargets(list, 0, 1, &none);
    change_state(list, o->captured, D3D12_RESOURCE_STATE_STREAM_OUT,
                 D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER);
    ID3D12GraphicsCommandList_SetPipelineState(list, o->again);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    set_vertices(list, o->captured, captured_B);
    ID3D12GraphicsCommandList_DrawInstanced(list, 3 * scene->vertices, 1, 0, 0);
    change_state(list, o->captured, D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER,
                 D3D12_RESOURCE_STATE_STREAM_OUT);
}

// Draws the second half only.
static void draw_predicated(const struct program *program, const struct scene *scene,
                            const struct objects *o)
{
    ID3D12GraphicsCommandList *list = program->list;
    const UINT half = scene->vertices / 2;
    ID3D12GraphicsCommandList_SetPredication(list, o->words, NO_AT,
                                             D3D12_PREDICATION_OP_EQUAL_ZERO);
    ID3D12GraphicsCommandList_DrawInstanced(list, half, 1, 0, 0);
    ID3D12GraphicsCommandList_SetPredication(list, o->words, YES_AT,
                                             D3D12_PREDICATION_OP_EQUAL_ZERO);
    ID3D12GraphicsCommandList_DrawInstanced(list, half, 1, half, 0);
    ID3D12GraphicsCommandList_SetPredication(list, NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
}

static void set_state(const struct program *program, const struct scene *scene,
                      const struct objects *o)
{
    ID3D12GraphicsCommandList *list = program->list;
    const float black[4] = {0, 0, 0, 1};
    const D3D12_CPU_DESCRIPTOR_HANDLE view =
        ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(o->views);
    const D3D12_INDEX_BUFFER_VIEW indices = {ID3D12Resource_GetGPUVirtualAddress(o->indices),
                                             MAX_VERTICES * sizeof(UINT16), DXGI_FORMAT_R16_UINT};
    const float size = scene->viewports > 1 ? SIZE / 2 : SIZE;
    D3D12_VIEWPORT viewports[4];
    RECT scissors[4];
    for (UINT i = 0; i < scene->viewports; ++i) {
        viewports[i] =
            (D3D12_VIEWPORT){size * (float)(i % 2), size * (float)(i / 2), size, size, 0, 1};
        scissors[i] = (RECT){0, 0, SIZE, SIZE};
    }
    ID3D12GraphicsCommandList_ClearRenderTargetView(list, view, black, 0, NULL);
    ID3D12GraphicsCommandList_OMSetRenderTargets(list, 1, &view, FALSE, NULL);
    ID3D12GraphicsCommandList_RSSetViewports(list, scene->viewports, viewports);
    ID3D12GraphicsCommandList_RSSetScissorRects(list, scene->viewports, scissors);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, program->root);
    ID3D12GraphicsCommandList_SetPipelineState(list, o->pipeline);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, scene->topology);
    ID3D12GraphicsCommandList_IASetIndexBuffer(list, &indices);
    set_vertices(list, o->vertices, MAX_VERTICES * sizeof(struct vertex));
}

static void copy_picture(const struct program *program, const struct scene *scene,
                         const struct objects *o)
{
    change_state(program->list, o->target, D3D12_RESOURCE_STATE_RENDER_TARGET,
                 D3D12_RESOURCE_STATE_COPY_SOURCE);
    for (UINT layer = 0; layer < scene->layers; ++layer) {
        const D3D12_TEXTURE_COPY_LOCATION from = {.pResource = o->target,
                                                  .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                                  .SubresourceIndex = layer},
                                          to = {.pResource = o->staging,
                                                .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
                                                .PlacedFootprint = {layer * PIXELS_B,
                                                                    {DXGI_FORMAT_R8G8B8A8_UNORM,
                                                                     SIZE, SIZE, 1, SIZE * 4}}};
        ID3D12GraphicsCommandList_CopyTextureRegion(program->list, &to, 0, 0, 0, &from, NULL);
    }
    change_state(program->list, o->target, D3D12_RESOURCE_STATE_COPY_SOURCE,
                 D3D12_RESOURCE_STATE_RENDER_TARGET);
}

static void draw(const struct program *program, const struct scene *scene, const struct objects *o)
{
    ID3D12GraphicsCommandList *list = program->list;
    const D3D12_RESOURCE_STATES read = D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT,
                                words = scene->drawing >= DRAW_CAPTURED
                                            ? D3D12_RESOURCE_STATE_STREAM_OUT
                                            : read;
    ID3D12GraphicsCommandList_CopyBufferRegion(list, o->words, 0, o->upload, 0, 64);
    change_state(list, o->words, D3D12_RESOURCE_STATE_COPY_DEST, words);
    set_state(program, scene, o);
    switch (scene->drawing) {
    case DRAW:
        ID3D12GraphicsCommandList_DrawInstanced(list, scene->vertices, 1, 0, 0);
        break;
    case DRAW_INDEXED:
        ID3D12GraphicsCommandList_DrawIndexedInstanced(list, scene->vertices, 1, 0, 0, 0);
        break;
    case DRAW_INDIRECT:
        ID3D12GraphicsCommandList_ExecuteIndirect(list, program->signature, 1, o->words,
                                                  ARGUMENTS_AT, NULL, 0);
        break;
    case DRAW_PREDICATED:
        draw_predicated(program, scene, o);
        break;
    case DRAW_CAPTURED:
    case DRAW_STREAMED:
        draw_captured(program, scene, o);
        break;
    }
    change_state(list, o->words, words, D3D12_RESOURCE_STATE_COPY_DEST);
}

// Executes what was recorded, waits for it, and begins anew.
static void submit(struct program *program)
{
    ID3D12CommandList *list = (ID3D12CommandList *)program->list;
    check(ID3D12GraphicsCommandList_Close(program->list), "command list");
    ID3D12CommandQueue_ExecuteCommandLists(program->queue, 1, &list);
    check(ID3D12CommandQueue_Signal(program->queue, program->fence, ++program->submits), "signal");
    check(ID3D12Fence_SetEventOnCompletion(program->fence, program->submits, program->event),
          "fence");
    vkd3d_wait_event(program->event, VKD3D_INFINITE);
    check(ID3D12CommandAllocator_Reset(program->allocator), "allocator");
    check(ID3D12GraphicsCommandList_Reset(program->list, program->allocator, NULL), "command list");
}

static void write_pictures(const struct program *program, const struct scene *scene,
                           const struct objects *o)
{
    void *mapped;
    check(ID3D12Resource_Map(o->staging, 0, NULL, &mapped), "map");
    for (UINT layer = 0; layer < scene->layers; ++layer)
        write_picture(program->out, scene->name, layer, (char *)mapped + layer * PIXELS_B,
                      SIZE * 4);
    ID3D12Resource_Unmap(o->staging, 0, NULL);
}

// Draws once more, and writes what the queries say of it. Invocations of vertex, hull and domain
// shaders are the implementation's choice, so they are left out, as are those of pixel shaders
// behind tessellation.
static void count(struct program *program, const struct scene *scene, const struct objects *o)
{
    ID3D12GraphicsCommandList *list = program->list;
    const UINT so_at = sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS);
    char *mapped;
    ID3D12GraphicsCommandList_BeginQuery(list, program->statistics,
                                         D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
    ID3D12GraphicsCommandList_BeginQuery(list, program->captures,
                                         D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0, 0);
    draw(program, scene, o);
    ID3D12GraphicsCommandList_EndQuery(list, program->captures,
                                       D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0, 0);
    ID3D12GraphicsCommandList_EndQuery(list, program->statistics,
                                       D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
    ID3D12GraphicsCommandList_ResolveQueryData(
        list, program->statistics, D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 1, program->results, 0);
    ID3D12GraphicsCommandList_ResolveQueryData(list, program->captures,
                                               D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0, 0, 1,
                                               program->results, so_at);
    submit(program);
    check(ID3D12Resource_Map(program->results, 0, NULL, (void **)&mapped), "map");
    D3D12_QUERY_DATA_PIPELINE_STATISTICS pipeline;
    D3D12_QUERY_DATA_SO_STATISTICS so;
    memcpy(&pipeline, mapped, sizeof(pipeline));
    memcpy(&so, mapped + so_at, sizeof(so));
    ID3D12Resource_Unmap(program->results, 0, NULL);
    fprintf(program->counts,
            "%s: read %u vertices %u primitives, GS %u run %u emitted, rasterizer %u, captured %u "
            "of %u\n",
            scene->name, (unsigned)pipeline.IAVertices, (unsigned)pipeline.IAPrimitives,
            (unsigned)pipeline.GSInvocations, (unsigned)pipeline.GSPrimitives,
            (unsigned)pipeline.CInvocations, (unsigned)so.NumPrimitivesWritten,
            (unsigned)so.PrimitivesStorageNeeded);
}

static void run_scene(struct program *program, const struct scene *scene)
{
    struct objects o = {0};
    double start_ms = now_ms();
    o.pipeline = create_pipeline(program, scene, false);
    if (scene->drawing >= DRAW_CAPTURED)
        o.again = create_pipeline(program, scene, true);
    create_buffers(program, scene, &o);
    create_target(program, scene, &o);
    draw(program, scene, &o);
    copy_picture(program, scene, &o);
    submit(program);
    double first_ms = now_ms() - start_ms, frame_ms = 1e9;
    for (int i = 0; i < MAX_FRAMES; ++i) {
        start_ms = now_ms();
        for (unsigned j = 0; j < frames_at_once(); ++j) {
            draw(program, scene, &o);
            copy_picture(program, scene, &o);
            submit(program);
        }
        double ms = (now_ms() - start_ms) / frames_at_once();
        frame_ms = ms < frame_ms ? ms : frame_ms;
    }
    write_pictures(program, scene, &o);
    count(program, scene, &o);
    printf("%s %.1f %.2f\n", scene->name, first_ms, frame_ms);
    fflush(stdout);
    destroy(&o);
}

#define CREATE(FUNCTION, TYPE, OBJECT, ...)                                                        \
    check(ID3D12Device_##FUNCTION(program->device, __VA_ARGS__, &IID_##TYPE, (void **)(OBJECT)),   \
          #FUNCTION)

static void create_root(struct program *program)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {
        .Flags = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT |
                 D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT};
    ID3DBlob *blob = NULL;
    check(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL),
          "root signature");
    CREATE(CreateRootSignature, ID3D12RootSignature, &program->root, 0,
           ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob));
    RELEASE(blob);
}

static void create_program(struct program *program)
{
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW};
    const D3D12_COMMAND_SIGNATURE_DESC signature = {sizeof(D3D12_DRAW_ARGUMENTS), 1, &argument, 0};
    const D3D12_QUERY_HEAP_DESC statistics = {D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1, 0},
                                captures = {D3D12_QUERY_HEAP_TYPE_SO_STATISTICS, 1, 0};
    check(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                            (void **)&program->device),
          "D3D12CreateDevice");
    create_root(program);
    CREATE(CreateCommandQueue, ID3D12CommandQueue, &program->queue, &queue);
    CREATE(CreateCommandAllocator, ID3D12CommandAllocator, &program->allocator,
           D3D12_COMMAND_LIST_TYPE_DIRECT);
    CREATE(CreateCommandList, ID3D12GraphicsCommandList, &program->list, 0,
           D3D12_COMMAND_LIST_TYPE_DIRECT, program->allocator, NULL);
    CREATE(CreateCommandSignature, ID3D12CommandSignature, &program->signature, &signature, NULL);
    CREATE(CreateQueryHeap, ID3D12QueryHeap, &program->statistics, &statistics);
    CREATE(CreateQueryHeap, ID3D12QueryHeap, &program->captures, &captures);
    CREATE(CreateFence, ID3D12Fence, &program->fence, 0, D3D12_FENCE_FLAG_NONE);
    program->event = vkd3d_create_event();
    program->results =
        create_buffer(program, D3D12_HEAP_TYPE_READBACK, 256, D3D12_RESOURCE_STATE_COPY_DEST, NULL);
}

int main(int argc, char **argv)
{
    struct program program = {0};
    char path[1024];
    if (argc < 3) {
        fprintf(stderr, "usage: d3d12_scenes SHADERS OUT [SCENE]\n");
        return 2;
    }
    program.shaders = argv[1];
    program.out = argv[2];
    create_program(&program);
    snprintf(path, sizeof(path), "%s/counts.txt", program.out);
    program.counts = fopen(path, "w");
    check(program.counts ? S_OK : E_FAIL, path);
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); ++i)
        if (!is_skipped(scenes[i].name) && (argc < 4 || strcmp(argv[3], scenes[i].name) == 0))
            run_scene(&program, &scenes[i]);
    fclose(program.counts);
    RELEASE(program.results);
    RELEASE(program.statistics);
    RELEASE(program.captures);
    RELEASE(program.signature);
    RELEASE(program.root);
    RELEASE(program.list);
    RELEASE(program.allocator);
    RELEASE(program.fence);
    RELEASE(program.queue);
    RELEASE(program.device);
    vkd3d_destroy_event(program.event);
    return 0;
}
