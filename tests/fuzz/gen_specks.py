# SPDX-License-Identifier: MIT
"""Shaders that emit short and longer strips of triangles of about a pixel and far less, and streams that draw them under viewports, scissors, faces
and depth states that change: what covers no sample or faces away may be left out in front of the rasterizer, and nothing else."""
import math
import struct

from gen_stream import FRAGMENT, GEOMETRY, POINTS, TRIANGLES, TRIANGLE_FAN, TRIANGLE_STRIP, VERTEX, Pipeline, Stream

SIDE_PX = 64
STRIPS_OF_REGION = 1500  # a region has strips for one viewport
DATA_WORDS = 64          # in front of the strips, for the uniform buffer
LISTED = 16384           # GS invocations that geometry shaders list by themselves: no large draws (poly_gs/listing.h)
TOPOLOGIES = {"points": [POINTS], "triangles": [TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN]}
# x, y, width, height, and depths
VIEWPORTS = [(0, 0, 64, 64, 0, 1), (0, 64, 64, -64, 0, 1), (-21, 13, 51, 33, 0.25, 0.5), (2.25, 4, 60, 56.5, 0, 1), (0.5, 63.25, 63, -62, 1, 0),
             (-4000, -8000, 8000, 16000, 0, 1), (-16320, -16320, 16384, 16384, 0, 1), (0, 64, 16384, -16384, 0, 1), (30, 9, 7, 2, 0, 1),
             (17, 40, 1, -1, 0, 1), (40, 21, 200, 3, 1, 0), (-300, 70, 1001, -777, 0.5, 0.5)]
VIEWPORT_PX = 16384      # the most of lavapipe
STATES = ("viewport", "scissor", "cull", "front", "bias")  # that may be dynamic, a bit each; the next one: viewport and scissor with counts
WITH_COUNT = 1 << len(STATES)
MOST = float.fromhex("0x1.fffffep127")
WEIGHTS = (1, 1, 1, 0.5, 4, 0.7, 3e-5, 1e20)
ODD_WEIGHTS = (1e-31, 2e35, 2e38, 1e-39)  # of the last two the inverse is not normal, or infinite
STEPS_PX = (0, 0.5, -0.5, 1, -1, 1 / 256, -1 / 256, 1 / 512, -1 / 512, 1 / 1024, 1 / 64)


def fitting(viewport, most_px):
    """The same for drivers whose viewports are smaller: its right end stays, and that of its rows which is in the target."""
    x, y, width, height = viewport[:4]
    cut_x, cut_y = max(0, width - most_px), max(0, abs(height) - most_px)
    return (x + cut_x if x < 0 else x, y + cut_y if y < 0 else y, width - cut_x, height - math.copysign(cut_y, height), *viewport[4:])


def as_float(value):
    if abs(value) > MOST:
        return math.copysign(math.inf, value)
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bits(value):
    return struct.unpack("<I", struct.pack("<f", as_float(value)))[0]


class SpeckShaders:
    """kind: "sure": all strips lie within the clip volume; "odd": some do not, or nowhere, and faces do not count, since
    lavapipe tells how slivers face otherwise where it clips others of the batch; "sized": some do not, but none is a sliver. A bias has
    lavapipe do the same for all that it biases."""

    def __init__(self, rng):
        self.rng = rng
        self.kind = rng.choice(["sure", "sure", "odd", "sized"])
        self.input = rng.choice(["points", "points", "triangles"])
        self.invocations = rng.choice([0, 0, 0, 2, 3])
        self.strips = rng.choice([1, 1, 1, 2, 3])  # of a GS invocation
        self.most_el = rng.choice([3, 4, 4, 9, 40])  # longer ones are cut (PGS_DRAW_CUTS)
        if self.most_el == 9:
            self.strips = rng.choice([1, 2, 3, 12])  # which begin anywhere in words of strip ends
        self.form = rng.choice(["loop", "static", "lengths"])
        self.by_primitive = rng.random() < 0.3
        self.max_vertices = self.strips * self.most_el
        if self.most_el > 4 and rng.random() < 0.4:  # what exceeds it is lost
            self.max_vertices = rng.choice([n for n in (5, 31, 32, 33, 63, 64, 65, 96) if n <= self.max_vertices])
        self.ends_twice = rng.random() < 0.3
        self.layer, self.primitive_id = rng.random() < 0.25, rng.random() < 0.3
        self.cull_distance = rng.random() < 0.15
        self.viewport_px = VIEWPORT_PX
        self.spec, self.capture = [], None
        self.attributes, self.attribute_rates = [], []

    def vertex(self):
        return ("#version 450\nlayout(location = 0) flat out uint number;\n"
                "void main()\n{\n    number = uint(gl_VertexIndex) + uint(gl_InstanceIndex) * 37u;\n"
                "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n}\n")

    def strip(self):
        """Statements that emit strip n."""
        if self.form == "static":
            return "".join("    corner(n, %du);\n" % k for k in range(self.most_el)) + "    EndPrimitive();\n"
        if self.form == "loop":
            return "    for (uint k = 0u; k < length(n); k++)\n        corner(n, k);\n    EndPrimitive();\n"
        return ("    corner(n, 0u);\n    corner(n, 1u);\n    if (length(n) > 2u)\n        corner(n, 2u);\n"
                + "    if (length(n) > 3u)\n        corner(n, 3u);\n" * (self.most_el > 3) + "    EndPrimitive();\n")

    def geometry(self):
        vertices = {"points": 1, "triangles": 3}[self.input]
        text = "#version 450\nlayout(%s%s) in;\n" % (self.input, ", invocations = %d" % self.invocations if self.invocations else "")
        text += "layout(triangle_strip, max_vertices = %d) out;\n" % self.max_vertices
        text += "layout(push_constant) uniform Push\n{\n    uint first, count, positions, salt;\n} push;\n"
        text += "layout(set = 0, binding = 2) readonly buffer Words\n{\n    uint words[];\n} ssbo;\n"
        text += "layout(location = 0) flat in uint number[];\nlayout(location = 0) flat out uint strip;\n"
        text += "out gl_PerVertex\n{\n    vec4 gl_Position;\n%s};\n" % ("    float gl_CullDistance[1];\n" * self.cull_distance)
        text += "uint length(uint n)\n{\n    return min(ssbo.words[%du + n * 2u + 1u], %du);\n}\n" % (DATA_WORDS, self.most_el)
        text += "void corner(uint n, uint k)\n{\n    uint at = push.positions + (ssbo.words[%du + n * 2u] + k) * 4u;\n" % DATA_WORDS
        text += "    gl_Position = uintBitsToFloat(uvec4(%s));\n" % ", ".join("ssbo.words[at%s]" % (" + %du" % i if i else "") for i in range(4))
        text += "    gl_Layer = 0;\n" * self.layer
        text += "    gl_PrimitiveID = int(n ^ push.salt);\n" * self.primitive_id
        text += "    gl_CullDistance[0] = float(int(n % 5u)) - 1.0;\n" * self.cull_distance
        text += "    strip = n * 4u + k;\n    EmitVertex();\n}\n"
        text += "void body(uint n)\n{\n%s}\n" % self.strip()
        text += "void main()\n{\n    uint m = %s * %du + uint(gl_InvocationID) * 11u;\n" % (
            "uint(gl_PrimitiveIDIn)" if self.by_primitive else "number[%d]" % (vertices - 1), self.strips)
        for i in range(self.strips):
            text += "    body(push.first + (m + %du) %% push.count);\n" % i + "    EndPrimitive();\n" * self.ends_twice
        return text + "}\n"

    def fragment(self):
        rng = self.rng
        text = "#version 450\n" + "layout(early_fragment_tests) in;\n" * (rng.random() < 0.3)
        text += "layout(set = 0, binding = 0) buffer Log\n{\n    uint log_[];\n};\n"
        text += "layout(location = 0) flat in uint strip;\nlayout(location = 0) out uint result;\n"
        text += "void main()\n{\n    uint h = (strip + 1u) * 2654435761u;\n"
        text += "    h += uint(gl_PrimitiveID) * 77u;\n" * self.primitive_id
        text += "    h ^= gl_FrontFacing ? 0x5a5a1234u : 0u;\n" * (self.kind != "odd" and rng.random() < 0.5)
        text += "    h ^= h >> 15;\n    uvec2 at = uvec2(gl_FragCoord.xy);\n"
        return text + "    atomicAdd(log_[at.y * %du + at.x], h);\n    result = h | 1u;\n}\n" % SIDE_PX

    def write(self, folder):
        for name, text in (("vert", self.vertex()), ("geom", self.geometry()), ("frag", self.fragment())):
            with open("%s/shader.%s" % (folder, name), "w", encoding="utf-8") as f:
                f.write(text)


class Specks(Stream):
    def resources(self):
        rng = self.rng
        self.say("deep", SIDE_PX)
        self.bindings = []
        self.viewports = rng.sample(VIEWPORTS, 3)
        if rng.random() < 0.5:
            self.viewports[0] = VIEWPORTS[rng.randrange(2)]
        self.viewports = [fitting(viewport, self.shaders.viewport_px) for viewport in self.viewports]
        strips, positions = [], []
        for viewport in self.viewports:
            for number in range(STRIPS_OF_REGION):
                corners = self.corners(viewport, number)
                strips += [len(positions) // 4, len(corners)]
                positions += [w for corner in corners for w in corner]
                for _ in range(len(corners), self.shaders.most_el):  # what a static strip emits besides
                    positions += corners[-1]
        self.positions = DATA_WORDS + len(strips)
        words = [rng.getrandbits(32) for _ in range(DATA_WORDS)] + strips + positions
        self.say("data", len(words), *words)
        self.say("vertices", 4, 0, 0, 0, 0)

    # Strips

    def corners(self, viewport, number):
        rng, kind = self.rng, self.shaders.kind
        x, y, width, height = viewport[:4]
        low, high = (max(0, x), max(0, min(y, y + height))), (min(SIDE_PX, x + width), min(SIDE_PX, max(y, y + height)))
        at = [rng.uniform(low[i], max(high[i], low[i])) for i in range(2)]
        if number % 3 == 0:
            at = [math.floor(at[0]), math.floor(at[1])]
        elif number % 3 == 1:
            at = [math.floor(at[0]) + 0.5, math.floor(at[1]) + 0.5]
        if kind == "sized":
            points = self.sized(at)
        else:
            points = self.steps(at, rng.choice([1 / 64, 0.25, 0.75, 1, 1.5, 3]))
        beyond = kind != "sure" and number % 7 == 0  # all of it
        if beyond:
            points = [[p[0] + 2 * abs(width) + 2 * SIDE_PX, p[1]] for p in points]
        out = [self.place(viewport, p) for p in points]
        if kind != "sure" and number % 16 == 0 and not beyond:
            self.make_odd(out[rng.randrange(len(out))])
        return [[bits(v) for v in corner] for corner in out]

    def steps(self, at, size):
        rng = self.rng
        points = []
        for _ in range(rng.choice([3, 4]) if rng.random() < 0.5 else rng.randint(3, self.shaders.most_el)):
            points.append([c + (rng.choice(STEPS_PX) if rng.random() < 0.25 else rng.uniform(-size, size)) for c in at])
        how = rng.random()
        if how < 0.15:  # a sliver along an edge of another
            t = rng.uniform(-0.5, 1.5)
            points[2] = [points[0][i] + t * (points[1][i] - points[0][i]) + rng.choice(STEPS_PX[5:]) / 4 for i in range(2)]
        elif how < 0.25:
            points[rng.randrange(3)] = list(points[rng.randrange(3)])
        return points

    def sized(self, at):
        """All triangles are at least half a pixel high."""
        rng = self.rng
        size, turn, way = rng.uniform(0.6, 2.5), rng.uniform(0, 7), rng.choice([1, -1])
        points = [[at[0] + size * math.cos(turn + way * a), at[1] + size * math.sin(turn + way * a)] for a in (0, 2.1, 4.2)]
        if rng.random() < 0.5:
            for _ in range(rng.choice([1, self.shaders.most_el - 3]) if self.shaders.most_el > 4 else 1):
                points.append([points[-2][i] + points[-1][i] - points[-3][i] for i in range(2)])
        return points

    def place(self, viewport, point):
        rng = self.rng
        weights = ODD_WEIGHTS if self.shaders.kind == "odd" and rng.random() < 0.2 else WEIGHTS
        w, out = as_float(rng.choice(weights)), []
        for i in range(2):
            ndc = (point[i] - viewport[i]) / (viewport[2 + i] / 2) - 1
            value = as_float(ndc * w)
            out.append(min(max(value, -w), w) if self.shaders.kind == "sure" else value)
        return out + [as_float(rng.choice([0, 1, rng.random(), rng.random()]) * w), w]

    def make_odd(self, corner):
        rng = self.rng
        if self.shaders.kind == "sized":
            corner[2] = rng.choice([-0.5, 1.5]) * corner[3]
            return
        how = rng.randrange(7)
        if how == 0:
            corner[3] = -corner[3]
        elif how == 1:
            corner[3] = rng.choice([0.0, -0.0])
        elif how == 2:
            corner[rng.randrange(4)] = math.nan
        elif how == 3:
            corner[rng.randrange(4)] = rng.choice([math.inf, -math.inf])
        elif how == 4:
            corner[2] = rng.choice([-0.5, 1.5]) * corner[3]
        else:
            corner[rng.randrange(2)] = rng.choice([-1.25, 1.25, 3, -3]) * corner[3]

    # Pipelines and state

    def choose(self, state):
        """Its words. The viewport of a sized strip is its own, as others make it thin."""
        rng = self.rng
        if state == "viewport":
            chosen = self.viewports[self.region] if self.shaders.kind == "sized" else rng.choice(self.viewports)
            return [bits(v) for v in chosen]
        if state == "scissor":
            return rng.choice([(0, 0, 64, 64), (0, 0, 64, 64), (3, 5, 40, 51), (0, 31, 64, 2), (0, 0, 0, 0)])
        if state == "cull":
            return [rng.choice([0, 0, 3]) if self.shaders.kind == "odd" else rng.choice([0, 1, 1, 2, 2, 2, 3])]
        if state == "front":
            return [rng.randrange(2)]
        return [bits(rng.choice([0.0, 1.0, -3.0, 1000.0])), 0, bits(rng.choice([0.0, 0.0, 1.0, -2.0]))]

    def pipelines(self):
        rng = self.rng
        self.all = []
        for _ in range(rng.randint(2, 4)):
            p = Pipeline(False, rng.choice(TOPOLOGIES[self.shaders.input]), False, 0)
            self.region = p.region = rng.randrange(len(self.viewports))
            p.states = rng.choice([0, WITH_COUNT * 2 - 1, rng.randrange(2 * WITH_COUNT)])
            if p.states & WITH_COUNT:
                p.states |= 3
            self.all.append(p)
            clamp, depth, bias = int(rng.random() < 0.25), int(rng.random() < 0.3), int(self.shaders.kind != "sure" and rng.random() < 0.3)
            self.say("raster", *self.choose("viewport"), *self.choose("scissor"), clamp, depth, bias, *self.choose("bias"), p.states)
            self.say("pipeline", 0, p.topology, 0, *self.choose("cull"), *self.choose("front"), int(self.last), 0)

    def set_state(self, p):
        """What is dynamic, if it is not known, or now and then all the same."""
        for i, state in enumerate(STATES):
            if not p.states >> i & 1:
                self.known.pop(state, None)  # a pipeline's own replaces it
                continue
            name = state + "s" if p.states & WITH_COUNT and i < 2 else state
            own = state == "viewport" and self.shaders.kind == "sized"
            if self.known.get(state) != (name, self.region if own else 0) or self.rng.random() < 0.4:
                self.say(name, *self.choose(state))
                self.known[state] = (name, self.region if own else 0)

    # Draws

    def draw(self, p):
        """Often the last one again, with other state."""
        if self.again and self.rng.random() < 0.6:
            self.region, words = self.again
            self.set_state(p)
            self.say(*words)
        else:
            self.new_draw(p)

    def new_draw(self, p):
        rng = self.rng
        self.region = p.region
        if p.states & 1 or self.shaders.kind != "sized":
            self.region = rng.randrange(len(self.viewports))
        self.set_state(p)
        large = rng.random() < 0.4 and self.shaders.max_vertices <= 40  # others take too long
        primitives = LISTED // max(self.shaders.invocations, 1) + 1 if large else rng.choice([40, 150, 400, 900])
        count = primitives * (3 if p.topology == TRIANGLES else 1) + 2
        strips = rng.choice([STRIPS_OF_REGION, STRIPS_OF_REGION, 200])
        self.first_instance = rng.choice([0, 0, 3])
        words = [self.region * STRIPS_OF_REGION + rng.choice([0, STRIPS_OF_REGION - strips]), strips, self.positions, rng.getrandbits(8)]
        self.say("push", VERTEX | GEOMETRY | FRAGMENT, 0, 4, *words)
        instances = rng.choice([1, 1, 1, 2])
        if large or rng.random() < 0.7:
            words = ("draw", count, instances, rng.choice([0, 0, 7]), self.first_instance)
            self.say(*words)
            self.again = self.region, words
        else:
            self.indexed(min(count, 150), instances, False)

    def passes(self):
        rng = self.rng
        self.known = {}
        for number in range(rng.randint(1, 3)):
            secondary = rng.random() < 0.2
            if secondary:
                self.known = {}
            self.say("pass", int(number > 0 and rng.random() < 0.7), int(secondary))
            bound = self.again = None
            for _ in range(rng.randint(1, 6)):
                p = rng.randrange(len(self.all)) if bound is None or rng.random() < 0.4 else bound
                if p != bound or rng.random() < 0.1:
                    self.bind(p)
                    bound, self.again = p, None
                self.draw(self.all[p])
            self.say("end")
            if secondary:
                self.known = {}
            if rng.random() < 0.3:
                self.say("submit")
                self.known = {}
        if self.lines[-1] != "submit":
            self.say("submit")

    def log_words(self, slots):
        return SIDE_PX * SIDE_PX
