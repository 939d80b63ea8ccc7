#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A registry of the future: what the generators do not know is hidden from applications and listed, unless the layer touches
nothing that it brings; and what they generate compiles all the same.

usage: test_generators.py ROOT vk.xml C-COMPILER
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

# Two reviewed extensions grow, a new extension and a new core version appear.
NEW = {
    'types': '''
<type category="struct" name="VkFutureNodeEXT" structextends="VkRenderPassBeginInfo">
  <member values="VK_STRUCTURE_TYPE_FUTURE_NODE_EXT"><type>VkStructureType</type> <name>sType</name></member>
  <member>const <type>void</type>* <name>pNext</name></member>
  <member>const <type>void</type>* <name>pData</name></member>
</type>
<type category="struct" name="VkFutureCountedEXT" structextends="VkRenderPassBeginInfo">
  <member values="VK_STRUCTURE_TYPE_FUTURE_COUNTED_EXT"><type>VkStructureType</type> <name>sType</name></member>
  <member>const <type>void</type>* <name>pNext</name></member>
  <member><type>uint32_t</type> <name>count</name></member>
  <member len="count">const <type>uint32_t</type>* <name>pWords</name></member>
</type>
<type category="struct" name="VkFutureInnerEXT">
  <member><type>uint32_t</type> <name>count</name></member>
  <member len="owner::count">const <type>uint32_t</type>* <name>pWords</name></member>
</type>
<type category="struct" name="VkPhysicalDeviceFutureFeaturesEXT" structextends="VkPhysicalDeviceFeatures2,VkDeviceCreateInfo">
  <member values="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FUTURE_FEATURES_EXT"><type>VkStructureType</type>
    <name>sType</name></member>
  <member><type>void</type>* <name>pNext</name></member>
  <member><type>VkBool32</type> <name>future</name></member>
  <member><type>VkBool32</type> <name>farFuture</name></member>
</type>
<type category="struct" name="VkPhysicalDeviceQuietFeaturesEXT" structextends="VkPhysicalDeviceFeatures2,VkDeviceCreateInfo">
  <member values="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_QUIET_FEATURES_EXT"><type>VkStructureType</type>
    <name>sType</name></member>
  <member><type>void</type>* <name>pNext</name></member>
  <member><type>VkBool32</type> <name>quiet</name></member>
</type>
<type category="struct" name="VkQuietFenceEXT" structextends="VkFenceCreateInfo">
  <member values="VK_STRUCTURE_TYPE_QUIET_FENCE_EXT"><type>VkStructureType</type> <name>sType</name></member>
  <member>const <type>void</type>* <name>pNext</name></member>
  <member><type>uint32_t</type> <name>quiet</name></member>
</type>
<type category="struct" name="VkLoudStageEXT" structextends="VkPipelineShaderStageCreateInfo">
  <member values="VK_STRUCTURE_TYPE_LOUD_STAGE_EXT"><type>VkStructureType</type> <name>sType</name></member>
  <member>const <type>void</type>* <name>pNext</name></member>
  <member><type>uint32_t</type> <name>loud</name></member>
</type>
''',
    'spirvextensions': '<spirvextension name="SPV_EXT_spoken"><enable extension="VK_EXT_spoken"/></spirvextension>',
    'commands': '''
<command renderpass="inside" queues="graphics" tasks="action">
  <proto><type>void</type> <name>vkCmdDrawFutureEXT</name></proto>
  <param><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
  <param><type>uint32_t</type> <name>count</name></param>
</command>
<command renderpass="both" queues="graphics" tasks="state">
  <proto><type>void</type> <name>vkCmdSetFutureEXT</name></proto>
  <param><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
  <param>const <type>VkFutureInnerEXT</type>* <name>pInner</name></param>
</command>
<command renderpass="both" queues="graphics" tasks="state">
  <proto><type>void</type> <name>vkCmdSetWordsEXT</name></proto>
  <param><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
  <param><type>uint32_t</type> <name>count</name></param>
  <param len="count">const <type>uint32_t</type>* <name>pWords</name></param>
</command>
<command renderpass="both" queues="graphics" tasks="state">
  <proto><type>void</type> <name>vkCmdSetCore</name></proto>
  <param><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
</command>
<command name="vkCmdSetWords" alias="vkCmdSetWordsEXT"/>
''',
    'extensions': '''
<extension name="VK_EXT_future" number="9001" type="device" supported="vulkan">
  <require>
    <type name="VkPhysicalDeviceFutureFeaturesEXT"/>
    <command name="vkCmdDrawFutureEXT"/>
  </require>
</extension>
<extension name="VK_EXT_quiet" number="9002" type="device" supported="vulkan">
  <require><type name="VkPhysicalDeviceQuietFeaturesEXT"/><type name="VkQuietFenceEXT"/></require>
</extension>
<extension name="VK_EXT_quieter" number="9003" type="device" supported="vulkan" depends="VK_EXT_quiet+VK_KHR_swapchain">
  <require><enum offset="0" extends="VkPresentModeKHR" name="VK_PRESENT_MODE_QUIETER_EXT"/></require>
</extension>
<extension name="VK_EXT_unmet" number="9004" type="device" supported="vulkan" depends="VK_EXT_future">
  <require><enum offset="0" extends="VkPresentModeKHR" name="VK_PRESENT_MODE_UNMET_EXT"/></require>
</extension>
<extension name="VK_EXT_loose" number="9005" type="device" supported="vulkan">
  <require><type name="VkPhysicalDeviceQuietFeaturesEXT"/></require>
</extension>
<extension name="VK_EXT_silent" number="9006" type="device" supported="vulkan">
  <require></require>
</extension>
<extension name="VK_EXT_spoken" number="9007" type="device" supported="vulkan">
  <require><type name="VkQuietFenceEXT"/></require>
</extension>
<extension name="VK_EXT_loud" number="9008" type="device" supported="vulkan">
  <require><type name="VkLoudStageEXT"/></require>
</extension>
<extension name="VK_EXT_stateful" number="9009" type="device" supported="vulkan">
  <require><enum offset="0" extends="VkDynamicState" name="VK_DYNAMIC_STATE_LOUD_EXT"/></require>
</extension>
''',
}
GROWN = {
    'VK_EXT_multi_draw': '<require><type name="VkFutureNodeEXT"/><type name="VkFutureCountedEXT"/></require>',
    'VK_EXT_color_write_enable': '<require><type name="VkFutureInnerEXT"/><command name="vkCmdSetFutureEXT"/></require>',
    'VK_EXT_conditional_rendering':
        '<require depends="VK_VERSION_1_1+(VK_EXT_multi_draw,VK_EXT_future)"><command name="vkCmdSetWordsEXT"/></require>',
}
CORE = '''
<feature api="vulkan,vulkansc" name="VK_VERSION_1_9" number="1.9" depends="VK_VERSION_1_3">
  <require><command name="vkCmdSetCore"/><command name="vkCmdSetWords"/></require>
</feature>
'''
# A reviewed extension that is newer than the registry.
UNHEARD_OF = 'VK_EXT_hdr_metadata'
DECLARATIONS = '''
#include <vulkan/vulkan.h>
#define VK_STRUCTURE_TYPE_FUTURE_NODE_EXT 1999000000
#define VK_STRUCTURE_TYPE_FUTURE_COUNTED_EXT 1999000001
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FUTURE_FEATURES_EXT 1999000002
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_QUIET_FEATURES_EXT 1999000003
#define VK_STRUCTURE_TYPE_QUIET_FENCE_EXT 1999000004
#define VK_STRUCTURE_TYPE_LOUD_STAGE_EXT 1999000005
typedef struct { VkStructureType sType; const void *pNext; const void *pData; } VkFutureNodeEXT;
typedef struct {
    VkStructureType sType; const void *pNext; uint32_t count; const uint32_t *pWords;
} VkFutureCountedEXT;
typedef struct { uint32_t count; const uint32_t *pWords; } VkFutureInnerEXT;
typedef struct { VkStructureType sType; void *pNext; VkBool32 future, farFuture; } VkPhysicalDeviceFutureFeaturesEXT;
typedef struct { VkStructureType sType; void *pNext; VkBool32 quiet; } VkPhysicalDeviceQuietFeaturesEXT;
typedef struct { VkStructureType sType; const void *pNext; uint32_t quiet; } VkQuietFenceEXT;
typedef struct { VkStructureType sType; const void *pNext; uint32_t loud; } VkLoudStageEXT;
typedef void(VKAPI_PTR *PFN_vkCmdDrawFutureEXT)(VkCommandBuffer, uint32_t);
typedef void(VKAPI_PTR *PFN_vkCmdSetFutureEXT)(VkCommandBuffer, const VkFutureInnerEXT *);
typedef void(VKAPI_PTR *PFN_vkCmdSetWordsEXT)(VkCommandBuffer, uint32_t, const uint32_t *);
typedef void(VKAPI_PTR *PFN_vkCmdSetCore)(VkCommandBuffer);
'''


HARMLESS = ('VK_EXT_quiet', 'VK_EXT_quieter')
HARMFUL = ('VK_EXT_unmet', 'VK_EXT_loose', 'VK_EXT_silent', 'VK_EXT_spoken', 'VK_EXT_loud', 'VK_EXT_stateful')


def write_registry(source, path):
    tree = ET.parse(source)
    root = tree.getroot()
    for section, text in NEW.items():
        root.find(section).extend(ET.fromstring(f'<new>{text}</new>'))
    for extension in root.find('extensions'):
        if extension.get('name') in GROWN:
            extension.append(ET.fromstring(GROWN[extension.get('name')]))
    for extension in list(root.find('extensions')):
        if extension.get('name') == UNHEARD_OF:
            root.find('extensions').remove(extension)
    root.append(ET.fromstring(CORE))
    tree.write(path)


def harmless_reviewed(scripts, source):
    """Extensions that a review found to be harmful, and the rule does not."""
    sys.path.insert(0, scripts)
    # pylint: disable=import-outside-toplevel
    from vk_harmless import Harmless
    from vk_registry import Registry, read_list, read_reasons
    rule = Harmless(Registry(source), [name.rstrip('?') for name in read_list(os.path.join(scripts, 'hooks.txt'))])
    hidden = read_reasons(os.path.join(scripts, 'hidden_extensions.txt'))
    seen = set(read_reasons(os.path.join(scripts, 'extensions.txt')))
    return [name for name in hidden if name in rule.extensions and not rule.reason_against(name, seen)]


def read(folder, *names):
    text = ''
    for name in names:
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            text += file.read()
    return text


def main():
    root, source, compiler = sys.argv[1:]
    scripts = os.path.join(root, 'scripts')
    wrong = []

    def expect(condition, what):
        if not condition:
            wrong.append(what)

    def script(name, *arguments):
        return subprocess.run([sys.executable, os.path.join(scripts, name), *arguments], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    with tempfile.TemporaryDirectory() as work:
        xml, out = os.path.join(work, 'vk.xml'), os.path.join(work, 'vulkan')
        table = os.path.join(work, 'extensions_table.c')
        write_registry(source, xml)
        lists = [os.path.join(scripts, name + '.txt')
                 for name in ('hooks', 'extensions', 'hidden_extensions', 'emulated_extensions')]
        arguments = ['--xml', xml, '--hooks', lists[0], '--extensions', lists[1], '--hidden', lists[2],
                     '--emulated', lists[3]]

        said = ' '.join(script('gen_vk.py', *arguments).split())
        for word in ('VK_VERSION_1_9', 'VK_EXT_future', 'VkFutureNodeEXT: const void* pData',
                     'VK_EXT_color_write_enable (brings vkCmdSetFutureEXT)', 'vkCmdSetFutureEXT (const uint32_t* pWords'):
            expect(word in said, f'not listed: {word}')
        for word in ('VkFutureCountedEXT', 'vkCmdSetWordsEXT', 'VK_EXT_multi_draw'):
            expect(word not in said, f'listed: {word}')

        script('gen_vk.py', *arguments, '--out', out)
        script('gen_extensions.py', xml, *lists[1:], lists[0], table)
        queue = read(out, 'queue_commands.c', 'queue_copy.c', 'queue_hooks.c', 'queue_test.c')
        names = read(out, 'hooks.c').split('visible_commands[]')[1]
        for word in ('VkFutureNodeEXT', 'CmdDrawFutureEXT', 'CmdSetFutureEXT', 'CmdSetCore', 'CmdSetColorWriteEnableEXT'):
            expect(word not in queue, f'queued: {word}')
            expect(f'"vk{word}"' not in names, f'visible: {word}')
        for word in ('VkFutureCountedEXT', 'CmdSetWordsEXT'):
            expect(word in queue, f'not queued: {word}')
        expect('"vkCmdSetWordsEXT"' in names and '"vkCmdSetWords"' not in names, 'the wrong names are visible')
        expect('VkFutureNodeEXT' in read(out, 'struct_sizes.c'), 'the size of VkFutureNodeEXT is not known')
        extensions = read(work, 'extensions_table.c')
        seen = extensions.split('pgs_visible_extension_count')[0]
        expect('"VK_EXT_color_write_enable"' not in seen and '"VK_EXT_future"' not in seen,
               'an extension is visible without its commands')
        expect(f'"{UNHEARD_OF}"' not in extensions and '"VK_EXT_multi_draw"' in extensions,
               'an extension is visible that the registry does not know')
        expect('"VK_KHR_win32_keyed_mutex"' in extensions, 'an extension of a platform is not visible')
        expect('{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FUTURE_FEATURES_EXT, 2, {"VK_EXT_future"}}' in extensions,
               'features are not hidden')
        for name in HARMLESS:
            expect(f'"{name}",' in seen, f'harmless and not visible: {name}')
        for name in HARMFUL:
            expect(f'"{name}",' not in seen, f'not harmless and visible: {name}')
        expect(not harmless_reviewed(scripts, source), 'hidden after a review, but harmless: '
               f'{", ".join(harmless_reviewed(scripts, source))}')

        header = os.path.join(work, 'future.h')
        with open(header, 'w', encoding='utf-8') as file:
            file.write(DECLARATIONS)
        sources = [table] + [os.path.join(out, name) for name in sorted(os.listdir(out)) if name.endswith('.c')]
        for path in sources:
            built = subprocess.run([compiler, '-std=c11', '-D_POSIX_C_SOURCE=200809L', '-D_DEFAULT_SOURCE', '-fsyntax-only',
                                    '-Wall', '-Wextra', '-Werror', '-include', header, '-I', work,
                                    '-I', os.path.join(root, 'layer'), '-I', os.path.join(root, 'include'),
                                    '-I', os.path.join(root, 'tests/unit'), path],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            expect(built.returncode == 0, f'{os.path.basename(path)} does not compile:\n{built.stdout[:4000]}')
    if wrong:
        sys.exit('\n'.join(wrong))


if __name__ == '__main__':
    main()
