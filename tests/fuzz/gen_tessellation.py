# SPDX-License-Identifier: MIT
"""Random control and evaluation shaders between a vertex shader and, maybe, a geometry shader. Where there is one, some
sets have an evaluation shader in front of the rasterizer, too (short.tese), and a vertex shader in front of the geometry
shader (plain.vert), for other pipelines of the same streams.

Two tessellators need not agree about coordinates, triangles, nor their order in a patch (docs/draws.md). So there are two kinds of
sets. Of one kind what a vertex is, but for its position, depends on its patch alone: then drivers must agree about all that is
counted, captured and drawn. In the other one coordinates decide, bit by bit: then modes of the layer on one driver must agree, and
drivers about what stands in front of the tessellator and how much comes out of it. write() says in compare.json which kind it is.
"""
import json
import math
import struct

from gen_loops import EXTRA
from gen_shaders import INPUTS, INSTANCE_LOCATION, LOG_WORDS, Shaders
from gen_stream import TOPOLOGIES

DOMAINS = ("triangles", "quads", "isolines")
SPACINGS = ("equal_spacing", "fractional_even_spacing", "fractional_odd_spacing")
OUTER, INNER = {"triangles": 3, "quads": 4, "isolines": 2}, {"triangles": 1, "quads": 2, "isolines": 0}
PATCH_LOCATION, SEED_LOCATION = 14, 27  # variables of patches lie from here on, and the layer's instance behind the seed
TOTAL_COMPONENTS = 1900                 # of all that a control shader puts out
LEVELS = (1.0, 1.0, 2.0, 3.0, 2.5, 1.5, 3.25, 4.0, 5.0, 6.75, 7.0, 0.25, 1.0078125, 2.0078125, 8.0)
NO_LEVELS = (0.0, -0.0, -1.0, math.nan, -math.inf)
HIGH_LEVELS = (16.0, 31.5, 33.0, 62.5, 63.0, 63.5, 64.0, 64.5, 65.0, 1000.0, 3e38, math.inf)
# Coordinates that drivers agree about if spacing is equal: no multiple of 1/192, or of 1/3 of 1/n, is near a step.
ROUGH = "floor(gl_TessCoord * 16.0 + 1.0 / 378.0)"
LOG = "layout(set = 0, binding = 0) buffer Log\n{\n    uint log_[];\n};\n"
# Words of a patch in the log: how often it ran and the sum of what was seen, of control and geometry shaders; what evaluation
# shaders saw is put together so that it does not matter how often they run.
CONTROL_LOG, EVALUATION_LOG, GEOMETRY_LOG = 0, 2, 4
GEOMETRY_WORDS = 3


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


class TessellationShaders(Shaders):
    def __init__(self, rng):
        super().__init__(rng)
        self.domain, self.spacing, self.order = rng.choice(DOMAINS), rng.choice(SPACINGS), rng.choice(["cw", "ccw"])
        self.point_mode = rng.random() < 0.25
        self.has_geometry = rng.random() < 0.5
        self.mixes = self.has_geometry and rng.random() < 0.5  # with pipelines without a geometry shader or without tessellation
        self.views, self.sees_view = 1, 0.0  # and how often it is read where something is
        self.by_patch = rng.random() < 0.6
        self.points = [rng.choice([1, 1, 2, 3, 3, 4, 4, 5, 7, 9, 16, 31, 32]) for _ in range(rng.randint(1, 3))]
        self.out = rng.choice([1, 1, 2, 3, 3, 4, 4, 5, 8, 16, 17, 32])
        self.input = "points" if self.point_mode else "lines" if self.domain == "isolines" else "triangles"
        if self.has_geometry:
            self.invocations = rng.choice([0, 0, 0, 0, 1, 2, 3, 7])
        else:
            self.invocations = 0
            self.output = {"points": "points", "lines": "line_strip", "triangles": "triangle_strip"}[self.input]
        self.clip_control = rng.choice([0, self.clip_in])
        self.to_control = self.between
        self.to_evaluation = self.interface("c", min(12, TOTAL_COMPONENTS // self.out // 4 - 3))
        self.of_patch = self.interface("p", SEED_LOCATION - PATCH_LOCATION - 1)
        self.between = self.interface("e", INSTANCE_LOCATION) if self.has_geometry else []
        for v in self.of_patch:
            v.location += PATCH_LOCATION
        for v in self.to_control + self.to_evaluation + self.of_patch:
            v.flat = False
        self.large = rng.random() < 0.2
        self.levels = [rng.choice(LEVELS) for _ in range(8)]
        for i in range(8):
            if rng.random() < 0.1:
                self.levels[i] = rng.choice(NO_LEVELS)
        for i in range(rng.randint(1, 2) if self.large else 0):
            self.levels[i] = rng.choice(HIGH_LEVELS)
        self.dynamic_points = self.indexes_many = True  # there may be such
        self.restarts = rng.random() < 0.25  # behind a restart lavapipe 22.3 numbers patches anew
        self.sees_number = not self.by_patch or rng.random() < 0.3  # the geometry shader, in gl_PrimitiveIDIn
        self.rough = (self.mixes or not self.has_geometry) and (self.point_mode or self.domain == "isolines" or (not self.by_patch and rng.random() < 0.3))
        self.logging = [stage for stage in ("control", "evaluation", "geometry") if rng.random() < 0.7]
        if self.large:  # what stores and finds no memory is lost: docs/draws.md
            self.logging = [stage for stage in self.logging if stage == "control"]
        self.writes_all = rng.random() < 0.7 or self.domain == "isolines"  # levels, also those that nobody asks for
        if self.domain == "isolines" and rng.random() < 0.5:
            self.writes_all = False

    def several_views(self, rng):
        """The same set for several views: what stores may run once for each view, or for all, and lavapipe 22.3 draws all views in the
        first one where vertices are clipped."""
        self.views, self.sees_view = rng.randint(2, 3), rng.choice([0.0, 0.05, 0.3])
        self.logs, self.clip, self.clip_in, self.clip_control = False, 0, 0, 0

    # Statements

    def head(self):
        text = super().head()
        return text.replace("#version 450\n", "#version 450\n#extension GL_EXT_multiview : require\n") if self.views > 1 else text

    def resource(self, seed):
        if self.views > 1 and self.rng.random() < self.sees_view:
            return "uint(gl_ViewIndex)"
        return super().resource(seed).replace("push.extra", EXTRA)

    def work(self, pad, depth, look):
        """Statements that change `state` and `hash`. look(pad, seed): one that sees something."""
        rng, inner = self.rng, pad + "    "
        pick = rng.randrange(9 if depth else 6)
        if pick < 3:
            return look(pad, rng.choice(["hash", "state"]))
        if pick == 3:
            return "%sstate = mixed(state + %s);\n" % (pad, self.resource("hash"))
        if pick < 6:
            return "%sstate ^= hash * %s;\n" % (pad, self.w.salt())
        if pick == 6:
            i, end = self.w.fresh("n"), self.w.fresh("e")
            bound = rng.choice(["2u", "(hash & 3u)", "(state & 3u)", "(%s & 3u)" % self.resource("state")])
            leave = "%sif ((hash & 7u) == 0u)\n%s    %s;\n" % (inner, inner, rng.choice(["break", "continue"])) if rng.random() < 0.3 else ""
            return "%sfor (uint %s = 0u, %s = %s; %s < %s; %s++) {\n%s%s%s%s}\n" % (
                pad, i, end, bound, i, end, i, "%sstate += %s;\n" % (inner, i), leave, self.work(inner, depth - 1, look), pad)
        if pick == 7:
            text = "%sif (%s) {\n%s%s}" % (pad, self.decided(), self.work(inner, depth - 1, look), pad)
            return text + (" else {\n%s%s}\n" % (self.work(inner, depth - 1, look), pad) if rng.random() < 0.5 else "\n")
        text = "%sswitch (state & 3u) {\n" % pad
        for case in range(2):
            text += "%scase %du: {\n%s%s}\n%s    break;\n" % (pad, case, self.work(inner, depth - 1, look), pad, pad)
        return text + pad + "}\n"

    def decided(self):
        return self.rng.choice(["(state & 1u) == 0u", "(hash & 2u) != 0u", "gl_PrimitiveID % 3 == 1", "gl_PatchVerticesIn > 3",
                                "%s > 0x60000000u" % self.resource("state")])

    def seen_vertex(self, pad, array, variables, at, clip):
        """Sees something of a vertex of gl_in or gl_out."""
        rng, w = self.rng, self.w
        if clip and rng.random() < 0.3:
            return "%ssee(floatBitsToUint(%s[%s].gl_ClipDistance[%d]));\n" % (pad, array, at, rng.randrange(clip))
        if not variables or rng.random() < 0.3:
            return "%ssee(floatBitsToUint(%s[%s].%s));\n" % (pad, array, at, rng.choice(["gl_Position.x", "gl_Position.y", "gl_Position.w", "gl_PointSize"]))
        v = rng.choice(variables)
        return "".join(w.see(t, p, pad) for p, t in v.leaves("[%s]" % at))

    def all_vertices(self, pad, array, variables, end, clip):
        i = self.w.fresh("k")
        return "%sfor (int %s = 0; %s < %s; %s++) {\n%s%s}\n" % (
            pad, i, i, end, i, self.seen_vertex(pad + "    ", array, variables, i, clip), pad)

    def prologue(self):
        return "uint state = %s, hash = 1u;\nvoid see(uint x)\n{\n    hash = mixed(hash ^ x);\n}\n" % self.w.salt()

    def per_vertex(self, direction, name, clip):
        return "%s gl_PerVertex\n{\n    vec4 gl_Position;\n    float gl_PointSize;\n%s} %s;\n" % (
            direction, "    float gl_ClipDistance[%d];\n" % clip if clip else "", name)

    def slot(self, instance):
        return "(push.base + (%s * push.units + uint(gl_PrimitiveID)) * %du) * %du" % (instance, max(self.invocations, 1), LOG_WORDS)

    # Control

    def look_at_inputs(self, pad, seed):
        rng = self.rng
        pick = rng.randrange(8)
        if pick == 0:
            return "%ssee(uint(%s));\n" % (pad, rng.choice(["gl_PrimitiveID", "gl_PatchVerticesIn", "gl_InvocationID"]))
        if pick == 1:
            return self.all_vertices(pad, "gl_in", self.to_control, "gl_PatchVerticesIn", self.clip_in)
        at = rng.choice(["gl_InvocationID % gl_PatchVerticesIn", str(rng.randrange(min(self.points))), "%s %% uint(gl_PatchVerticesIn)" % seed,
                         "(gl_InvocationID + %d) %% gl_PatchVerticesIn" % rng.randint(1, 5)])
        return self.seen_vertex(pad, "gl_in", self.to_control, at, self.clip_in)

    def look_at_outputs(self, pad, seed):
        rng = self.rng
        if rng.random() < 0.2:
            return self.look_at_inputs(pad, seed)
        if rng.random() < 0.2:
            return self.all_vertices(pad, "gl_out", self.to_evaluation, self.out, self.clip_control)
        at = rng.choice(["gl_InvocationID", str(rng.randrange(self.out)), "%s %% %du" % (seed, self.out),
                         "(gl_InvocationID + %d) %% %d" % (rng.randint(1, 5), self.out)])
        return self.seen_vertex(pad, "gl_out", self.to_evaluation, at, self.clip_control)

    def own_outputs(self, seed, variables):
        text = ""
        for v in variables:
            for place, t in v.leaves("[gl_InvocationID]"):
                text += self.w.fill(t, place, seed, "    ")
        return text

    def own_built_ins(self, seed):
        own = "gl_out[gl_InvocationID]."
        text = "    %sgl_Position = vec4(small(%s + 1u), small(%s + 2u), small(%s + 3u), 1.0);\n" % (own, seed, seed, seed)
        if self.rng.random() < 0.3:
            text = "    %sgl_Position = gl_in[%s %% uint(gl_PatchVerticesIn)].gl_Position;\n" % (own, seed)
        text += "    %sgl_PointSize = 1.0 + float(%s & 7u);\n" % (own, seed)
        return text + "".join("    %sgl_ClipDistance[%d] = small(%s + %du);\n" % (own, i, seed, i + 9) for i in range(self.clip_control))

    def levels_text(self, pad):
        rng = self.rng
        outer, inner = (4, 2) if self.writes_all else (OUTER[self.domain], INNER[self.domain])
        if rng.random() < 0.2:
            text = "%sfloat every = level(alike);\n" % pad
            text += "".join("%sgl_TessLevelOuter[%d] = every;\n" % (pad, i) for i in range(outer))
            return text + "".join("%sgl_TessLevelInner[%d] = every;\n" % (pad, i) for i in range(inner))
        text = ""
        if rng.random() < 0.3:
            text += "%sfor (int i = 0; i < %d; i++)\n%s    gl_TessLevelOuter[i] = level(alike + uint(i) * %s);\n" % (pad, outer, pad, self.w.salt())
        else:
            text += "".join("%sgl_TessLevelOuter[%d] = level(alike + %s);\n" % (pad, i, self.w.salt()) for i in range(outer))
        return text + "".join("%sgl_TessLevelInner[%d] = level(alike + %s);\n" % (pad, i, self.w.salt()) for i in range(inner))

    def patch_text(self):
        """What is written once for a patch: by one invocation, by each the same, or each variable by another one. All know `alike`."""
        rng, how, w = self.rng, self.rng.randrange(3), self.w
        parts = ["        patch_seed = alike;\n        patch_instance = unit_instance[0];\n", self.levels_text("        ")]
        parts += ["".join(w.fill(t, place, "alike", "        ") for place, t in v.leaves()) for v in self.of_patch]
        if how == 0:
            return "    if (gl_InvocationID == %d) {\n%s    }\n" % (rng.randrange(self.out), "".join(parts))
        if how == 1:
            return "    {\n%s    }\n" % "".join(parts)
        return "".join("    if (gl_InvocationID == %d) {\n%s    }\n" % ((i + rng.randrange(2)) % self.out, part) for i, part in enumerate(parts))

    def control(self):
        rng, w = self.rng, self.w
        text = self.head() + "layout(vertices = %d) out;\n" % self.out
        text += self.per_vertex("in", "gl_in[gl_MaxPatchVertices]", self.clip_in) + self.per_vertex("out", "gl_out[]", self.clip_control)
        text += "".join(v.declare("in", "[]") for v in self.to_control)
        text += "layout(location = %d) flat in uint unit_instance[];\n" % INSTANCE_LOCATION
        text += "".join(v.declare("out", "[]") for v in self.to_evaluation) + "".join(v.declare("patch out") for v in self.of_patch)
        text += "layout(location = %d) patch out uint patch_seed;\nlayout(location = %d) patch out uint patch_instance;\n" % (SEED_LOCATION, SEED_LOCATION + 1)
        logs = self.logs and "control" in self.logging
        text += LOG * logs + self.prologue()
        text += "const uint levels[8] = uint[8](%s);\n" % ", ".join("0x%xu" % bits(x) for x in self.levels)
        text += "float level(uint x)\n{\n    return uintBitsToFloat(levels[mixed(x) & 7u]);\n}\n"
        text += "void main()\n{\n    see(uint(gl_PrimitiveID) + uint(gl_InvocationID) * 7u);\n"
        text += "".join(self.work("    ", 2, self.look_at_inputs) for _ in range(rng.randint(1, 4)))
        late = [v for v in self.to_evaluation if rng.random() < 0.2]
        text += "    uint seed = mixed(hash ^ state);\n" + self.own_built_ins("seed") + self.own_outputs("seed", [v for v in self.to_evaluation if v not in late])
        every, self.to_evaluation = self.to_evaluation, [v for v in self.to_evaluation if v not in late]
        text += "    barrier();\n"
        text += "".join(self.work("    ", 2, self.look_at_outputs) for _ in range(rng.randrange(3)))
        own = "    uint found = hash ^ state;\n"
        if rng.random() < 0.3:  # written once more, when all have read
            own += "    barrier();\n" + self.own_outputs("(found + 5u)", self.to_evaluation[:1]) + "    barrier();\n"
        text += own + self.own_outputs("found", late)
        text += "    hash = 1u;\n    state = uint(gl_PrimitiveID);\n"
        text += self.all_vertices("    ", "gl_out", self.to_evaluation, self.out, self.clip_control)
        if rng.random() < 0.5:
            text += self.all_vertices("    ", "gl_in", self.to_control, "gl_PatchVerticesIn", self.clip_in)
        self.to_evaluation = every
        text += "    uint alike = mixed(hash + state);\n" + self.patch_text()
        if logs:
            text += "    uint slot = %s;\n    if (slot + %du <= uint(log_.length())) {\n" % (self.slot("unit_instance[0]"), LOG_WORDS)
            text += "        atomicAdd(log_[slot + %du], 1u);\n        atomicAdd(log_[slot + %du], mixed(found ^ alike));\n    }\n" % (CONTROL_LOG, CONTROL_LOG + 1)
        return text + "}\n"

    # Evaluation

    def look_at_patch(self, pad, seed):
        rng, w = self.rng, self.w
        pick = rng.randrange(10)
        if pick == 0:
            return "%ssee(uint(%s));\n" % (pad, rng.choice(["gl_PrimitiveID", "gl_PatchVerticesIn", "patch_instance"]))
        if pick == 1:
            which = ["gl_TessLevelOuter[%d]" % i for i in range(OUTER[self.domain])] + ["gl_TessLevelInner[%d]" % i for i in range(INNER[self.domain])]
            return "%ssee(%s > %d.5 ? 1u : 0u);\n" % (pad, rng.choice(which), rng.randint(1, 5))
        if pick == 2:
            return self.all_vertices(pad, "gl_in", self.to_evaluation, rng.choice(["gl_PatchVerticesIn", self.out]), self.clip_control)
        if pick < 5 and self.of_patch:
            return "".join(w.see(t, p, pad) for p, t in rng.choice(self.of_patch).leaves())
        if pick < 7 and not self.by_patch:
            return "%ssee(floatBitsToUint(gl_TessCoord%s));\n" % (pad, rng.choice([".x", ".y", ".z", "[%s %% 3u]" % seed]))
        at = rng.choice([str(rng.randrange(self.out)), "%s %% %du" % (seed, self.out), "%s %% uint(gl_PatchVerticesIn)" % seed])
        return self.seen_vertex(pad, "gl_in", self.to_evaluation, at, self.clip_control)

    def position(self, has_geometry):
        """In front of the rasterizer a patch covers a square of pixels, whose diagonal meets no middle of a pixel, or half of it."""
        rng = self.rng
        if has_geometry:
            return "    gl_Position = vec4(small(h + 1u), small(h + 2u), small(h + 3u), 1.0);\n"
        side = rng.choice([4, 8, 16])
        seed = "patch_seed" if self.by_patch or rng.random() < 0.7 else "h"
        text = "    precise vec2 at = %s;\n" % ((ROUGH + ".xy / 16.0") if self.rough else "gl_TessCoord.xy")
        text += "    precise vec2 place = vec2(float(%s & 31u), float((%s >> 8) & 31u)) + vec2(0.25) + at * %d.0;\n" % (seed, seed, side)
        return text + "    gl_Position = vec4(place / 32.0 - vec2(1.0), float((%s >> 16) & 7u) / 8.0, 1.0);\n" % seed

    def evaluation_vertices(self, has_geometry):
        """The built-ins of what the shader reads and what it puts out."""
        text = self.per_vertex("in", "gl_in[gl_MaxPatchVertices]", self.clip_control)
        clip, captures = (self.clip_in, None) if has_geometry else (self.clip, self.capture)
        text += captures.strides_text() if captures else ""
        members = ["vec4 gl_Position", "float gl_PointSize"] + ["float gl_ClipDistance[%d]" % clip] * (clip > 0)
        place, offsets = captures.built_ins(members) if captures else ("", [""] * len(members))
        return text + "%sout gl_PerVertex\n{\n%s};\n" % (place, "".join("    %s%s;\n" % m for m in zip(offsets, members)))

    def evaluation(self, has_geometry):
        rng, w = self.rng, self.w
        outputs = self.between if has_geometry else self.after
        text = self.head() + "layout(%s) in;\n" % ", ".join([self.domain, self.spacing, self.order] + ["point_mode"] * self.point_mode)
        text += self.evaluation_vertices(has_geometry)
        text += "".join(v.declare("in", "[]") for v in self.to_evaluation) + "".join(v.declare("patch in") for v in self.of_patch)
        text += "layout(location = %d) patch in uint patch_seed;\nlayout(location = %d) patch in uint patch_instance;\n" % (SEED_LOCATION, SEED_LOCATION + 1)
        text += "".join(v.declare("out") for v in outputs)
        if has_geometry:
            text += "layout(location = %d) flat out uint unit_instance;\n" % INSTANCE_LOCATION
            text += "layout(location = %d) flat out uint unit_patch;\n" % (INSTANCE_LOCATION + 1)
        logs = self.logs and "evaluation" in self.logging
        text += LOG * logs + self.prologue() + "void main()\n{\n"
        text += "".join(self.work("    ", 2, self.look_at_patch) for _ in range(rng.randint(1, 4)))
        if not self.by_patch:
            text += "    see(floatBitsToUint(gl_TessCoord.x));\n    see(floatBitsToUint(gl_TessCoord.y));\n"
        text += "    uint h = mixed(hash ^ state);\n" + self.position(has_geometry)
        size = "1.0" if not has_geometry and rng.random() < 0.6 else "1.0 + float(h & 3u)"
        text += "    gl_PointSize = %s;\n" % size
        for i in range(self.clip_in if has_geometry else self.clip):
            text += "    gl_ClipDistance[%d] = float(int((h >> %d) & 15u) - %d);\n" % (i, i + 4, rng.randint(0, 5))
        for v in outputs:
            for place, t in v.leaves():
                text += w.fill(t, place, "h", "    ")
        text += "    unit_instance = patch_instance;\n    unit_patch = uint(gl_PrimitiveID);\n" * has_geometry
        if logs:
            text += "    uint slot = %s;\n    if (slot + %du <= uint(log_.length())) {\n" % (self.slot("patch_instance"), LOG_WORDS)
            text += "        uvec3 rough = uvec3(%s);\n        uint seen = mixed(rough.x + rough.y * 32u + rough.z * 1024u ^ %s);\n" % (
                ROUGH, "h" if self.by_patch else "patch_seed")
            text += "".join("        atomicOr(log_[slot + %du], 1u << ((seen >> %d) & 31u));\n" % (EVALUATION_LOG + i, 8 * i) for i in range(2)) + "    }\n"
        return text + "}\n"

    # The other stages

    def outputs_of_vertex(self):
        return self.to_control

    def plain_vertex(self):
        """In front of the geometry shader."""
        self.to_control, kept = self.between, self.to_control
        text, self.to_control = self.vertex(), kept
        text = text.replace("void main()", "layout(location = %d) flat out uint unit_patch;\nvoid main()" % (INSTANCE_LOCATION + 1))
        return text[:-2] + "    unit_patch = uint(gl_VertexIndex) & 7u;\n}\n"

    def declare_log(self):
        return LOG + "uint slot;\n"

    def see_in_log(self):
        return ""

    def begin_log(self):
        return "    slot = %s;\n" % self.slot("unit_instance[0]").replace("gl_PrimitiveID", "gl_PrimitiveIDIn")

    def end_log(self):
        words = ("1u", "hash", "uint(emitted)")
        return "    if (slot + %du <= uint(log_.length())) {\n%s    }\n" % (
            LOG_WORDS, "".join("        atomicAdd(log_[slot + %du], %s);\n" % (GEOMETRY_LOG + i, word) for i, word in enumerate(words)))

    def geometry(self):
        logs, self.logs = self.logs, self.logs and "geometry" in self.logging
        text = super().geometry()
        self.logs = logs
        text = text.replace("flat in uint unit_instance[];\n", "flat in uint unit_instance[];\nlayout(location = %d) flat in uint unit_patch[];\n" % (INSTANCE_LOCATION + 1))
        if not self.sees_number:  # lavapipe 22.3 and 25.0 number what comes out of patches there, and not patches
            text = text.replace("gl_PrimitiveIDIn", "int(unit_patch[0])")
        return text

    def statistics(self):
        """Of which each takes one word of a query."""
        primitives, geometry_primitives, patches = 2, 16, 256  # VkQueryPipelineStatisticFlagBits
        return patches | (geometry_primitives if self.has_geometry else primitives)

    def comparable(self):
        """What another tessellator must give, too: results by name, and of the log these words of a patch."""
        if self.restarts:
            return {"what": [], "words": [], "of": LOG_WORDS}
        equal, only_geometry = self.spacing == "equal_spacing", self.has_geometry and not self.mixes
        words = [CONTROL_LOG, CONTROL_LOG + 1] + [EVALUATION_LOG, EVALUATION_LOG + 1] * equal
        what, by_patch = ["log"], self.by_patch and not (self.has_geometry and self.sees_number)
        if not (self.has_geometry and self.sees_number):
            words += [GEOMETRY_LOG + i for i in range(GEOMETRY_WORDS if by_patch else 1)]
        if by_patch or not self.has_geometry:
            what += ["counters", "queries"]
        if by_patch:
            # Rough points lie elsewhere where segments differ; the number of a fragment is as in geometry shaders.
            what += ["image"] * ((equal or not self.rough) and (only_geometry or not self.primitive_id))
            what += ["capture"] * (only_geometry or not self.capture or self.capture.built_in is None)
        return {"what": what, "words": words, "of": LOG_WORDS}

    def write(self, folder):
        text = {"shader.vert": self.vertex(), "shader.tesc": self.control(), "shader.tese": self.evaluation(self.has_geometry),
                "shader.frag": self.fragment()}
        if self.has_geometry:
            text["shader.geom"] = self.geometry()
        if self.mixes:
            text["short.tese"], text["plain.vert"] = self.evaluation(False), self.plain_vertex()
        for name, lines in text.items():
            with open("%s/%s" % (folder, name), "w", encoding="utf-8") as f:
                f.write(lines)
        with open(folder + "/compare.json", "w", encoding="utf-8") as f:
            json.dump(self.comparable(), f)


PATCHES = 10  # VkPrimitiveTopology
WHOLE, SHORT, PLAIN = 0, 2, 3  # pipelines: all shaders; no geometry shader; no tessellation
MOST_VERTICES = 2000


def with_patches(base):
    """A class like base, whose emulated draws are of patches."""

    class Patched(base):
        VERTICES = MOST_VERTICES + 300
        STAGES = base.STAGES | 2 | 4

        def topologies(self, p):
            return TOPOLOGIES[self.shaders.input] if p.kind == PLAIN else [PATCHES]

        def say_target(self):
            if self.shaders.views > 1:
                self.say("views", 64, self.shaders.views)
            else:
                super().say_target()

        def may_restart(self, p, topology):
            return self.shaders.restarts if topology == PATCHES else super().may_restart(p, topology)

        def before_pipeline(self, p):
            shaders, rng = self.shaders, self.rng
            if shaders.mixes and not p.native:
                p.kind = rng.choice([WHOLE, WHOLE, SHORT, PLAIN])
                if p.kind == PLAIN:
                    p.topology = rng.choice(self.topologies(p))
                    p.restart = self.may_restart(p, p.topology) and rng.random() < 0.5
            p.patches = p.topology == PATCHES
            p.points = rng.choice(shaders.points) if p.patches else 0
            p.dynamic_points = shaders.dynamic_points and p.patches and rng.random() < 0.3
            self.say("patch", p.points, int(p.patches and rng.random() < 0.3), int(p.dynamic_points))

        def vertices_of(self, p, count):
            """Of a draw that would have so many primitives."""
            rng = self.rng
            if not p.patches:
                return count
            points = rng.choice(self.shaders.points) if p.dynamic_points else p.points
            if p.dynamic_points:
                self.say("points", points)
            self.points = points
            if self.shaders.large:
                count = min(count, rng.randint(1, 12))
            elif rng.random() < 0.04:
                count = rng.randint(500, 700)
            return min(count * points + rng.choice([0, 0, 0, 1, points - 1]), MOST_VERTICES)

        def may_index(self, count):
            return count <= 1024 or self.shaders.indexes_many

        def indexed(self, count, instances, restart):
            if self.may_index(count):
                return super().indexed(count, instances, restart)
            self.say("draw", count, instances, 3, self.first_instance)
            return None

        def indexed_again(self, count, instances, restart):  # of Repeats
            if self.may_index(count):
                super().indexed_again(count, instances, restart)
            else:
                self.indexed(count, instances, restart)

        def units_of(self, p, count):
            return count // self.points if p.patches else count

    return Patched
