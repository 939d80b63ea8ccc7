# SPDX-License-Identifier: MIT
"""Random vertex, geometry and fragment shaders that agree with each other.

Every value is an integer or a float that holds a small multiple of 1/8, so that no result depends on a driver's
arithmetic. The geometry shader logs what each invocation sees to memory of its own, or only has it decide what it emits, as shaders
that store may not run as often as the layer likes; the fragment shader's colour is a hash of its flat inputs.
"""

LOG_WORDS = 32  # per GS invocation
INPUTS = {"points": 1, "lines": 2, "triangles": 3, "lines_adjacency": 4, "triangles_adjacency": 6}
OUTPUTS = ("points", "line_strip", "triangle_strip")
# Interfaces between the vertex and the geometry shader end below this location, where the instance is. Built-ins count,
# too: up to 10 components here, of the 64 that a geometry shader must be able to read.
INSTANCE_LOCATION = 13
VECTORS = {"uint": ("uint", "uvec2", "uvec3", "uvec4"), "int": ("int", "ivec2", "ivec3", "ivec4"),
           "float": ("float", "vec2", "vec3", "vec4")}

COMMON = """
uint mixed(uint x)
{
    x = (x ^ (x >> 15)) * 0x2C1B3C6Du;
    x = (x ^ (x >> 12)) * 0x297A2D39u;
    return x ^ (x >> 15);
}

float small(uint x)
{
    return float(int((x >> 7) & 0xffffu) - 0x8000) * 0.125;
}
"""


class Type:
    """kind vec (base, n), mat (columns, rows), arr (element, length expression, length), struct (name, members)."""

    def __init__(self, kind, **fields):
        self.kind = kind
        self.__dict__.update(fields)

    def locations(self):
        if self.kind == "vec":
            return 1
        if self.kind == "mat":
            return self.columns
        if self.kind == "arr":
            return self.reserve * self.element.locations()
        return sum(t.locations() for _, t in self.members)

    def by_constant(self):
        """Whether a specialization constant sizes it: then it cannot be assigned as a whole."""
        if self.kind == "arr":
            return not self.length.isdigit() or self.element.by_constant()
        return self.kind == "struct" and any(t.by_constant() for _, t in self.members)

    def name(self):
        """The type and the array suffix that stands behind a variable's name."""
        if self.kind == "vec":
            return VECTORS[self.base][self.n - 1], ""
        if self.kind == "mat":
            return "mat%dx%d" % (self.columns, self.rows), ""
        if self.kind == "arr":
            base, suffix = self.element.name()
            return base, "[%s]%s" % (self.length, suffix)
        return self.struct, ""

    def declare(self, name, outer=""):
        base, suffix = self.name()
        return "%s %s%s%s" % (base, name, outer, suffix)


class Variable:
    """One interface variable or block. members: (name, type); a plain variable has one, without a block name."""

    def __init__(self, name, members, location, component=0, block=False, flat=True):
        self.name, self.members, self.location, self.component = name, members, location, component
        self.block, self.flat = block, flat
        self.captured = {}  # of an output: member name: (buffer, offset); see gen_capture.py

    def capture(self, direction, name):
        return self.captured.get(name) if direction == "out" else None

    def declare(self, direction, outer=""):
        place = "location = %d%s" % (self.location, ", component = %d" % self.component if self.component else "")
        if direction == "out" and self.captured:
            place += ", xfb_buffer = %d" % next(iter(self.captured.values()))[0]
        if not self.block and self.capture(direction, ""):
            place += ", xfb_offset = %d" % self.captured[""][1]
        place = "layout(%s)" % place
        flat = "flat " if self.flat else ""
        if not self.block:
            return "%s %s%s %s;\n" % (place, flat, direction, self.members[0][1].declare(self.name, outer))
        lines = "".join("    %s%s%s;\n" % ("layout(xfb_offset = %d) " % self.captured[n][1] if self.capture(direction, n) else "",
                                          flat, t.declare(n)) for n, t in self.members)
        return "%s %s Block_%s\n{\n%s} %s%s;\n" % (place, direction, self.name, lines, self.name, outer)

    def leaves(self, index=""):
        for name, t in self.members:
            yield ("%s%s.%s" % (self.name, index, name) if self.block else self.name + index), t


class Writer:
    """Lines of GLSL with names that are not used twice."""

    def __init__(self, rng):
        self.rng, self.names = rng, 0

    def fresh(self, stem="t"):
        self.names += 1
        return "%s%d" % (stem, self.names)

    def salt(self):
        return "0x%xu" % self.rng.getrandbits(32)

    def value(self, base, seed):
        return {"uint": "%s", "int": "int(%s)", "float": "small(%s)"}[base] % seed

    def fill(self, t, place, seed, pad):
        """Statements that write every component of `place` from the uint expression `seed`."""
        if t.kind == "vec":
            parts = [self.value(t.base, "%s + %s" % (seed, self.salt())) for _ in range(t.n)]
            if t.n > 1 and self.rng.random() < 0.3:
                return "".join("%s%s%s = %s;\n" % (pad, place, self.rng.choice([".%s" % "xyzw"[i], "[%d]" % i]), part)
                               for i, part in enumerate(parts))
            whole = parts[0] if t.n == 1 else "%s(%s)" % (t.name()[0], ", ".join(parts))
            return "%s%s = %s;\n" % (pad, place, whole)
        if t.kind == "mat":
            if self.rng.random() < 0.4:
                i, j = self.fresh("i"), self.fresh("j")
                return ("%sfor (int %s = 0; %s < %d; %s++)\n%s    for (int %s = 0; %s < %d; %s++)\n"
                        "%s        %s[%s][%s] = small(%s + uint(%s * 5 + %s) * %s);\n"
                        % (pad, i, i, t.columns, i, pad, j, j, t.rows, j, pad, place, i, j, seed, i, j, self.salt()))
            column = Type("vec", base="float", n=t.rows)
            return "".join(self.fill(column, "%s[%d]" % (place, i), seed, pad) for i in range(t.columns))
        if not t.by_constant() and self.rng.random() < 0.3:
            copy = self.fresh()
            return ("%s%s;\n" % (pad, t.declare(copy)) + self.parts(t, copy, seed, pad)
                    + "%s%s = %s;\n" % (pad, place, copy))
        return self.parts(t, place, seed, pad)

    def parts(self, t, place, seed, pad):
        if t.kind == "arr":
            i = self.fresh("i")
            inner = self.fill(t.element, "%s[%s]" % (place, i), "%s + uint(%s) * %s" % (seed, i, self.salt()), pad + "    ")
            return "%sfor (int %s = 0; %s < %s; %s++) {\n%s%s}\n" % (pad, i, i, t.length, i, inner, pad)
        return "".join(self.fill(m, "%s.%s" % (place, n), seed, pad) for n, m in t.members)

    def see(self, t, place, pad, call="see"):
        """Statements that hand every component of `place` to `call`, as bits."""
        if t.kind == "vec":
            bits = {"uint": "%s", "int": "uint(%s)", "float": "floatBitsToUint(%s)"}[t.base]
            if t.n > 1 and self.rng.random() < 0.3:
                i = self.fresh("i")
                return "%sfor (int %s = 0; %s < %d; %s++)\n%s    %s(%s);\n" % (
                    pad, i, i, t.n, i, pad, call, bits % ("%s[%s]" % (place, i)))
            parts = [place] if t.n == 1 else ["%s.%s" % (place, "xyzw"[i]) for i in range(t.n)]
            return "".join("%s%s(%s);\n" % (pad, call, bits % p) for p in parts)
        if t.kind == "mat":
            column = Type("vec", base="float", n=t.rows)
            return "".join(self.see(column, "%s[%d]" % (place, i), pad, call) for i in range(t.columns))
        if not t.by_constant() and self.rng.random() < 0.3:
            copy = self.fresh()
            head = "%s%s = %s;\n" % (pad, t.declare(copy), place)
            return head + self.see_parts(t, copy, pad, call)
        return self.see_parts(t, place, pad, call)

    def see_parts(self, t, place, pad, call):
        if t.kind == "arr":
            i = self.fresh("i")
            inner = self.see(t.element, "%s[%s]" % (place, i), pad + "    ", call)
            return "%sfor (int %s = 0; %s < %s; %s++) {\n%s%s}\n" % (pad, i, i, t.length, i, inner, pad)
        return "".join(self.see(m, "%s.%s" % (place, n), pad, call) for n, m in t.members)


class Shaders:
    def __init__(self, rng):
        self.rng = rng
        self.w = Writer(rng)
        self.structs = []
        self.spec = []  # (id, name, default, value)
        for i in range(rng.choice([0, 1, 2])):
            self.spec.append((rng.randrange(8) * 4 + i, "N%d" % i, rng.randint(1, 3), rng.randint(1, 4)))
        self.input = rng.choice(list(INPUTS))
        self.output = rng.choice(OUTPUTS)
        self.invocations = rng.choice([0, 0, 0, 1, 2, 3, 4, 7, 32])
        self.clip = rng.choice([0, 0, 0, 0, 1, 2, 3])
        self.clip_in = rng.choice([0, self.clip, 2]) if self.clip else 0
        self.between = self.interface("v", INSTANCE_LOCATION)
        self.after = self.interface("g", 12)
        self.primitive_id = rng.random() < 0.5
        components = 8 + self.clip + 4 * (1 + max([v.location + self.size(v) for v in self.after], default=0))
        self.max_vertices = min(rng.choice([1, 2, 3, 4, 5, 6, 8, 12, 16, 30]), 1024 // components)
        self.attributes = [rng.choice(["uint", "uvec2", "uvec4", "ivec2", "uvec3"]) for _ in range(rng.randrange(4))]
        self.capture = None  # a Capture
        self.logs = True  # the geometry shader does
        self.attribute_rates = [rng.random() < 0.25 for _ in self.attributes]

    @staticmethod
    def size(v):
        return sum(t.locations() for _, t in v.members)

    # Types and interfaces

    def vector(self):
        return Type("vec", base=self.rng.choice(["uint", "int", "float"]), n=self.rng.randint(1, 4))

    def type(self, depth, spec=True):
        kind = self.rng.choice(["vec", "vec", "mat", "arr", "struct"] if depth else ["vec", "vec", "mat"])
        if kind == "vec":
            return self.vector()
        if kind == "mat":
            return Type("mat", columns=self.rng.randint(2, 4), rows=self.rng.randint(2, 4))
        if kind == "arr":
            element = self.type(depth - 1, False)
            if spec and self.spec and self.rng.random() < 0.5:
                return self.sized(element)
            n = self.rng.randint(1, 3)
            return Type("arr", element=element, length=str(n), reserve=n)
        members = [("m%d" % i, self.type(depth - 1, False)) for i in range(self.rng.randint(1, 3))]
        t = Type("struct", struct="S%d" % len(self.structs), members=members)
        self.structs.append(t)
        return t

    def sized(self, element):
        _, name, default, value = self.rng.choice(self.spec)
        return Type("arr", element=element, length=name, reserve=max(default, value))

    def packed(self, stem, location):
        """Several vectors side by side in one location."""
        out, at = [], 0
        base = self.rng.choice(["uint", "int", "float"])
        while at < 4:
            n = self.rng.randint(1, 4 - at)
            if self.rng.random() < 0.8:
                t = Type("vec", base=base, n=n)
                out.append(Variable("%s%d_%d" % (stem, location, at), [("", t)], location, at))
            at += n
        return out

    def interface(self, stem, limit):
        variables, location = [], self.rng.choice([0, 0, 0, 1, 2])
        for _ in range(self.rng.randrange(5)):
            kind = self.rng.choice(["plain", "plain", "packed", "block"])
            name = "%s%d" % (stem, location)
            if kind == "packed":
                new = self.packed(stem, location)
                size = 1
            elif kind == "block":
                members = [("b%d" % i, self.type(1, False)) for i in range(self.rng.randint(1, 3))]
                if self.spec and self.rng.random() < 0.3:
                    members = [("b", self.sized(self.type(1, False)))]
                new = [Variable(name, members, location, block=True)]
                size = self.size(new[0])
            else:
                t = self.type(2, stem in "gp")  # of an array of arrays only the outermost may be sized so
                new = [Variable(name, [("", t)], location)]
                size = t.locations()
            if location + size > limit:
                continue
            variables += new
            location += size + self.rng.choice([0, 0, 0, 1])
        return variables

    # Text

    def head(self):
        text = "#version 450\n"
        for number, name, default, _ in self.spec:
            text += "layout(constant_id = %d) const int %s = %d;\n" % (number, name, default)
        for t in self.structs:
            text += "struct %s {\n%s};\n" % (t.struct, "".join("    %s;\n" % m.declare(n) for n, m in t.members))
        text += "layout(push_constant) uniform Push\n{\n    uint base, units, instance, salt;\n    uvec4 extra;\n} push;\n"
        text += "layout(set = 0, binding = 1) uniform Uniforms\n{\n    uvec4 rows[16];\n} ubo;\n"
        text += "layout(set = 0, binding = 2) readonly buffer Words\n{\n    uint words[];\n} ssbo;\n"
        return text + COMMON

    def resource(self, seed):
        """A uint expression that reads a resource at a place which depends on `seed`."""
        return self.rng.choice([
            "ubo.rows[%s & 15u].%s" % (seed, self.rng.choice("xyzw")),
            "ubo.rows[%d][%s & 3u]" % (self.rng.randrange(16), seed),
            "ssbo.words[%s & 63u]" % seed,
            "ssbo.words[%d]" % self.rng.randrange(64),
            "push.salt",
            "push.extra.%s" % self.rng.choice("xyzw"),
            "push.extra[%s & 3u]" % seed,
        ])

    def vertex(self):
        w, rng = self.w, self.rng
        text = self.head()
        for i, t in enumerate(self.attributes):
            text += "layout(location = %d) in %s a%d;\n" % (i, t, i)
        text += "".join(v.declare("out") for v in self.outputs_of_vertex())
        text += "layout(location = %d) flat out uint unit_instance;\n" % INSTANCE_LOCATION
        redeclared = "    vec4 gl_Position;\n    float gl_PointSize;\n"
        if self.clip_in:
            redeclared += "    float gl_ClipDistance[%d];\n" % self.clip_in
        text += "out gl_PerVertex\n{\n%s};\n" % redeclared
        text += "void main()\n{\n    uint h = mixed(uint(gl_VertexIndex) + push.salt * 3u);\n"
        text += "    h += uint(gl_InstanceIndex) * %s;\n" % w.salt()
        for i, t in enumerate(self.attributes):
            n = {"uint": 0}.get(t, int(t[-1]) if t[-1].isdigit() else 0)
            for c in range(max(n, 1)):
                text += "    h = mixed(h + uint(a%d%s));\n" % (i, ".%s" % "xyzw"[c] if n else "")
        if rng.random() < 0.6:
            text += "    h ^= %s;\n" % self.resource("h")
        if rng.random() < 0.3:
            text += "    for (uint i = 0u; i < (h & 3u); i++)\n        h += %s * i;\n" % self.resource("h")
        text += "    gl_Position = vec4(small(h + 1u), small(h + 2u), small(h + 3u), 1.0);\n"
        if rng.random() < 0.5:
            text += "    gl_PointSize = 1.0 + float(h & 7u);\n"
        else:
            text += "    gl_PointSize = 1.0;\n"
        for i in range(self.clip_in):
            text += "    gl_ClipDistance[%d] = small(h + %du);\n" % (i, i + 7)
        for v in self.outputs_of_vertex():
            for place, t in v.leaves():
                text += w.fill(t, place, "h", "    ")
        return text + "    unit_instance = uint(gl_InstanceIndex) - push.instance;\n}\n"

    def outputs_of_vertex(self):
        return self.between

    def index(self, seed):
        """An index of an input vertex: constant, or only known at run time."""
        n = INPUTS[self.input]
        return self.rng.choice([str(self.rng.randrange(n)), "%s %% %du" % (seed, n), "int(%s %% %du)" % (seed, n)])

    def look(self, pad, seed):
        """Statements that log some input."""
        rng, w = self.rng, self.w
        what = rng.randrange(6)
        at = self.index(seed)
        if what == 0:
            return "%ssee(floatBitsToUint(gl_in[%s].gl_Position.%s));\n" % (pad, at, rng.choice("xyzw"))
        if what == 1 and self.clip_in:
            return "%ssee(floatBitsToUint(gl_in[%s].gl_ClipDistance[%s %% %du]));\n" % (pad, at, seed, self.clip_in)
        if what == 2 or not self.between:
            return "%ssee(%s);\n" % (pad, self.resource(seed))
        v = rng.choice(self.between)
        if what == 3:
            i = w.fresh("e")
            inner = "".join(w.see(t, p, pad + "    ") for p, t in v.leaves("[%s]" % i))
            return "%sfor (int %s = 0; %s < %d; %s++) {\n%s%s}\n" % (pad, i, i, INPUTS[self.input], i, inner, pad)
        return "".join(w.see(t, p, pad) for p, t in v.leaves("[%s]" % at))

    def seed_of_output(self, seed):
        """What an output of the vertex that is made of `seed` is made of."""
        return seed

    def emit(self, pad, seed):
        w, rng = self.w, self.rng
        text = ""
        for v in self.after:
            for place, t in v.leaves():
                text += w.fill(t, place, self.seed_of_output(seed), pad)
        p = w.fresh("p")
        text += "%suint %s = mixed(%s + push.salt);\n" % (pad, p, seed)
        scale = rng.choice(["1.0", "1.0", "1.0", "2.0"])
        text += "%sgl_Position = vec4(((float(%s & 127u) - 63.5) / 64.0) * %s, ((float((%s >> 8) & 127u) - 63.5) / 64.0) * %s, " \
                "(float((%s >> 16) & 7u) / 8.0) * %s, %s);\n" % (pad, p, scale, p, scale, p, scale, scale)
        if self.output == "points":
            text += "%sgl_PointSize = %s;\n" % (pad, "1.0" if rng.random() < 0.7 else "1.0 + float(%s & 3u)" % p)
        for i in range(self.clip):
            text += "%sgl_ClipDistance[%d] = float(int((%s >> %d) & 15u) - %d);\n" % (pad, i, p, i + 4, rng.randint(0, 5))
        if self.primitive_id:
            text += "%sgl_PrimitiveID = int(%s) + gl_PrimitiveIDIn;\n" % (pad, p)
        return text + "%sEmitVertex();\n" % pad

    def statement(self, depth, pad, seed, in_loop):
        rng, w = self.rng, self.w
        pick = rng.randrange(16 if depth else 8)
        if pick == 6 and self.functions and self.calls:
            self.calls -= 1
            return "%s%s(%s ^ %s);\n" % (pad, rng.choice(self.functions), seed, w.salt())
        if pick < 3 or 6 <= pick < 8:
            if self.sites == 0:
                return "%sstate += %s;\n" % (pad, w.salt())
            self.sites -= 1
        if pick < 3:
            if self.inline_emits and rng.random() < 0.3:
                self.inline_emits -= 1
                return "%sif (emitted < %d) {\n%s%s    emitted++;\n%s}\n" % (
                    pad, self.max_vertices, self.emit(pad + "    ", "(%s + %s)" % (seed, w.salt())), pad, pad)
            return "%svertex(%s + %s);\n" % (pad, seed, w.salt())
        if pick == 3:
            return "%sEndPrimitive();\n" % pad
        if pick == 4:
            return self.look(pad, seed)
        if pick == 5:
            return "%sstate = mixed(state + %s);\n" % (pad, self.resource(rng.choice(["state", seed])))
        if pick == 7 and rng.random() < 0.4:
            what = rng.choice(["return", "break", "continue"] if in_loop else ["return"])
            return "%sif (%s)\n%s    %s;\n" % (pad, self.condition(seed), pad, what)
        if pick < 8:
            return "%svertex(state ^ %s);\n" % (pad, seed)
        inner = pad + "    "
        if pick < 11:
            i = w.fresh("n")
            bound = rng.choice(["2u", "3u", "(%s & 3u)" % seed, "(state %% 5u)", "uint(gl_InvocationID & 3)"]
                               + ["uint(%s)" % name for _, name, _, _ in self.spec])
            bound = bound.replace("%%", "%")
            last = w.fresh("e")
            body = self.block(depth - 1, inner, "(%s + %s * 77u)" % (seed, i), True)
            if rng.random() < 0.3:
                return "%suint %s = 0u, %s = %s;\n%swhile (%s++ < %s) {\n%s%s}\n" % (
                    pad, i, last, bound, pad, i, last, body, pad)
            return "%sfor (uint %s = 0u, %s = %s; %s < %s; %s++) {\n%s%s}\n" % (
                pad, i, last, bound, i, last, i, body, pad)
        if pick < 14:
            text = "%sif (%s) {\n%s%s}" % (pad, self.condition(seed), self.block(depth - 1, inner, seed, in_loop), pad)
            if rng.random() < 0.5:
                text += " else {\n%s%s}" % (self.block(depth - 1, inner, seed, in_loop), pad)
            return text + "\n"
        if pick == 14:
            i = w.fresh("d")
            body = self.block(depth - 1, inner, "(%s + %s)" % (seed, i), False)
            return "%suint %s = 0u;\n%sdo {\n%s%s} while (++%s < (state & 1u) + 1u);\n" % (pad, i, pad, body, pad, i)
        text = "%sswitch (%s %% 4u) {\n" % (pad, rng.choice(["state", seed]))
        for case in range(rng.randint(1, 3)):
            text += "%scase %du: {\n%s%s}\n" % (pad, case, self.block(depth - 1, inner, seed, False), pad)
            text += "" if rng.random() < 0.3 else "%s    break;\n" % pad
        return text + "%sdefault:\n%s    state++;\n%s}\n" % (pad, pad, pad)

    def condition(self, seed):
        rng = self.rng
        return rng.choice(["(state & %du) == 0u" % rng.choice([1, 3]), "(%s & 2u) != 0u" % seed,
                           "gl_PrimitiveIDIn %% %d == %d" % (rng.randint(2, 4), rng.randrange(2)),
                           "gl_InvocationID > 0", "%s > 0x60000000u" % self.resource(seed), "emitted < %d" % rng.randrange(6)])

    def block(self, depth, pad, seed, in_loop):
        return "".join(self.statement(depth, pad, seed, in_loop) for _ in range(self.rng.randint(1, 3)))

    def vertices_text(self):
        """The built-ins of input vertices and of emitted ones."""
        text = "in gl_PerVertex\n{\n    vec4 gl_Position;\n    float gl_PointSize;\n%s} gl_in[];\n" % (
            "    float gl_ClipDistance[%d];\n" % self.clip_in if self.clip_in else "")
        text += self.capture.strides_text() if self.capture else ""
        members = ["vec4 gl_Position"] + ["float gl_PointSize"] * (self.output == "points")
        members += ["float gl_ClipDistance[%d]" % self.clip] * (self.clip > 0)
        place, offsets = self.capture.built_ins(members) if self.capture else ("", [""] * len(members))
        return text + "%sout gl_PerVertex\n{\n%s};\n" % (place, "".join("    %s%s;\n" % m for m in zip(offsets, members)))

    def geometry(self):
        rng, w = self.rng, self.w
        self.functions = []
        self.inline_emits, self.sites, self.calls = 2, 9, 2  # drivers inline every call
        text = self.head()
        text += "layout(%s%s) in;\n" % (self.input, ", invocations = %d" % self.invocations if self.invocations else "")
        # lavapipe 22.3 has room for as many strips as max_vertices vertices make primitives in one strip, and writes
        # beyond it when there are more, though incomplete ones.
        text += "layout(%s, max_vertices = %d) out;\n" % (self.output, self.max_vertices + OUTPUTS.index(self.output))
        text += self.vertices_text()
        text += "".join(v.declare("in", "[]") for v in self.between)
        text += "layout(location = %d) flat in uint unit_instance[];\n" % INSTANCE_LOCATION
        text += "".join(v.declare("out") for v in self.after)
        if self.logs:
            text += self.declare_log()
        text += "uint state = %s, hash = 1u;\nint emitted = 0;\n" % w.salt()
        text += "void see(uint x)\n{\n    hash = mixed(hash ^ x);\n%s}\n" % (
            self.see_in_log() if self.logs else "")
        # More than max_vertices is undefined: drivers write out of bounds.
        guard = "    if (emitted >= %d)\n        return;\n" % self.max_vertices
        text += "void vertex(uint h)\n{\n%s%s    emitted++;\n}\n" % (guard, self.emit("    ", "h"))
        for i in range(rng.randrange(3)):
            name = "work%d" % i
            text += "void %s(uint h)\n{\n%s}\n" % (name, self.block(2, "    ", "h", False))
            self.functions.append(name)
        body = "".join(self.statement(3, "    ", "h", False) for _ in range(rng.randint(2, 6)))
        if rng.random() < 0.8 or "vertex(" not in body:
            body += "    vertex(h);\n"
        text += "void body(uint h)\n{\n%s}\n" % body
        text += "void main()\n{\n"
        text += self.begin_log() if self.logs else ""
        for i in range(INPUTS[self.input]):
            text += "    see(floatBitsToUint(gl_in[%d].gl_Position.x));\n" % i
        if rng.random() < 0.3:
            text += "    see(floatBitsToUint(gl_in[%s].gl_PointSize));\n" % self.index("hash")
        for v in self.between:
            if rng.random() < 0.7:
                for place, t in v.leaves("[%d]" % rng.randrange(INPUTS[self.input])):
                    text += w.see(t, place, "    ")
        text += "    state ^= hash + uint(gl_InvocationID);\n    body(hash);\n"
        text += self.end_log() if self.logs else ""
        return text + "}\n"

    def declare_log(self):
        return "layout(set = 0, binding = 0) buffer Log\n{\n    uint log_[];\n};\nuint slot, seen = 4u;\n"

    def see_in_log(self):
        return "    if (seen < %du)\n        log_[slot + seen] = x;\n    seen++;\n" % LOG_WORDS

    def end_log(self):
        return "    log_[slot + 2u] = hash;\n    log_[slot + 3u] = uint(emitted);\n"

    def begin_log(self):
        text = ("    slot = (push.base + (unit_instance[0] * push.units + uint(gl_PrimitiveIDIn)) * %du + uint(gl_InvocationID))"
                " * %du;\n" % (max(self.invocations, 1), LOG_WORDS))
        text += "    if (slot + %du > uint(log_.length()))\n        return;\n" % LOG_WORDS
        return text + "    atomicAdd(log_[slot], 1u);\n    log_[slot + 1u] = uint(gl_PrimitiveIDIn);\n"

    def fragment(self):
        w, rng = self.w, self.rng
        text = self.head()
        text += "".join(v.declare("in") for v in self.after)
        text += "layout(location = 0) out uint result;\nuint hash = push.salt;\n"
        text += "void see(uint x)\n{\n    hash = mixed(hash ^ x);\n}\n"
        text += "void main()\n{\n"
        if self.primitive_id:
            text += "    see(uint(gl_PrimitiveID));\n"
        for v in self.after:
            for place, t in v.leaves():
                text += w.see(t, place, "    ")
        if rng.random() < 0.2:
            text += "    see(%s);\n" % self.resource("hash")
        if rng.random() < 0.2:
            text += "    see(gl_FrontFacing ? 1u : 0u);\n"
        return text + "    result = hash | 1u;\n}\n"

    def write(self, folder):
        vertex = self.vertex()
        geometry = self.geometry()
        fragment = self.fragment()
        for name, text in (("vert", vertex), ("geom", geometry), ("frag", fragment)):
            with open("%s/shader.%s" % (folder, name), "w", encoding="utf-8") as f:
                f.write(text)
