# SPDX-License-Identifier: MIT
"""The stream of another class as an engine would have it: indirect draws, also several at once and with counts in buffers,
queries, command buffers that are submitted again, recorded anew or dropped, pools that are reset, trimmed and destroyed
while others live, pipelines that are destroyed and made again. Its random numbers are its own: a seed's shaders and draws
are the same with and without."""
import random

from gen_stream import INDEX_TYPES

OCCLUSION, STATISTICS, XFB_STREAM = 0, 1, 1000028004  # VkQueryType
INVOCATIONS, PRIMITIVES = 8, 16  # VkQueryPipelineStatisticFlagBits, of geometry shaders
EMPTY = {False: ([0, 1, 0, 0], [1000, 0, 0, 0]), True: ([0, 1, 0, 0, 0], [1000, 0, 0, 0, 0])}
MAX_QUERIES, MAX_POOLS = 32, 4
MANY = 0x7fffffff


def with_lives(base):
    """A class like base, whose lines go through Lives."""

    class Living(base):
        def __init__(self, rng, shaders):
            super().__init__(rng, shaders)
            self.lives = None  # Lives, once its seed is known

        def say(self, *words):
            if self.lives:
                for line in self.lives.change(words, self):
                    super().say(*line)
            else:
                super().say(*words)

        def passes(self):
            for line in self.lives.set_up():
                super().say(*line)
            super().passes()

        def more_passes(self, seed):
            self.lives = self.lives.again(random.Random("lives of stream %s" % seed))
            super().more_passes(seed)

    return Living


class Lives:
    def __init__(self, rng, captures, invocations):
        self.rng, self.captures, self.invocations = rng, captures, invocations
        # lavapipe counts an instanced geometry shader once.
        self.statistics = PRIMITIVES | (INVOCATIONS if invocations <= 1 else 0)
        self.is_set_up = False
        self.first, self.submitted, self.recording = 0, 0, False
        self.query_type = rng.choice([OCCLUSION, STATISTICS, XFB_STREAM if captures else OCCLUSION])
        self.pools, self.pool = rng.randint(1, MAX_POOLS), 0
        self.may_ask = True
        self.queries, self.open, self.inside, self.waits = 0, None, False, False
        self.indirectly = rng.choice([0.0, 0.3, 0.7, 1.0])

    def again(self, rng):
        """For another stream, with the pools and queries that are there."""
        other = Lives(rng, self.captures, self.invocations)
        other.may_ask = self.may_ask
        other.query_type, other.pools, other.is_set_up = self.query_type, self.pools, True
        return other

    def set_up(self):
        if self.is_set_up:
            return []
        return [("pools", self.pools), ("queries", self.query_type, MAX_QUERIES, self.statistics)]

    def change(self, words, stream):
        """The lines that stand for one."""
        kind = words[0]
        if kind == "ib":  # lavapipe 22.3 takes indices of indirect draws from the start of their buffer
            self.first = words[1] // INDEX_TYPES[words[2]]
            return [("ib", 0, words[2])]
        if kind == "indexed":
            words = words[:3] + (words[3] + self.first,) + words[4:]
        if kind in ("draw", "indexed"):
            # lavapipe 22.3 draws wrongly where indices may restart and the count is in a buffer.
            return self.draw(words, kind == "draw" or not stream.restarts)
        if kind == "pass":
            return self.begin_pass(words)
        if kind == "bind" and self.waits:  # lavapipe 22.3 crashes if a query begins earlier in a pass
            self.waits = False
            return [words, ("ask", self.open)]
        if kind == "end":
            return self.end_pass()
        if kind == "submit":
            return self.submit(len(stream.all))
        return [words]

    def draw(self, words, may_count):
        rng, indexed = self.rng, words[0] == "indexed"
        if rng.random() >= self.indirectly:
            return [words]
        draws = self.parts(list(words[1:]))
        while len(draws) < 4 and rng.random() < 0.4:
            draws.insert(rng.randrange(len(draws) + 1), rng.choice(EMPTY[indexed]))
        count = len(draws)
        if not may_count or rng.random() < 0.5:
            return [("indirect", int(indexed), count, *(w for d in draws for w in d))]
        draws += [draws[0]] * rng.choice([0, 0, 1, 2])  # which the count leaves out
        if len(draws) == count:
            count = rng.choice([count, count + 3, MANY])
        elif count == 1 and rng.random() < 0.3:
            count = 0
        # For lavapipe 22.3 a count bounds all later indirect draws, too.
        return [("counted", count, int(indexed), len(draws), *(w for d in draws for w in d)),
                ("counted", MANY, int(indexed), 1, *EMPTY[indexed][0])]

    def parts(self, words):
        """The instances of a draw as several draws, with as many vertices or fewer: each has its own places in the log, and what does
        not fill the log may be missing."""
        rng, draws, left = self.rng, [], words[1]
        while left > 1 and rng.random() < 0.6:
            instances = rng.randint(1, left - 1)
            fewer = rng.choice([words[0], words[0], rng.randint(0, words[0])])
            draws.append([fewer, instances] + words[2:-1] + [words[-1] + words[1] - left])
            left -= instances
        return draws + [[words[0], left] + words[2:-1] + [words[-1] + words[1] - left]]

    def begin_pass(self, words):
        lines, rng = [], self.rng
        if not self.recording:
            self.pool = rng.randrange(self.pools)
            lines.append(("pool", self.pool))
        self.recording = True
        # A query in a pass with secondaries must be inherited.
        if self.may_ask and self.queries < MAX_QUERIES and not words[2] and rng.random() < 0.5:
            self.open, self.queries = self.queries, self.queries + 1
            self.inside = self.waits = rng.random() < 0.5
            before, ask = [("begin",), ("forget", self.open)], [("ask", self.open)]
            return lines + before + ([] if self.inside else ask) + [words]
        return lines + [words]

    def end_pass(self):
        if self.open is None:
            return [("end",)]
        answer, self.open = ("answer", self.open), None
        return [answer, ("end",)] if self.inside else [("end",), answer]

    def submit(self, pipelines):
        rng = self.rng
        if not self.recording:
            return []
        self.recording = False
        # What a later one resumes must have been captured, and the first pass clears.
        if self.submitted and not self.captures and rng.random() < 0.25:
            lines = [("drop", rng.randrange(3))]
        else:
            lines = [("submit",)] + [("again",)] * rng.choice([0, 0, 0, 1, 2])
            self.submitted += 1
            if rng.random() < 0.5:
                lines.append(("keep",))
        while rng.random() < 0.4:
            lines.append(("reset", rng.randrange(self.pools), rng.randrange(4)))
        while rng.random() < 0.3:
            lines.append(("remake", rng.randrange(pipelines), rng.randrange(2)))
        return lines
