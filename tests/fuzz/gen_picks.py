# SPDX-License-Identifier: MIT
"""Geometry shaders that emit copies of their input vertices: edges, ends, halves and fans of primitives, as conditions, loops and switches
over any data choose. Each copy is made by one function of one vertex, which computes as gen_loops.py does. Some break a rule of such
shaders (docs/draws.md): the layer must see that, and draw them otherwise."""
from gen_loops import LoopShaders
from gen_shaders import INPUTS

OUTPUTS = ["points", "line_strip", "line_strip", "triangle_strip"]
KINDS = {"points": 1, "line_strip": 2, "triangle_strip": 3}
MOST = 8  # vertices of what is picked (poly_gs/pick.h)
# Of four shaders one breaks a rule, by: a vertex of two, one that the last one decides, another function, an index that data are, a
# number of rounds that data are, a switch over emits, several invocations.
MISSES = ["leak", "kept", "other", "index", "rounds", "switch", "invocations"]


class PickShaders(LoopShaders):
    def __init__(self, rng):
        self.is_plain = rng.random() < 0.8  # without arrays, which take loops: vertex shaders that loop are not run twice
        super().__init__(rng)
        self.input = rng.choice(["points", "lines", "triangles", "triangles", "lines_adjacency", "triangles_adjacency"])
        self.corners = INPUTS[self.input]
        self.output = rng.choice(OUTPUTS)
        self.strips, self.miss = 1, rng.choice(MISSES) if rng.random() < 0.25 else None
        # As many strips as there are vertices must be possible: natively lavapipe 22.3 has memory for those that are long enough.
        self.left = rng.randint(1, MOST - KINDS[self.output])
        self.max_vertices = self.left + KINDS[self.output]
        self.invocations = 2 if self.miss == "invocations" else 0
        self.leaks = 0.05 if self.miss == "leak" else 0
        self.kept = 2 if self.miss == "kept" else 0
        self.is_long = rng.random() < 0.3 or self.miss == "kept"
        self.inlines = rng.random() < 0.2  # the function is written out where it is called

    def type(self, depth, spec=True):
        found = super().type(depth, spec)
        while self.is_plain and found.kind == "arr":
            found = super().type(depth, spec)
        return found

    def sized(self, element):
        return element if self.is_plain else super().sized(element)

    def vertex(self):
        text = super().vertex()
        while self.is_plain and " for (" in text:
            text = super().vertex()
        return text

    # The function of one vertex

    def emit(self, pad, seed):
        return super().emit(pad, "(%s + %s)" % (self.given("at"), seed))

    def leaf(self):
        if self.is_long or self.rng.random() < self.leaks:
            return super().leaf()
        return self.rng.choice(([self.given(self.at)] if self.at else []) + [self.resource("3u"), "%du" % self.rng.randrange(5)] + self.locals)

    def vertex_of_strip(self, pad):
        return super().vertex_of_strip(pad) if self.is_long else self.declared(pad) + self.emit(pad, "(%s)" % self.value())

    # What decides, in main()

    def any_value(self, depth=1):
        """Of any vertices, and of all else that there is."""
        rng = self.rng
        if depth and rng.random() < 0.6:
            return "(%s %s %s)" % (self.any_value(depth - 1), rng.choice("+-^&*"), self.any_value(depth - 1))
        pick = rng.randrange(8)
        if pick < 5:
            return self.given(str(rng.randrange(self.corners)))
        return "uint(gl_PrimitiveIDIn)" if pick == 5 else self.resource("7u") if pick == 6 else "mixed(%s)" % self.given("0")

    def any_condition(self, at=None):
        """at: the number of a loop."""
        of_loop = "uint(%s)" % at if self.rng.random() < 0.3 else self.given("%s" % at) if at else None
        a = of_loop if at and self.rng.random() < 0.7 else self.any_value()
        return self.condition_of(a, self.any_value())

    def turned(self, at):
        """The number of another corner, which follows from that one."""
        kind = self.rng.randrange(4)
        if kind == 0:
            return at
        return "(%s + %d) %% %d" % (at, kind, self.corners) if kind < 3 else "%d - %s" % (self.corners - 1, at)

    # Statements: text, and how many vertices they emit at most

    def copy(self, at, pad):
        if self.miss == "index" and self.rng.random() < 0.4:
            at = "int(%s %% %du)" % (self.any_value(0), self.corners)
        if self.inlines:
            return "%s{\n%s    const int at = %s;\n%s%s}\n" % (pad, pad, at, self.body, pad), 1
        return "%s%s(%s);\n" % (pad, "other" if self.miss == "other" and self.rng.random() < 0.4 else "make", at), 1

    def ended(self, at, pad):
        """Each end has a vertex, so that there are not more of them."""
        text, most = self.copy(at, pad)
        return "%s%sEndPrimitive();\n" % (text, pad), most

    def chosen(self, pad, left, depth):
        first, most = self.several(pad + "    ", left, depth - 1)
        text = "%sif (%s) {\n%s%s}" % (pad, self.any_condition(), first, pad)
        if self.rng.random() < 0.5:
            return text + "\n", most
        second, more = self.several(pad + "    ", left, depth - 1)
        return "%s else {\n%s%s}\n" % (text, second, pad), max(most, more)

    def round(self, at, pad, left):
        """What a loop does with a corner."""
        rng, text, most = self.rng, "", 0
        if rng.random() < 0.5:
            text += "%sif (%s)\n%s    %s;\n" % (pad, self.any_condition(at), pad, rng.choice(["continue", "continue", "break"]))
        number = at
        if rng.random() < 0.2:
            number = self.w.fresh("n")
            text += "%sint %s = %s;\n%sif (%s)\n%s    %s = %s;\n" % (pad, number, at, pad, self.any_condition(at), pad, number, self.turned(at))
        for _ in range(rng.randint(1, max(1, min(left, 3)))):
            if most == left:
                break
            what, more = self.copy(self.turned(number), pad)
            if rng.random() < 0.25:
                what = "%sif (%s) {\n%s%s}\n" % (pad, self.any_condition(at), what, pad)
            text, most = text + what, most + more
        return text + ("%sEndPrimitive();\n" % pad if rng.random() < 0.6 else ""), most

    def loop_of_corners(self, pad, left):
        rng, at = self.rng, self.w.fresh("i")
        step = 2 if self.corners > 3 and rng.random() < 0.6 else 1
        rounds = min((self.corners + step - 1) // step, left)
        body, most = self.round(at, pad + "    ", left // rounds)
        if self.miss == "rounds":
            guard = "%s    if (%s >= %d)\n%s        break;\n" % (pad, at, rounds * step, pad)
            return "%sfor (int %s = 0; %s < int(%s & 3u); %s++) {\n%s%s%s}\n" % (pad, at, at, self.any_value(0), at, guard, body, pad), most * rounds
        if rng.random() < 0.3:
            return "%sfor (int %s = %d; %s >= 0; %s -= %d) {\n%s%s}\n" % (pad, at, (rounds - 1) * step, at, at, step, body, pad), most * rounds
        return "%sfor (int %s = 0; %s < %d; %s += %d) {\n%s%s}\n" % (pad, at, at, rounds * step, at, step, body, pad), most * rounds

    def switched(self, pad, left):
        """A switch that sets what a branch decides by, or that emits."""
        rng = self.rng
        if self.miss == "switch":
            texts = [self.copy(str(rng.randrange(self.corners)), pad + "    ") for _ in range(2)]
            return "%sswitch (%s & 3u) {\n%scase 1u:\n%s%s    break;\n%sdefault:\n%s%s    break;\n%s}\n" % (
                pad, self.any_value(), pad, texts[0][0], pad, pad, texts[1][0], pad, pad), 1
        name = self.w.fresh("w")
        text = "%suint %s = %s;\n%sswitch (%s & 3u) {\n" % (pad, name, self.any_value(0), pad, self.any_value())
        for case in range(rng.randint(1, 3)):
            text += "%scase %du:\n%s    %s %s %s;\n%s    break;\n" % (pad, case, pad, name, rng.choice(["=", "^=", "+="]), self.any_value(0), pad)
        inner, most = self.several(pad + "    ", left, 0)
        return "%s%s}\n%sif ((%s & 1u) == 0u) {\n%s%s}\n" % (text, pad, pad, name, inner, pad), most

    def counted(self, pad, left):
        """Likewise a loop of a length that data are, of one vertex."""
        rng, at, name, k = self.rng, str(self.rng.randrange(self.corners)), self.w.fresh("w"), self.w.fresh("k")
        text = "%suint %s = %s;\n" % (pad, name, self.given(at))
        text += "%sfor (uint %s = 0u; %s < (%s & 3u); %s++)\n%s    %s = mixed(%s ^ %s);\n" % (
            pad, k, k, self.given(at), k, pad, name, name, rng.choice(["push.salt", k, self.given(at)]))
        inner, most = self.several(pad + "    ", left, 0)
        return "%s%sif ((%s & 1u) == 0u) {\n%s%s}\n" % (text, pad, name, inner, pad), most

    def several(self, pad, left, depth):
        text, most = "", 0
        for _ in range(self.rng.randint(1, 4)):
            if most == left:
                break
            pick = self.rng.randrange(12 if depth > 0 else 6)
            if pick < 4:
                what, more = self.copy(str(self.rng.randrange(self.corners)), pad)
            elif pick < 6:
                what, more = self.ended(str(self.rng.randrange(self.corners)), pad)
            elif pick < 8:
                what, more = self.chosen(pad, left - most, depth)
            elif pick < 10:
                what, more = self.loop_of_corners(pad, left - most)
            else:
                what, more = (self.switched if pick == 10 else self.counted)(pad, left - most)
            text, most = text + what, most + more
        return text, most

    def geometry(self):
        rng = self.rng
        text = self.geometry_head(2)
        self.at = "at"
        for name in ["make"] + ["other"] * (self.miss == "other"):
            self.body = self.vertex_of_strip("    ")
            self.locals = []
            if not self.inlines or name == "other":
                text += "void %s(int at)\n{\n%s}\n" % (name, self.body)
        self.at = None
        text += "void main()\n{\n"
        if rng.random() < 0.2:
            text += "    if (%s)\n        return;\n" % self.any_condition()
        body, _ = self.several("    ", self.left, 2)
        return text + body + "}\n"
