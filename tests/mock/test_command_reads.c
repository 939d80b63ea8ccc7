/* SPDX-License-Identifier: MIT
 *
 * Captures over what draws of the same pass have read in it, in the command module on a fake
 * driver, draw module and pipeline module: where a pass has to be parted, and where it need not be.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_captured.h"

/* --- The driver --- */

enum { BUFFER_B = 256, IMAGE_B = 512 };

static VkResult create_image(VkDevice d, const VkImageCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkImage *image)
{
    (void)d, (void)info, (void)allocator;
    *image = HANDLE(VkImage, 1); /* as a buffer's, too */
    return VK_SUCCESS;
}

static void image_needs(VkDevice d, VkImage image, VkMemoryRequirements *needs)
{
    (void)d, (void)image;
    *needs = (VkMemoryRequirements){.size = IMAGE_B};
}

static void begin_condition(VkCommandBuffer cb, const VkConditionalRenderingBeginInfoEXT *info)
{
    (void)cb;
    note("begin condition %u", (unsigned)(uintptr_t)info->buffer);
}

static void note_barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    (void)cb, (void)info;
    note("barrier");
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset, uint32_t size, const void *values)
{
    (void)cb, (void)layout, (void)stages, (void)offset, (void)size;
    note("push %u", *(const uint32_t *)values);
}

/* --- Set-up --- */

static VkCommandBuffer second, third;

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    fake_shades = fake_merges = false;
    foreign = VK_NULL_HANDLE;
    fakes_reset(0);
    dev = (struct pgs_device){
        .physical = &physical,
        .active = true,
        .xfb = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                FAKE_BUFFER_DISPATCH,
                .CreateImage = create_image,
                .DestroyImage = fake_DestroyImage,
                .GetImageMemoryRequirements = image_needs,
                .BindImageMemory = fake_BindImageMemory,
                .CmdBeginConditionalRenderingEXT = begin_condition,
                .CmdPipelineBarrier = note_barrier,
                .CmdPipelineBarrier2 = note_barrier2,
                .CmdPushConstants = push_constants,
                .CmdBindVertexBuffers = fake_CmdBindVertexBuffers,
                .CmdBindDescriptorSets = fake_CmdBindDescriptorSets,
            },
    };
    if (open_commands() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    third = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    fakes.handles = 0; /* from here on they are all buffers */
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    destroy_buffers();
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &third);
    return close_commands();
}

#define MEMORY HANDLE(VkDeviceMemory, 7)

static VkBuffer create_application_buffer(VkBufferUsageFlags usage, VkBufferCreateFlags flags)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = flags,
        .size = BUFFER_B,
        .usage = usage | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
    };
    VkBuffer buffer;
    assert_int_equal(pgs_CreateBuffer(dev.handle, &info, NULL, &buffer), VK_SUCCESS);
    return buffer;
}

static VkBuffer make_buffer(VkBufferUsageFlags usage, VkDeviceSize offset_B)
{
    const VkBuffer buffer = create_application_buffer(usage, 0);
    assert_int_equal(pgs_BindBufferMemory(dev.handle, buffer, MEMORY, offset_B), VK_SUCCESS);
    return buffer;
}

static VkBuffer make_sparse_buffer(VkBufferUsageFlags usage)
{
    return create_application_buffer(usage, VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
}

static VkImage make_image(VkImageUsageFlags usage, VkImageCreateFlags flags)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .flags = flags, .usage = usage};
    VkImage image;
    assert_int_equal(pgs_CreateImage(dev.handle, &info, NULL, &image), VK_SUCCESS);
    return image;
}

static void begin_dynamic(VkRenderingFlags flags)
{
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags, .layerCount = 1};
    pgs_CmdBeginRendering(cmd, &info);
}

/* A native draw that reads the buffer, if there is one, and what is bound before. */
static void read_vertices(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B)
{
    bind(cb, NATIVE);
    if (buffer)
        pgs_CmdBindVertexBuffers(cb, 0, 1, &buffer, &offset_B);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
}

static void bind_set(VkCommandBuffer cb)
{
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x5e);
    pgs_CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE, 0, 1, &set, 0,
                              NULL);
}

static void order(VkCommandBuffer cb)
{
    pgs_CmdPipelineBarrier(cb, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 0, NULL, 0, NULL, 0,
                           NULL);
}

static void capture(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    pgs_CmdBindTransformFeedbackBuffersEXT(cb, 0, 1, &buffer, &offset_B, &size_B);
    pgs_CmdBeginTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
    pgs_CmdEndTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
}

/* One pass that reads, orders and captures. */
static void expect_ordered(bool set, VkBuffer read, VkDeviceSize read_B,
                           const struct pgs_buffer_range *to, const char *calls)
{
    begin(cmd, 0);
    begin_dynamic(0);
    if (set)
        bind_set(cmd);
    read_vertices(cmd, read, read_B);
    order(cmd);
    capture(cmd, to->buffer, to->offset_B, to->size_B);
    pgs_CmdEndRendering(cmd);
    expect(cmd, calls);
}

#define WHOLE_OF(b) (&(struct pgs_buffer_range){b, 0, VK_WHOLE_SIZE})

#define READ "bind NATIVE; draw 3"
#define CAPTURE "batch of 0; begin capture; end capture"
#define PARTED                                                                                     \
    "begin rendering; " READ "; barrier; end rendering; barrier; " CAPTURE "; begin rendering; "   \
    "end rendering"
#define WHOLE CAPTURE "; begin rendering; " READ "; barrier; end rendering"

/* --- Tests --- */

static void test_vertices(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    static const struct {
        bool other, barrier;
        VkDeviceSize read_B, capture_B, size_B;
        const char *calls;
    } cases[] = {
        {false, true, 0, 0, VK_WHOLE_SIZE, PARTED},
        {true, true, 0, 0, VK_WHOLE_SIZE, WHOLE}, /* as particles do */
        {false, false, 0, 0, VK_WHOLE_SIZE, CAPTURE "; begin rendering; " READ "; end rendering"},
        {false, true, 128, 0, 128, WHOLE},
        {false, true, 124, 0, 128, PARTED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin(cmd, 0);
        begin_dynamic(0);
        read_vertices(cmd, cases[i].other ? b : a, cases[i].read_B);
        if (cases[i].barrier)
            order(cmd);
        capture(cmd, a, cases[i].capture_B, cases[i].size_B);
        pgs_CmdEndRendering(cmd);
        expect(cmd, cases[i].calls);
    }
}

/* What draws read of a buffer counts as one range, whichever read it first. */
static void test_arguments(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000);
    for (VkDeviceSize one_B = 0; one_B <= 128; one_B += 128)
        for (VkDeviceSize to_B = 0; to_B <= 192; to_B += 64) {
            begin(cmd, 0);
            begin_dynamic(0);
            bind(cmd, NATIVE);
            (one_B ? pgs_CmdDrawMeshTasksIndirectEXT : pgs_CmdDrawIndirect)(cmd, a, one_B, 1, 16);
            pgs_CmdDrawIndirect(cmd, a, 128 - one_B, 1, 16);
            order(cmd);
            capture(cmd, a, to_B, 32);
            pgs_CmdEndRendering(cmd);
            assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
            assert_int_equal(strncmp(event_log.text, "begin", 5) == 0,
                             to_B < 128 + 16); /* parted */
            forget();
        }
}

/* What is read through descriptors and pointers nobody tells, but a buffer has a usage for it. */
static void test_descriptors(void **context)
{
    (void)context;
    static const struct {
        VkBufferUsageFlags usage;
        bool set, parted;
    } cases[] = {
        {VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true, false},
        {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false, false},
        {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, false, true},
        {VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, true, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer buffer = make_buffer(cases[i].usage, 0x1000);
        expect_ordered(cases[i].set, VK_NULL_HANDLE, 0, WHOLE_OF(buffer),
                       cases[i].parted ? PARTED : WHOLE);
        destroy_buffers();
    }

    /* A set that only the second draw has. */
    const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0x1000);
    begin(cmd, 0);
    begin_dynamic(0);
    read_vertices(cmd, VK_NULL_HANDLE, 0);
    bind_set(cmd);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    order(cmd);
    capture(cmd, buffer, 0, VK_WHOLE_SIZE);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; " READ "; draw 4; barrier; end rendering; barrier; " CAPTURE
                "; begin rendering; end rendering");
}

/* Descriptors may be of another buffer on the memory. */
static void test_described_aliases(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0), b = make_buffer(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (int apart = 0; apart < 2; apart++) {
        const VkDeviceSize offset_B = apart ? BUFFER_B : BUFFER_B - 4;
        assert_int_equal(pgs_BindBufferMemory(dev.handle, b, MEMORY, offset_B), VK_SUCCESS);
        expect_ordered(true, VK_NULL_HANDLE, 0, WHOLE_OF(a), apart ? WHOLE : PARTED);
    }
}

/* An image on the memory. */
static void test_images(void **context)
{
    (void)context;
    enum { SAMPLED = VK_IMAGE_USAGE_SAMPLED_BIT, STORAGE = VK_IMAGE_USAGE_STORAGE_BIT };
    static const struct {
        VkImageUsageFlags usage;
        VkImageCreateFlags flags;
        bool set;
        uintptr_t memory;
        VkDeviceSize offset_B;
        bool parted;
    } cases[] = {
        {SAMPLED, 0, true, 7, 0x1000, true},
        {STORAGE, 0, true, 7, 0x1000, true},
        {VK_IMAGE_USAGE_TRANSFER_DST_BIT, 0, true, 7, 0x1000, false},
        {SAMPLED, 0, false, 7, 0x1000, false},
        {SAMPLED, 0, true, 8, 0x1000, false},
        {SAMPLED, 0, true, 7, 0x1000 + BUFFER_B - 4, true},
        {SAMPLED, 0, true, 7, 0x1000 + BUFFER_B, false},
        {SAMPLED, 0, true, 7, 0x1000 - IMAGE_B + 4, true},
        {SAMPLED, 0, true, 7, 0x1000 - IMAGE_B, false},
        {SAMPLED, VK_IMAGE_CREATE_DISJOINT_BIT, true, 0, 0, true},
        {SAMPLED, VK_IMAGE_CREATE_SPARSE_BINDING_BIT, true, 0, 0, true},
        {SAMPLED, VK_IMAGE_CREATE_SPARSE_BINDING_BIT, false, 0, 0, false},
    };
    const VkBuffer a = make_buffer(0, 0x1000);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkImage image = make_image(cases[i].usage, cases[i].flags);
        if (cases[i].memory)
            pgs_BindImageMemory(dev.handle, image, HANDLE(VkDeviceMemory, cases[i].memory),
                                cases[i].offset_B);
        expect_ordered(cases[i].set, VK_NULL_HANDLE, 0, WHOLE_OF(a),
                       cases[i].parted ? PARTED : WHOLE);
        pgs_DestroyImage(dev.handle, image, NULL);
    }
}

/* Of a sparse buffer nobody knows the memory until it is used. */
static void test_sparse(void **context)
{
    (void)context;
    static const struct {
        bool read_sparse, captured_sparse, set;
        VkBufferUsageFlags other; /* of another sparse buffer; 0: there is none */
        bool parted;
    } cases[] = {
        {false, false, false, 0, false},
        {true, false, false, 0, true},
        {false, true, false, 0, true},
        {true, true, false, 0, true},
        {false, false, true, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true},
        {false, false, true, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, false},
        {false, false, false, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer read = cases[i].read_sparse ? make_sparse_buffer(0) : make_buffer(0, 0x1000);
        const VkBuffer captured =
            cases[i].captured_sparse ? make_sparse_buffer(0) : make_buffer(0, 0x2000);
        if (cases[i].other)
            make_sparse_buffer(cases[i].other);
        expect_ordered(cases[i].set, read, 0, WHOLE_OF(captured), cases[i].parted ? PARTED : WHOLE);
        destroy_buffers();
    }
}

/* A barrier of an image orders all that its stages read. */
static void test_image_barrier(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000);
    const VkPipelineStageFlags2 targets[] = {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                                             VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
                                             VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT};
    for (int i = 0; i < 3; i++) {
        const VkImageMemoryBarrier2 barrier = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .srcStageMask = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
            .dstStageMask = targets[i],
        };
        const VkDependencyInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .imageMemoryBarrierCount = 1,
            .pImageMemoryBarriers = &barrier,
        };
        begin(cmd, 0);
        begin_dynamic(0);
        read_vertices(cmd, a, 0);
        pgs_CmdPipelineBarrier2(cmd, &info);
        capture(cmd, a, 0, VK_WHOLE_SIZE);
        pgs_CmdEndRendering(cmd);
        expect(cmd, i < 2 ? PARTED : WHOLE);
    }
}

/* The driver reads whether to draw in the pass. */
static void test_condition(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, 0x1000);
    const VkBuffer b = make_buffer(0, 0x2000);
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, .buffer = a};
    for (int other = 0; other < 2; other++) {
        begin(cmd, 0);
        begin_dynamic(0);
        pgs_CmdBeginConditionalRenderingEXT(cmd, &info);
        pgs_CmdEndConditionalRenderingEXT(cmd);
        order(cmd);
        capture(cmd, other ? b : a, 0, VK_WHOLE_SIZE);
        pgs_CmdEndRendering(cmd);
        expect(cmd, other ? CAPTURE "; begin rendering; begin condition 1; end condition; "
                                    "barrier; end rendering"
                          : "begin rendering; begin condition 1; end condition; barrier; "
                            "end rendering; barrier; " CAPTURE "; begin rendering; end rendering");
    }

    /* In the second part, too, where it goes on. */
    begin(cmd, 0);
    begin_dynamic(0);
    pgs_CmdBeginConditionalRenderingEXT(cmd, &info);
    read_vertices(cmd, b, 0);
    order(cmd);
    capture(cmd, b, 0, VK_WHOLE_SIZE);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    order(cmd);
    capture(cmd, a, 0, VK_WHOLE_SIZE);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; begin condition 1; " READ "; barrier; end condition; "
                "end rendering; barrier; " CAPTURE "; begin rendering; begin condition 1; "
                "end condition; barrier; end rendering; barrier; " CAPTURE "; begin rendering; "
                "end rendering");
}

/* An emulated draw reads before the pass, unless its raster draw runs the shaders: that of the draw
 * before it, which had other buffers. */
static void test_emulated(void **context)
{
    (void)context;
    const VkBuffer before = make_buffer(0, 0x1000), a = make_buffer(0, 0x1000);
    const VkDeviceSize offset = 0;
    for (int shades = 0; shades < 2; shades++) {
        fake_shades = shades, fake_merges = true;
        begin(cmd, 0);
        begin_dynamic(0);
        bind(cmd, EMULATED);
        pgs_CmdBindVertexBuffers(cmd, 0, 1, &before, &offset);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        pgs_CmdBindVertexBuffers(cmd, 0, 1, &a, &offset);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        order(cmd);
        capture(cmd, a, 0, VK_WHOLE_SIZE);
        pgs_CmdEndRendering(cmd);
        expect(cmd, shades ? "batch of 2; begin rendering; bind EMULATED; replay 3; barrier; "
                             "end rendering; barrier; " CAPTURE "; begin rendering; end rendering"
                           : "batch of 2; " CAPTURE
                             "; begin rendering; bind EMULATED; replay 3; barrier; "
                             "end rendering");
    }
}

/* Two buffers on the same memory. */
static void test_aliases(void **context)
{
    (void)context;
    static const struct {
        VkDeviceSize offset_B, read_B, capture_B, size_B;
        const char *calls;
    } cases[] = {
        {0x1000, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 + BUFFER_B - 4, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 + BUFFER_B, 0, 0, VK_WHOLE_SIZE, WHOLE},
        {0x1000 - BUFFER_B, 0, 0, VK_WHOLE_SIZE, WHOLE},
        {0x1000 - BUFFER_B + 4, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 - BUFFER_B + 4, 0, 4, VK_WHOLE_SIZE, WHOLE},
        {0x1000, 128, 0, 128, WHOLE},
        {0x1000, 128, 0, 132, PARTED},
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, cases[i / 2].offset_B);
        foreign = i % 2 ? a : VK_NULL_HANDLE; /* captures nothing */
        const struct pgs_buffer_range to = {a, cases[i / 2].capture_B, cases[i / 2].size_B};
        expect_ordered(false, b, cases[i / 2].read_B, &to, foreign ? WHOLE : cases[i / 2].calls);
        destroy_buffers();
    }
}

static void begin_continuing(VkCommandBuffer cb)
{
    begin(cb, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
}

static void end(VkCommandBuffer cb)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    forget();
}

static void execute_both(bool together, const char *calls)
{
    const VkCommandBuffer both[2] = {second, third};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, together ? 2 : 1, both);
    if (!together)
        pgs_CmdExecuteCommands(cmd, 1, &third);
    pgs_CmdEndRendering(cmd);
    expect(cmd, calls);
}

/* Where a secondary reads and a later one captures, the barrier stands in either. */
static void test_secondaries(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    enum { NOWHERE, AT_END, AT_BEGIN, BEFORE_READ, AFTER_CAPTURE };
    static const struct {
        int barrier;
        bool other;
        const char *calls;
    } cases[] = {
        {NOWHERE, false, CAPTURE "; begin rendering; " READ "; end rendering"},
        {AT_END, false,
         "begin rendering; execute 1; end rendering; barrier; " CAPTURE "; begin rendering; "
         "end rendering"},
        {AT_BEGIN, false,
         "begin rendering; execute 1; end rendering; barrier; " CAPTURE "; begin rendering; "
         "barrier; end rendering"},
        {BEFORE_READ, false, CAPTURE "; begin rendering; barrier; " READ "; end rendering"},
        {AFTER_CAPTURE, false, CAPTURE "; begin rendering; " READ "; barrier; end rendering"},
        {AT_END, true, CAPTURE "; begin rendering; " READ "; barrier; end rendering"},
        {AT_BEGIN, true, CAPTURE "; begin rendering; " READ "; barrier; end rendering"},
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const int barrier_at = cases[i / 2].barrier;
        begin_continuing(second);
        if (barrier_at == BEFORE_READ)
            order(second);
        read_vertices(second, a, 0);
        if (barrier_at == AT_END)
            order(second);
        end(second);
        begin_continuing(third);
        if (barrier_at == AT_BEGIN)
            order(third);
        capture(third, cases[i / 2].other ? b : a, 0, VK_WHOLE_SIZE);
        if (barrier_at == AFTER_CAPTURE)
            order(third);
        end(third);
        execute_both(i % 2, cases[i / 2].calls);
    }
}

static void capture_counted(VkCommandBuffer cb, VkBuffer buffer, VkBuffer counter,
                            VkDeviceSize counter_B)
{
    const VkDeviceSize offset = 0;
    pgs_CmdBindTransformFeedbackBuffersEXT(cb, 0, 1, &buffer, &offset, NULL);
    pgs_CmdBeginTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
    pgs_CmdEndTransformFeedbackEXT(cb, 1, 1, &counter, &counter_B);
}

/* A counter may be stored over what was read, too. */
static void test_counters(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    const VkBuffer elsewhere = make_buffer(0, 0x3000);
    static const struct {
        bool indirect, barrier;
        VkDeviceSize counter_B;
        const char *calls;
    } cases[] = {
        {false, true, 12, CAPTURE "; begin rendering; " READ "; barrier; end rendering"},
        {false, true, 16,
         "batch of 0; begin capture; begin rendering; " READ "; barrier; end rendering; "
         "barrier; batch of 0; end capture; begin rendering; end rendering"},
        {false, true, BUFFER_B - 4,
         "batch of 0; begin capture; begin rendering; " READ "; barrier; end rendering; "
         "barrier; batch of 0; end capture; begin rendering; end rendering"},
        {false, false, 16, CAPTURE "; begin rendering; " READ "; end rendering"},
        {true, true, 12,
         CAPTURE "; begin rendering; bind NATIVE; draw indirect 2@16*20; barrier; end rendering"},
        {true, true, 16,
         "batch of 0; begin capture; begin rendering; bind NATIVE; draw indirect 2@16*20; "
         "barrier; end rendering; barrier; batch of 0; end capture; begin rendering; "
         "end rendering"},
        {true, true, 48,
         "batch of 0; begin capture; begin rendering; bind NATIVE; draw indirect 2@16*20; "
         "barrier; end rendering; barrier; batch of 0; end capture; begin rendering; "
         "end rendering"},
        {true, true, 52,
         CAPTURE "; begin rendering; bind NATIVE; draw indirect 2@16*20; barrier; end rendering"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin(cmd, 0);
        begin_dynamic(0);
        bind(cmd, NATIVE);
        pgs_CmdBindVertexBuffers(cmd, 0, 1, cases[i].indirect ? &b : &a, &(VkDeviceSize){16});
        if (cases[i].indirect)
            pgs_CmdDrawIndirect(cmd, a, 16, 2, 20);
        else
            pgs_CmdDraw(cmd, 3, 1, 0, 0);
        if (cases[i].barrier)
            order(cmd);
        capture_counted(cmd, elsewhere, a, cases[i].counter_B);
        pgs_CmdEndRendering(cmd);
        expect(cmd, cases[i].calls);
    }
    begin_continuing(second);
    read_vertices(second, a, 0);
    order(second);
    end(second);
    begin_continuing(third);
    capture_counted(third, b, a, 0);
    end(third);
    execute_both(true, "begin rendering; execute 1; end rendering; barrier; " CAPTURE "; "
                       "begin rendering; end rendering");
}

/* One that reads and captures has parts, and so has the pass where it is executed. */
static void test_parts(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    const uint32_t pushed[2] = {7, 8};
    begin_continuing(second);
    pgs_CmdPushConstants(second, VK_NULL_HANDLE, VK_SHADER_STAGE_VERTEX_BIT, 0, 8, pushed);
    read_vertices(second, a, 0);
    order(second);
    capture(second, b, 0, VK_WHOLE_SIZE); /* elsewhere */
    capture(second, a, 0, VK_WHOLE_SIZE);
    order(second);
    read_vertices(second, b, 0);
    order(second);
    capture(second, a, 0, VK_WHOLE_SIZE); /* read in another part */
    order(second);
    capture(second, b, 0, VK_WHOLE_SIZE);
    end(second);
    begin_continuing(third);
    read_vertices(third, b, 0);
    end(third);
    execute_both(true, CAPTURE
                 "; begin rendering; push 7; " READ "; barrier; end rendering; barrier; " CAPTURE
                 "; " CAPTURE "; begin rendering; push 7; barrier; " READ "; barrier; "
                 "barrier; end rendering; barrier; " CAPTURE "; begin rendering; push 7; " READ "; "
                 "end rendering");
}

/* A barrier within an interval of a secondary. */
static void test_interval_of_secondary(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000);
    const VkDeviceSize offset = 0;
    begin_continuing(second);
    read_vertices(second, a, 0);
    end(second);
    begin_continuing(third);
    bind(third, EMULATED);
    pgs_CmdBindTransformFeedbackBuffersEXT(third, 0, 1, &a, &offset, NULL);
    pgs_CmdBeginTransformFeedbackEXT(third, 0, 0, NULL, NULL);
    pgs_CmdDraw(third, 5, 1, 0, 0);
    order(third);
    pgs_CmdDraw(third, 6, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(third, 0, 0, NULL, NULL);
    end(third);
    execute_both(true, "begin rendering; execute 1; end rendering; barrier; batch of 1; "
                       "begin capture; batch of 1; end capture; begin rendering; bind EMULATED; "
                       "replay 5; barrier; replay 6; end rendering");
}

/* All its draws would show what the last time has left in its memory. */
static void execute_twice(bool xfb)
{
    dev.xfb = xfb;
    begin_continuing(second);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    end(second);
    begin_continuing(third);
    bind(third, NATIVE);
    pgs_CmdDraw(third, 6, 1, 0, 0);
    end(third);
    const VkCommandBuffer all[4] = {second, third, second, third};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, 4, all);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 1; begin rendering; bind EMULATED; replay 5; bind NATIVE; draw 6; "
                "end rendering; barrier; batch of 1; begin rendering; bind EMULATED; replay 5; "
                "bind NATIVE; draw 6; end rendering");
    begin(cmd, 0); /* nothing is emulated in it */
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, 2, (const VkCommandBuffer[]){third, third});
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; execute 2; end rendering");
    dev.xfb = true;
}

static void test_executed_twice(void **context)
{
    (void)context;
    execute_twice(false); /* geometry shaders alone */
    execute_twice(true);
}

static void test_image_failures(void **context)
{
    (void)context;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n >= 1 && n <= 3);
        VkImage image;
        pgs_alloc_fail_after(n, false);
        result = pgs_CreateImage(dev.handle, &info, NULL, &image);
        pgs_alloc_fail_after(0, false);
        assert_int_equal(image != VK_NULL_HANDLE, result == VK_SUCCESS);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_DestroyImage(dev.handle, image, NULL);
    }
}

/* Every failure is reported, and leaves nothing behind. */
static void test_failures(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0x1000);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        VkCommandBuffer cb = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        pgs_alloc_fail_after(n, false);
        begin_continuing(cb);
        bind_set(cb);
        read_vertices(cb, a, 0);
        order(cb);
        capture(cb, a, 0, VK_WHOLE_SIZE);
        result = pgs_EndCommandBuffer(cb);
        if (result == VK_SUCCESS) {
            begin(cmd, 0);
            begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
            pgs_CmdExecuteCommands(cmd, 1, &cb);
            pgs_CmdEndRendering(cmd);
            result = pgs_EndCommandBuffer(cmd);
        }
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_alloc_fail_after(0, false);
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vertices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_arguments, setup, teardown),
        cmocka_unit_test_setup_teardown(test_descriptors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_described_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_images, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sparse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_image_barrier, setup, teardown),
        cmocka_unit_test_setup_teardown(test_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_emulated, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interval_of_secondary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_executed_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(test_image_failures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
