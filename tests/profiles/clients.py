#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What clients refuse on drivers of phones, without the layer and through it: asks the loader with the layers of each
profile, holds the answers against clients.txt, and checks or writes the tables of docs/support.md.

A demand that the driver below does not meet without any profile says nothing about a phone, and is left out. So an old driver
checks a part of the tables; they are written where nothing has to be left out, with lavapipe 25 on Debian 13.

usage: clients.py --build FOLDER [--write]
Exit status: 0: the tables are right; 1: they are not; 77: there is no lavapipe.
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from vk_icd import icd  # noqa: E402

SKIP = 77
# What the layer is told there: drivers with geometry shaders of their own are emulated only where it is forced.
PROFILES = {"rogue": "0", "bxm": "0", "pixel10": "0", "mali38": "0", "mali54": "0", "panvk": "0", "apple": "0", "pi": "0"}
BEGIN = "<!-- clients.py: begin -->"
END = "<!-- clients.py: end -->"


class Client:
    def __init__(self, name):
        self.name, self.without, self.source, self.needs = name, "", "", []


def read_clients(path):
    """[clients], {name: who gives it}."""
    clients, given = [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if not words:
                continue
            text = " ".join(words)
            if words[0] == "client":
                clients.append(Client(text[len("client "):]))
            elif words[0] == "given":
                names, _, somebody = text[len("given "):].partition(": ")
                given.update((name, somebody) for name in names.split())
            elif words[0] == "source:":
                clients[-1].source = text[len("source: "):]
            elif words[0] == "version":
                clients[-1].needs.append(f"Vulkan {words[1]}")
            elif words[0] == "needs":
                clients[-1].needs += words[1:]
            else:
                clients[-1].without = text
    return clients, given


class Device:
    """What profiles-report says."""

    def __init__(self, text):
        self.version, self.extensions, self.features, self.limits = (0, 0), set(), {}, {}
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "version":
                self.version = tuple(int(part) for part in rest.split("."))
            elif kind == "extension":
                self.extensions.add(rest.split()[0])
            elif kind in ("feature", "limit"):
                name, value = rest.split()
                into = self.features if kind == "feature" else self.limits
                into[name] = max(into.get(name, 0), int(value))  # the same one may be in several structures

    def meets_one(self, need):
        if need.startswith("Vulkan "):
            return self.version >= tuple(int(part) for part in need[len("Vulkan "):].split("."))
        if need.startswith("VK_"):
            return need in self.extensions
        name, _, least = need.partition(">=")
        return self.limits.get(name, 0) >= int(least) if least else self.features.get(name, 0) == 1

    def meets(self, need):
        return any(self.meets_one(one) for one in need.split("|"))


def ask(build, driver, profile, through_layer, force):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "PGS_TEST_"))}
    layers = (["VK_LAYER_poly_gs"] if through_layer else []) + (["VK_LAYER_pgs_test_profiles"] if profile else [])
    folders = (["json"] if through_layer else []) + (["tests/profiles"] if profile else [])
    env.update(VK_ICD_FILENAMES=driver, VK_INSTANCE_LAYERS=":".join(layers), VK_POLY_GS_FORCE=force,
               VK_ADD_LAYER_PATH=":".join(os.path.join(build, folder) for folder in folders), PGS_TEST_PROFILE=profile)
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")  # the driver keeps memory for the life of the process
    program = os.path.join(build, "tests", "profiles", "profiles-report")
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, check=True)
    return Device(done.stdout.decode())


def called(need):
    return re.sub(r"^VK_", "", need.split("|")[0])


def measure(clients, build, driver):
    """({(client, profile): (missing before, missing after)}, names of needs that the bare driver does not meet)."""
    bare = ask(build, driver, "", False, "0")
    unmet = {called(need) for client in clients for need in client.needs if not bare.meets(need)}
    table = {}
    for profile, force in PROFILES.items():
        sides = [ask(build, driver, profile, through_layer, force) for through_layer in (False, True)]
        for client in clients:
            table[client.name, profile] = tuple(
                {called(need) for need in client.needs if not side.meets(need)} - unmet for side in sides)
    return table, unmet


def listed(names):
    return ", ".join(f"`{name}`" for name in sorted(names))


def matrix(clients, table):
    lines = ["| client | " + " | ".join(f"`{profile}`" for profile in PROFILES) + " | without it the client |",
             "|---|" + "---|" * len(PROFILES) + "---|"]
    for client in clients:
        cells = []
        for profile in PROFILES:
            before, after = (len(side) for side in table[client.name, profile])
            cells.append(f"{before} → {f'**{after}**' if after == 0 else after}")
        lines.append(f"| {client.name} | " + " | ".join(cells) + f" | {client.without} |")
    return lines


def remains(clients, table, given):
    """What is demanded and missing through the layer: on which profiles, by whom."""
    rows = {}
    for client in clients:
        for profile in PROFILES:
            for name in table[client.name, profile][1]:
                profiles, by = rows.setdefault(name, ([], []))
                if profile not in profiles:
                    profiles.append(profile)
                if client.name not in by:
                    by.append(client.name)
    somebody = {called(name): who for name, who in given.items()}
    alike = {}  # the same clients on the same profiles
    for name, (profiles, by) in sorted(rows.items()):
        on = tuple(profile for profile in PROFILES if profile in profiles)
        alike.setdefault((on, tuple(by), somebody.get(name, "")), []).append(name)
    lines = ["| what remains | on | demanded by | given by |", "|---|---|---|---|"]
    for (on, by, who), names in sorted(alike.items(), key=lambda row: (-len(row[0][0]) * len(row[0][1]), row[1])):
        lines.append(f"| {listed(names)} | {', '.join(on)} | {', '.join(by)} | {who} |")
    return lines


def details(clients, table):
    lines = ["<details><summary>Every demand that is not met, by client and profile</summary>", ""]
    for client in clients:
        lines += [f"**{client.name}** ({client.source})", ""]
        for profile in PROFILES:
            before, after = table[client.name, profile]
            lines.append(f"- {profile}: given {listed(before - after) or 'nothing'}; missing {listed(after) or 'nothing'}"
                         + (f"; lost {listed(after - before)}" if after - before else ""))
        lines.append("")
    return lines + ["</details>"]


def generate(clients, given, table):
    return "\n".join([BEGIN, *matrix(clients, table), "", *remains(clients, table, given), "", *details(clients, table), END])


def read_details(text):
    """The table that details() wrote."""
    table, client = {}, None
    for line in text.splitlines():
        title = re.match(r"\*\*(.*?)\*\* \(", line)
        item = re.match(r"- (\w+): given (.*?); missing (.*?)(?:; lost (.*))?$", line)
        if title:
            client = title.group(1)
        elif item and client:
            given, missing, lost = (set(re.findall(r"`([^`]+)`", part or "")) for part in item.group(2, 3, 4))
            table[client, item.group(1)] = (given | (missing - lost), missing)
    return table


def check(clients, given, table, unmet, block):
    """What is wrong with the tables, as lines."""
    written = read_details(block)
    if written.keys() != table.keys():
        return ["the clients or the profiles are others"]
    errors = []
    for (client, profile), sides in table.items():
        for side, expected, found in zip(("without the layer", "through the layer"), written[client, profile], sides):
            for name in sorted((expected - unmet) ^ found):
                errors.append(f"{client} on {profile}, {side}: {name} is "
                              + ("missing, which the tables do not say" if name in found else "there, though the tables say it is missing"))
    if not errors and generate(clients, given, written) != block:
        errors.append("the tables are not what the script makes of their own lists and of clients.txt")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="build folder of the layer")
    parser.add_argument("--write", action="store_true", help="write the tables instead of checking them")
    args = parser.parse_args()
    driver = icd("lavapipe")
    if not os.path.exists(driver):
        print("no lavapipe")
        return SKIP
    clients, given = read_clients(os.path.join(HERE, "clients.txt"))
    table, unmet = measure(clients, os.path.abspath(args.build), driver)
    path = os.path.join(ROOT, "docs", "support.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    if args.write:
        if unmet:
            sys.exit(f"the driver itself does not meet {listed(unmet)}: write the tables with a newer one")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:begin] + generate(clients, given, table) + text[end:])
        return 0
    print(f"not compared, as the driver lacks it: {listed(unmet) or 'nothing'}")
    errors = check(clients, given, table, unmet, text[begin:end])
    print("\n".join(errors) or "the tables are right")
    if errors:
        print("tests/profiles/clients.py --write writes them anew (on Debian 13: scripts/debian-chroot.sh)")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
