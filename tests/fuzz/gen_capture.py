# SPDX-License-Identifier: MIT
"""Which outputs of a geometry shader are captured, and where to. Its random numbers are its own: a seed's shaders and
draws are the same with and without."""

BUFFERS = 4
STREAM_BYTES = 480  # lavapipe has room for 512


def size(t):
    """Bytes that a type takes, or None where a specialization constant decides."""
    if t.by_constant():
        return None
    if t.kind == "vec":
        return 4 * t.n
    if t.kind == "mat":
        return 4 * t.columns * t.rows
    if t.kind == "arr":
        return int(t.length) * size(t.element)
    return sum(size(m) for _, m in t.members)


class Capture:
    def __init__(self, rng, variables):
        self.rng, self.ends, self.left = rng, [0] * BUFFERS, STREAM_BYTES
        for v in variables:
            buffer = rng.randrange(BUFFERS)
            for name, t in v.members:
                n = size(t)
                if n is not None and rng.random() < 0.7 and n <= self.left:
                    v.captured[name] = (buffer, self.place(buffer, n))
        self.built_in = rng.randrange(BUFFERS) if rng.random() < 0.6 or not any(self.ends) else None
        self.position = self.place(self.built_in, 16) if self.built_in is not None else 0
        self.strides = [end + 4 * rng.choice([0, 0, 1, 2]) if end else 0 for end in self.ends]

    def place(self, buffer, n):
        offset = self.ends[buffer] + 4 * self.rng.choice([0, 0, 0, 1, 3])
        self.ends[buffer] = offset + n
        self.left -= n
        return offset

    def strides_text(self):
        return "".join("layout(xfb_buffer = %d, xfb_stride = %d) out;\n" % (b, s) for b, s in enumerate(self.strides) if s)

    def built_ins(self, members):
        """The layout of gl_PerVertex and those of its members: of them the position is captured."""
        if self.built_in is None:
            return "", [""] * len(members)
        return "layout(xfb_buffer = %d) " % self.built_in, ["layout(xfb_offset = %d) " % self.position] + [""] * (len(members) - 1)


class Intervals:
    """When a stream of commands captures: every interval to a region of its own, or on where an earlier pass stopped."""

    REGION = 16384  # bytes of each buffer

    def __init__(self, rng, strides, say):
        self.rng, self.strides, self.say = rng, strides, say
        self.regions = []  # sizes of the four ranges
        self.open, self.before, self.now = None, [], []

    def begin_draw(self):
        rng = self.rng
        if self.open is not None or rng.random() < 0.4:
            return
        resume = bool(self.before) and rng.random() < 0.4
        if resume:
            self.open = self.before.pop(rng.randrange(len(self.before)))
        else:
            self.open = len(self.regions)
            self.regions.append([self.some_size(s) if s else 0 for s in self.strides])
        self.say("capture", self.open, *self.regions[self.open])
        self.say("start", int(resume))

    def some_size(self, stride):
        """Whole vertices: whether one fits whose last bytes are a hole, lavapipe and the layer see differently."""
        return self.rng.choice([self.REGION // stride, self.REGION // stride, self.rng.randrange(1, 60)]) * stride

    def end_draw(self):
        if self.rng.random() < 0.3:
            self.stop()

    def stop(self):
        if self.open is not None:
            self.say("stop")
            self.now.append(self.open)
            self.open = None

    def end_pass(self):
        """Passes are ordered among themselves, intervals of one pass are not."""
        self.stop()
        self.before, self.now = self.before + self.now, []
