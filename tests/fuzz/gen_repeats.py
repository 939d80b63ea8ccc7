# SPDX-License-Identifier: MIT
"""A stream whose draws repeat those before but for one change or a few, which the layer does not plan again."""
from gen_stream import Stream

MAX_SLOTS = 6000


class Repeats(Stream):
    def __init__(self, rng, shaders):
        super().__init__(rng, shaders)
        self.kept = {}

    def changes(self):
        return self.rng.random() < 0.25

    def keep(self, name, choose):
        """What was chosen last under the name, or now and then something else."""
        if name not in self.kept or self.changes():
            self.kept[name] = choose()
        return self.kept[name]

    def assembly(self, p):
        """Dynamic topology and restart, set again only where they change. Returns whether indices may restart."""
        rng, topology, restart = self.rng, p.topology, p.restart
        if p.dynamic:
            topology = self.keep(("topology", p), lambda: rng.choice(self.topologies(p)))
            if p.dynamic == 1 and restart and not self.may_restart(p, topology):
                topology = p.topology
            if self.set.get("topology") != topology or self.changes():
                self.say("topology", topology)
            self.set["topology"] = topology
        if p.dynamic == 2:
            restart = self.may_restart(p, topology) and self.keep(("restart", p), lambda: rng.random() < 0.5)
            if self.set.get("restart") != restart or self.changes():
                self.say("restart", int(restart))
            self.set["restart"] = restart
        return restart

    def draw(self, p):
        rng = self.rng
        restart = self.assembly(p)
        count = self.keep("count", lambda: rng.choice([0, 2, 3, 6, 7, 12, 13, 24, 40]))
        instances = self.keep("instances", lambda: rng.choice([1, 1, 1, 2, 3, 0]))
        self.first_instance = self.keep("first instance", lambda: rng.choice([0, 0, 1, 5]))
        count = self.vertices_of(p, count)
        units = self.units_of(p, count)
        slots = 0 if p.native else units * instances * max(self.shaders.invocations, 1)
        if self.slots + slots > MAX_SLOTS:
            return
        if not p.native: # draws that log need their own slots
            self.push(units)
        for binding in range(len(self.bindings)):
            if self.changes():
                self.say("vb", binding, 4 * rng.randrange(8))
        first = self.keep("first", lambda: rng.choice([0, 0, 1, 7]))
        if self.keep("indexed", lambda: rng.random() < 0.5):
            self.indexed_again(count, instances, restart)
        else:
            self.say("draw", count, instances, first, self.first_instance)
        self.slots += slots

    def indexed_again(self, count, instances, restart):
        """Without binding the index buffer again, if it has the indices."""
        if self.made and self.made[0] == (count, restart) and not self.changes():
            first, offset = self.made[1]
            self.say("indexed", count, instances, first, offset, self.first_instance)
            return
        self.made = (count, restart), self.indexed(count, instances, restart)

    def more_passes(self, seed):
        self.kept = {}
        super().more_passes(seed)

    def passes(self):
        rng = self.rng
        for number in range(rng.randint(1, 3)):
            self.begin_pass(number)
            for binding in range(len(self.bindings)):
                self.say("vb", binding, 0)
            self.set, self.made = {}, None
            p = rng.randrange(len(self.all))
            self.bind(p)
            for _ in range(rng.randint(5, 40)):
                if rng.random() < 0.15:
                    p = rng.randrange(len(self.all))
                    if self.intervals:
                        self.intervals.stop()
                    self.bind(p)
                    self.set = self.set if self.all[p].dynamic == 2 else {} # a pipeline's own state overwrites it
                self.captured_draw(self.all[p])
            if self.intervals:
                self.intervals.end_pass()
            self.say("end")
            if rng.random() < 0.3:
                self.say("submit")
        if self.lines[-1] != "submit":
            self.say("submit")
