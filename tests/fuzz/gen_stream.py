# SPDX-License-Identifier: MIT
"""A random stream of passes and draws for the shaders of gen_shaders.py, in the words that run.c reads."""
import random

from gen_capture import Intervals
from gen_shaders import INPUTS, LOG_WORDS

POINTS, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(6)
LINES_ADJACENCY, LINE_STRIP_ADJACENCY, TRIANGLES_ADJACENCY, TRIANGLE_STRIP_ADJACENCY = range(6, 10)
TOPOLOGIES = {"points": [POINTS], "lines": [LINES, LINE_STRIP],
              "triangles": [TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN],
              "lines_adjacency": [LINES_ADJACENCY, LINE_STRIP_ADJACENCY],
              "triangles_adjacency": [TRIANGLES_ADJACENCY, TRIANGLE_STRIP_ADJACENCY]}
STRIPS = (LINE_STRIP, TRIANGLE_STRIP, TRIANGLE_FAN, LINE_STRIP_ADJACENCY, TRIANGLE_STRIP_ADJACENCY)
FORMATS = {"uint": (98, 4), "uvec2": (101, 8), "uvec3": (104, 12), "uvec4": (107, 16), "ivec2": (82, 4)}
OTHER_FORMATS = {"uint": (98, 74, 13), "uvec2": (101, 81, 20), "uvec3": (104, 107), "uvec4": (107, 95, 41),
                 "ivec2": (82, 102, 21)}  # of dynamic vertex input: 32, 16 and 8 bits, or another number of components
INDEX_TYPES = {0: 2, 1: 4, 1000265000: 1}  # VkIndexType: bytes
VERTEX, GEOMETRY, FRAGMENT = 1, 8, 16


class Pipeline:
    def __init__(self, native, topology, restart, dynamic):
        self.native, self.topology, self.restart, self.dynamic = native, topology, restart, dynamic
        self.kind = int(native)  # as run.c has it
        self.input = False  # is dynamic


class Stream:
    VERTICES = 512
    STAGES = VERTEX | GEOMETRY | FRAGMENT  # that read push constants

    def __init__(self, rng, shaders):
        self.rng, self.shaders = rng, shaders
        self.lines, self.slots, self.indices = [], 0, bytearray()
        capture = shaders.capture
        self.intervals = Intervals(capture.rng, capture.strides, self.say) if capture else None
        self.last = rng.random() < 0.3
        self.restarts = False  # indices of the current draw, maybe
        self.input_rng, self.has_input = None, False  # with dynamic vertex input, and if it is set

    def say(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def vertex_input(self):
        rng, out = self.rng, []
        self.bindings = []
        for rate in (False, True):
            members = [i for i, r in enumerate(self.shaders.attribute_rates) if r == rate]
            if not members:
                continue
            offset = 4 * rng.randrange(3)
            for i in members:
                number, size = FORMATS[self.shaders.attributes[i]]
                out.append((i, len(self.bindings), number, offset))
                offset += size + 4 * rng.choice([0, 0, 1])
            stride = 0 if rate and rng.random() < 0.1 else offset + 4 * rng.choice([0, 0, 1, 3])
            self.bindings.append((stride, int(rate)))
        for stride, rate in self.bindings:
            self.say("binding", stride, rate)
        for _, binding, number, offset in sorted(out):
            self.say("attribute", binding, number, offset)
        words = self.VERTICES * max([b[0] for b in self.bindings], default=4) // 4 + 64
        self.say("vertices", words, *(rng.getrandbits(32) for _ in range(words)))

    # Of streams of patches these are something else: gen_tessellation.py.

    def topologies(self, _p):
        return TOPOLOGIES[self.shaders.input]

    def may_restart(self, _p, topology):
        return topology in STRIPS

    def before_pipeline(self, p):
        pass

    def vertices_of(self, _p, count):
        return count

    def units_of(self, _p, count):
        """More than there are primitives in an instance, which log."""
        return count

    def pipelines(self):
        rng = self.rng
        self.all = []
        for _ in range(rng.randint(1, 3)):
            p = Pipeline(False, None, False, 0)
            p.topology = rng.choice(self.topologies(p))
            p.restart = self.may_restart(p, p.topology) and rng.random() < 0.5
            p.dynamic = rng.choice([0, 0, 0, 1, 2])
            self.all.append(p)
        if rng.random() < 0.6:
            topology = rng.choice([POINTS, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN])
            self.all.append(Pipeline(True, topology, False, 0))
        for p in self.all:
            p.input = not p.native and self.input_rng is not None and self.input_rng.random() < 0.7
            self.before_pipeline(p)
            spec = [w for s in self.shaders.spec for w in (s[0], s[3])]
            self.say("spec", len(self.shaders.spec), *spec)
            cull = rng.choice([0, 0, 0, 1, 2])
            self.say("pipeline", p.kind, p.topology, int(p.restart), cull, rng.randrange(2), int(self.last),
                     p.dynamic + 4 * p.input)

    def push(self, units):
        rng, s = self.rng, self.STAGES
        words = [self.slots, units, self.first_instance, rng.getrandbits(32)] + [rng.getrandbits(32) for _ in range(4)]
        if rng.random() < 0.3:
            self.say("push", s, 0, 4, *words[:4])
            self.say("push", s, 16, 4, *words[4:])
        else:
            self.say("push", s, 0, 8, *words)

    def draw(self, p):
        rng = self.rng
        topology, restart = p.topology, p.restart
        if p.dynamic:
            topology = rng.choice(self.topologies(p))
            self.say("topology", topology)
            if p.dynamic == 2:
                restart = self.may_restart(p, topology) and rng.random() < 0.5
                self.say("restart", int(restart))
            elif restart and not self.may_restart(p, topology):
                topology = p.topology
                self.say("topology", topology)
        count = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 18, 24, 40])
        if rng.random() < 0.05:
            count = rng.randint(200, 300)
        instances = rng.choice([1, 1, 1, 2, 3, 0])
        self.first_instance = rng.choice([0, 0, 0, 1, 5])
        count = self.vertices_of(p, count)
        units = self.units_of(p, count)
        if not p.native:
            self.push(units)
        for binding in range(len(self.bindings)):
            if rng.random() < 0.3:
                self.say("vb", binding, 4 * rng.randrange(8))
        if rng.random() < 0.5:
            self.say("draw", count, instances, rng.choice([0, 0, 1, 7]), self.first_instance)
        else:
            self.indexed(count, instances, restart)
        if not p.native:
            self.slots += units * instances * max(self.shaders.invocations, 1)

    def begin_pass(self, number):
        rng = self.rng
        self.say("pass", int(number > 0 and rng.random() < 0.7), int(rng.random() < 0.2))
        self.has_input = False

    def bind(self, number):
        self.say("bind", number)
        self.has_input &= self.all[number].input  # a pipeline's own replaces it

    def set_input(self):
        """Another layout of the same words, for each binding and attribute."""
        rng = self.input_rng
        words = max([b[0] for b in self.bindings], default=4) // 4
        bindings = [w for _ in self.bindings for w in (4 * rng.randint(0, words), int(rng.random() < 0.3))]
        attributes = [w for kind in self.shaders.attributes
                      for w in (rng.randrange(len(self.bindings)), rng.choice(OTHER_FORMATS[kind]), 4 * rng.randrange(4))]
        self.say("input", len(self.bindings), *bindings, len(self.shaders.attributes), *attributes)
        self.has_input = True

    def captured_draw(self, p):
        self.restarts = p.restart or p.dynamic == 2  # maybe
        if p.input and (not self.has_input or self.input_rng.random() < 0.4):
            self.set_input()
        captures = self.intervals and not p.native
        if captures:
            self.intervals.begin_draw()
        self.draw(p)
        if captures:
            self.intervals.end_draw()

    def indexed(self, count, instances, restart):
        """Returns the first index and the vertex offset."""
        rng = self.rng
        kind = rng.choice(list(INDEX_TYPES))
        size = INDEX_TYPES[kind]
        low = rng.choice([0, 0, 3, 50])
        first = rng.choice([0, 0, 1, 2])
        lead = rng.choice([0, size, 4 * size])
        while len(self.indices) % 4:
            self.indices.append(0)
        offset = len(self.indices) + lead
        values = []
        for _ in range(first + count):
            if restart and rng.random() < 0.15:
                values.append((1 << (8 * size)) - 1)
            else:
                values.append(low + rng.randrange(100))
        self.indices += bytes(lead) + b"".join(v.to_bytes(size, "little") for v in values)
        self.say("ib", offset, kind)
        vertex_offset = rng.choice([0, 0, -low, 11])
        self.say("indexed", count, instances, first, vertex_offset, self.first_instance)
        return first, vertex_offset

    def passes(self):
        rng = self.rng
        for number in range(rng.randint(1, 3)):
            self.begin_pass(number)
            for binding in range(len(self.bindings)):
                self.say("vb", binding, 0)
            bound = None
            for _ in range(rng.randint(1, 5)):
                p = rng.randrange(len(self.all))
                if p != bound or rng.random() < 0.2:
                    if self.intervals:
                        self.intervals.stop()
                    self.bind(p)
                    bound = p
                if self.slots < 6000:
                    self.captured_draw(self.all[p])
            if self.intervals:
                self.intervals.end_pass()
            self.say("end")
            if rng.random() < 0.3:
                self.say("submit")
        if self.lines[-1] != "submit":
            self.say("submit")

    def more_passes(self, seed):
        """Another stream for the same pipelines, whose results are its own."""
        self.rng = random.Random("stream %s" % seed)
        if self.intervals:
            self.intervals = Intervals(self.rng, self.shaders.capture.strides, self.say)
        if self.input_rng:
            self.input_rng = random.Random("input of stream %s" % seed)
        self.slots = 0
        self.lines.append("stream")
        self.passes()

    def say_target(self):
        self.say("side", 64)

    def resources(self):
        self.say_target()
        self.say("data", 64, *(self.rng.getrandbits(32) for _ in range(64)))
        self.vertex_input()

    def log_words(self, slots):
        return (slots + 1) * LOG_WORDS

    def write(self, folder, more=()):
        """more: seeds of further streams."""
        self.resources()
        self.say("range", self.STAGES, 0, 32)
        head, self.lines = self.lines, []
        self.pipelines()
        self.passes()
        slots, regions = self.slots, len(self.intervals.regions) if self.intervals else 0
        for seed in more:
            self.more_passes(seed)
            slots = max(slots, self.slots)
            regions = max(regions, len(self.intervals.regions) if self.intervals else 0)
        while len(self.indices) % 4:
            self.indices.append(0)
        words = [int.from_bytes(self.indices[i:i + 4], "little") for i in range(0, len(self.indices), 4)]
        head.append("indices %d %s" % (len(words), " ".join(map(str, words))))
        if self.intervals:
            head.append("regions %d" % max(regions, 1))
        head.append("log %d" % self.log_words(slots))
        with open(folder + "/case.txt", "w", encoding="utf-8") as f:
            f.write("\n".join(head + self.lines) + "\n")
