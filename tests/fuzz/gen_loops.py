# SPDX-License-Identifier: MIT
"""Geometry shaders that hand primitives through and compute each vertex with loops and branches that vertices, push constants, buffers and
what other loops left decide. Most make each vertex of one, but for what now and then is left of the vertex before, or read of another."""
from gen_shaders import INPUTS, INSTANCE_LOCATION, Shaders

KINDS = {"points": "points", "lines": "line_strip", "triangles": "triangle_strip"}
LENGTH = 3          # of the array
GLOBALS = """struct Held { uvec2 a; uint b[2]; };
Held held = Held(uvec2(0u, 1u), uint[2](2u, 3u));
uint first = 1u, second = 2u, array[3] = uint[3](1u, 2u, 3u);
"""
# lavapipe 22.3 reads the first component of a vector in memory where a loop reads another one of it alone: docs/reliability.md.
EXTRA = "(push.extra + uvec4(0u))"
PLACES = ["first", "second", "held.a.x", "held.a.y", "held.b[0]", "held.b[1]"] + ["array[%d]" % k for k in range(LENGTH)]


class LoopShaders(Shaders):
    def __init__(self, rng):
        super().__init__(rng)
        self.input = rng.choice(["points", "lines", "triangles", "triangles"])
        self.output = KINDS[self.input]
        self.invocations = rng.choice([0, 0, 0, 0, 1, 1, 2])
        self.strips = rng.choice([1, 1, 1, 1, 1, 2])
        self.max_vertices = INPUTS[self.input] * self.strips
        self.primitive_id = False  # handed through it would have to be left out
        self.leaks = rng.choice([0, 0, 0, 0, 0.01, 0.03])  # so many values are of another vertex, or of the primitive
        self.kept = rng.choice([0, 0, 0, 0, 1, 2, len(PLACES)])        # so many variables begin as the vertex before left them
        self.functions, self.locals, self.at, self.in_function = [], [], None, False

    # Values. self.at is the number of the vertex, where there is one.

    def given(self, at):
        """A component of an input of that vertex."""
        rng, w = self.rng, self.w
        if rng.random() < 0.3 or not self.between:
            return "floatBitsToUint(gl_in[%s].gl_Position.%s)" % (at, rng.choice("xyzw"))
        place, t = rng.choice(list(rng.choice(self.between).leaves("[%s]" % at)))
        while t.kind != "vec":
            if t.kind == "mat":
                return "floatBitsToUint(%s[%d][%d])" % (place, rng.randrange(t.columns), rng.randrange(t.rows))
            if t.kind == "arr":
                place, t = "%s[%s]" % (place, "0" if rng.random() < 0.5 or t.by_constant() else str(rng.randrange(t.reserve))), t.element
            else:
                name, t = rng.choice(t.members)
                place += "." + name
        return {"uint": "%s", "int": "uint(%s)", "float": "floatBitsToUint(%s)"}[t.base] % (place + ("" if t.n == 1 else "." + "xyzw"[rng.randrange(t.n)]))

    def place(self):
        rng = self.rng
        pick = rng.random()
        if self.locals and pick < 0.5:
            return rng.choice(self.locals)
        if pick < 0.65:
            return "array[%s]" % self.index(LENGTH)
        return "held.b[%s]" % self.index(2) if pick < 0.7 else rng.choice(PLACES)

    def resource(self, seed):
        return super().resource(seed).replace("push.extra", EXTRA)

    def index(self, most):
        if self.rng.random() < 0.85: # else nothing is known of what is written
            return str(self.rng.randrange(most))
        return "uint(%s) %% %du" % (self.at if self.at and self.rng.random() < self.leaks else self.value(1), most)

    def leaf(self):
        rng = self.rng
        if rng.random() < self.leaks:
            return rng.choice([self.given("0"), "uint(gl_PrimitiveIDIn)"] + ["uint(%s)" % self.at] * bool(self.at))
        pick = rng.randrange(10)
        if pick < 2:
            return "%du" % rng.randrange(5)
        if pick < 4:
            return rng.choice(["push.salt", "%s.%s" % (EXTRA, rng.choice("xyzw")), "ubo.rows[%d].%s" % (rng.randrange(16), rng.choice("xyzw")),
                               "ssbo.words[%d]" % rng.randrange(64), "uint(gl_InvocationID)"] + ["uint(%s)" % name for _, name, _, _ in self.spec])
        return self.given(self.at) if pick < 6 and self.at else self.place()

    def value(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.35:
            return self.leaf()
        a, b = self.value(depth - 1), self.value(depth - 1)
        kind = rng.choice(["+", "-", "*", "^", "&", "+", "?", "<", "mixed", "resource"])
        if kind == "?":
            return "(%s ? %s : %s)" % (self.condition_of(a, b), self.value(depth - 1), a)
        if kind == "<":
            return "uint(%s)" % self.condition_of(a, b)
        if kind == "mixed":
            return "mixed(%s)" % a
        return self.resource("(%s)" % a) if kind == "resource" else "(%s %s %s)" % (a, kind, b)

    def condition_of(self, a, b):
        mask = self.rng.choice([1, 3, 7, 0xFFFFFFFF])
        return "(%s & 0x%xu) < (%s & 0x%xu)" % (a, mask, b, mask)

    def decided(self):
        return self.condition_of(self.value(1), self.value(1))

    # Statements

    def lines_of(self, depth, pad, loops):
        """What is declared in there is not seen behind it."""
        known = list(self.locals)
        text = "".join(self.line(depth, pad, loops) for _ in range(self.rng.randint(1, 3)))
        self.locals = known
        return text

    def declared(self, pad):
        name = self.w.fresh("x")
        text = "%suint %s = %s;\n" % (pad, name, self.value())
        self.locals.append(name)
        return text

    def line(self, depth, pad, loops):
        """loops: whether `break` and `continue` are of a loop."""
        rng = self.rng
        pick = rng.random()
        if pick < 0.1:
            return self.declared(pad)
        if pick < 0.45 or depth == 0:
            return "%s%s %s %s;\n" % (pad, self.place(), rng.choice(["=", "=", "+=", "^="]), self.value())
        if pick < 0.65:
            return self.loop(depth, pad)
        if pick < 0.8:
            text = "%sif (%s) {\n%s%s}" % (pad, self.decided(), self.lines_of(depth - 1, pad + "    ", loops), pad)
            return text + (" else {\n%s%s}\n" % (self.lines_of(depth - 1, pad + "    ", loops), pad) if rng.random() < 0.5 else "\n")
        if pick < 0.86 and loops:
            return "%sif (%s)\n%s    %s;\n" % (pad, self.decided(), pad, rng.choice(["break", "continue"]))
        if pick < 0.89 and self.in_function:
            return "%sif (%s)\n%s    return %s;\n" % (pad, self.decided(), pad, self.value(1))
        if pick < 0.93:
            text = "%sswitch (%s & 3u) {\n" % (pad, self.value(1))
            for case in range(2):
                text += "%scase %du: {\n%s%s}\n%s    break;\n" % (pad, case, self.lines_of(depth - 1, pad + "    ", False), pad, pad)
            return text + pad + "}\n"
        if self.functions:
            return "%s%s = %s(%s, %s);\n" % (pad, self.place(), rng.choice(self.functions), self.value(1), self.place())
        return self.line(0, pad, loops)

    def loop(self, depth, pad):
        k, end, kind = self.w.fresh("k"), "(%s & 3u)" % self.value(1), self.rng.randrange(5)
        body = self.lines_of(depth - 1, pad + "    ", True)
        if kind == 0:
            return "%suint %s = 0u;\n%sdo {\n%s%s} while (++%s < %s);\n" % (pad, k, pad, body, pad, k, end)
        if kind == 1:
            return "%suint %s = %s;\n%swhile (%s-- > 0u) {\n%s%s}\n" % (pad, k, end, pad, k, body, pad)
        return "%sfor (uint %s = 0u; %s < %s; %s++) {\n%s%s}\n" % (pad, k, k, end, k, body, pad)

    def seed_of_output(self, seed):
        return "(%s)" % self.value(1)

    def function(self, name):
        self.locals, self.in_function = ["x", "y"], True
        text = "uint %s(uint x, inout uint y)\n{\n%s    return %s;\n}\n" % (name, self.lines_of(2, "    ", False), self.value())
        self.locals, self.in_function = [], False
        return text

    def vertex_of_strip(self, pad):
        rng = self.rng
        begun = rng.sample(PLACES, len(PLACES) - self.kept)
        text = "".join("%s%s = %du;\n" % (pad, place, number) for number, place in enumerate(begun))
        text += "".join(self.declared(pad) for _ in range(rng.randint(1, 2)))
        text += "".join(self.line(3, pad, False) for _ in range(rng.randint(1, 4)))
        return text + self.emit(pad, "(%s)" % self.value())

    def geometry_head(self, functions):
        """All in front of main: what comes in and goes out, and fewer functions than that."""
        text = self.head()
        text += "layout(%s%s) in;\n" % (self.input, ", invocations = %d" % self.invocations if self.invocations else "")
        text += "layout(%s, max_vertices = %d) out;\n" % (self.output, self.max_vertices)
        text += self.vertices_text()
        text += "".join(v.declare("in", "[]") for v in self.between)
        text += "layout(location = %d) flat in uint unit_instance[];\n" % INSTANCE_LOCATION
        text += "".join(v.declare("out") for v in self.after) + GLOBALS
        for name in ["f%d" % i for i in range(self.rng.randrange(functions))]:
            text += self.function(name)
            self.functions.append(name)
        return text

    def geometry(self):
        rng = self.rng
        text = self.geometry_head(3)
        text += "void main()\n{\n" + (self.line(1, "    ", False) if rng.random() < 0.3 else "")
        text += "    for (int strip = 0; strip < %d; strip++) {\n        for (int at = 0; at < %d; at++) {\n" % (self.strips, INPUTS[self.input])
        self.at = "at"
        text += self.vertex_of_strip(" " * 12)
        return text + "        }\n        EndPrimitive();\n    }\n}\n"
