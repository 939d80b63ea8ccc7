# SPDX-License-Identifier: MIT
"""What of a registry an application may see while the layer emulates: what was reviewed, and what the generators can
handle. Everything else is hidden, which never stops the build."""

import textwrap

from vk_harmless import Harmless
from vk_registry import CORE_VERSION, read_list, read_reasons, read_versions

INSTANCE = frozenset({'core', 'VK_EXT_debug_utils'})


class Visible:
    def __init__(self, registry, reviewed, known=(), emulated=()):
        """reviewed: the extensions that may be seen. known: those that stay hidden, without a word."""
        self.registry = registry
        self.reviewed = list(reviewed)
        self.allowed = set(INSTANCE | set(reviewed))
        self.known = set(known) | set(emulated) | self.allowed
        self.harmless = set()  # seen without a review
        self.commands, self.structs, self.extensions = {}, {}, {}  # hidden in spite of a review: name, reason

    def add_harmless(self, hooks):
        """Of the extensions that nobody has looked at. hooks: short names of hooked commands."""
        self.harmless = Harmless(self.registry, hooks).names(self.unknown_extensions(), self.allowed)
        self.allowed |= self.harmless
        self.known |= self.harmless

    def shows(self, origins):
        return any(origin <= self.allowed for origin in origins)

    def shows_command(self, command):
        return command.name not in self.commands and self.shows(command.origins)

    def names(self):
        """Of all visible commands, under every name that is visible."""
        return [name for command in self.registry.commands if self.shows_command(command)
                for name, origins in command.name_origins.items() if self.shows(origins)]

    def shows_struct(self, struct):
        return struct.name not in self.structs and self.shows(struct.origins)

    def hide_struct(self, struct, reason):
        self.structs[struct.name] = reason

    def hide_command(self, command, reason):
        """And the extensions that promise it: none is visible with a part of its commands."""
        self.commands[command.name] = reason
        for origin in command.origins:
            for extension in origin & self.allowed - INSTANCE if origin <= self.allowed else ():
                self.extensions[extension] = f'brings {command.name}'
        self.allowed -= self.extensions.keys()

    def unknown_extensions(self):
        """Device extensions that nobody has looked at."""
        return sorted(name for name, kind in self.registry.extensions.items()
                      if kind != 'instance' and name not in self.known)

    def message(self):
        """What is hidden and was not meant to be, as lines to be read; '' when there is nothing to say."""
        def number(version):
            return '.'.join(str(n) for n in version)

        def listed(title, words):
            text = f'{title}: ' + ', '.join(words) + '.'
            return textwrap.wrap(text, 112, initial_indent='  ', subsequent_indent='    ', break_on_hyphens=False)

        def explained(hidden):
            return [f'{name} ({reason})' for name, reason in sorted(hidden.items())]

        lines = []
        if self.registry.versions:
            lines += listed(f'Core, beyond {number(CORE_VERSION)}', self.registry.versions)
        if self.harmless:
            lines += listed('Seen without a review, as the layer touches nothing that they bring', sorted(self.harmless))
        unknown = self.unknown_extensions()
        if unknown:
            lines += listed(f'{len(unknown)} extensions that nobody has reviewed', unknown)
        for title, hidden in (('Extensions that cannot be handled', self.extensions),
                              ('Commands that cannot be handled', self.commands),
                              ('Structures that cannot be handled', self.structs)):
            if hidden:
                lines += listed(title, explained(hidden))
        if not lines:
            return ''
        head = f'Vulkan {number(self.registry.version)}: what the layer does not know is hidden from applications.'
        return '\n'.join([head] + lines) + '\n'


def read_visible(registry, reviewed_path, known_path='', emulated_path='', hooks_path=''):
    """All paths are those of lists; '' stands for an empty one. Without hooks nothing is seen that was not reviewed."""
    visible = Visible(registry, read_reasons(reviewed_path) if reviewed_path else [],
                      read_reasons(known_path) if known_path else [],
                      read_versions(emulated_path) if emulated_path else ())
    if hooks_path:
        visible.add_harmless([name.rstrip('?') for name in read_list(hooks_path)])
    return visible
