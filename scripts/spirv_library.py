# SPDX-License-Identifier: MIT
"""What linking needs to know of a library: see layer/spirv/ir/library.h, which has the meaning of each value."""

import struct

UNKNOWN = 1 << 31
MAX_PARAMETERS = 31
MAX_DECISIONS = 32  # of a function; what is left out is decided by the driver

OP_NAME, OP_MEMBER_NAME, OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_CAPABILITY = 5, 6, 15, 16, 17
OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END, OP_FUNCTION_CALL = 54, 55, 56, 57
OP_LOAD, OP_DECORATE, OP_MEMBER_DECORATE, OP_VECTOR_EXTRACT_DYNAMIC = 61, 71, 72, 77
OP_LOGICAL_OR, OP_LOGICAL_AND, OP_SELECT, OP_BITWISE_AND, OP_PHI = 166, 167, 169, 199, 245
OP_LOOP_MERGE, OP_LABEL, OP_BRANCH_CONDITIONAL, OP_SWITCH, OP_RETURN_VALUE = 246, 248, 250, 251, 254
# The word of the id of what they are about, where the grammar does not tell literals of several words from ids.
ABOUT = {OP_NAME: 1, OP_MEMBER_NAME: 1, OP_ENTRY_POINT: 2, OP_EXECUTION_MODE: 1, OP_DECORATE: 1, OP_MEMBER_DECORATE: 1}
# One known operand may be enough for these.
DECIDED_BY_ONE = {OP_BITWISE_AND, OP_LOGICAL_AND, OP_LOGICAL_OR, OP_SELECT, OP_PHI}


class Function:
    def __init__(self, head):
        self.name, self.head, self.body, self.end = "", head, 0, 0
        self.instructions = []
        self.parameter_count = self.returned = 0
        self.decisions = []
        self.is_known = False


class Library:
    def __init__(self, outer_bound, label_bound):
        self.outer_bound, self.label_bound = outer_bound, label_bound
        self.places, self.numbers, self.functions = [0] * outer_bound, [0] * outer_bound, []
        self.by_name = []  # numbers of functions
        self.blocks = [0] * (label_bound - outer_bound)
        self.capabilities = self.names = self.annotations = (0, 0)


class Grammar:
    def __init__(self, grammar):
        self.instructions = {entry["opcode"]: entry.get("operands", []) for entry in grammar["instructions"]}
        self.kinds = {kind["kind"]: kind for kind in grammar["operand_kinds"]}

    def walk(self, ins, kind, at):
        """Yields the word and the kind of each operand that one of `kind` at word `at` consists of."""
        entry = self.kinds[kind]
        if entry["category"] == "Composite":
            for base in entry["bases"]:
                yield at, base
                at += 1
            return
        yield at, kind
        if entry["category"] == "BitEnum":
            mask = ins[at]
            by_bit = {int(enumerant["value"], 16): enumerant for enumerant in entry["enumerants"]}
            for bit in sorted(bit for bit in by_bit if mask & bit):
                for parameter in by_bit[bit].get("parameters", []):
                    at += 1
                    yield at, parameter["kind"]

    def operands(self, ins):
        """Yields (word, kind) of an instruction of a function, or of a type, constant or variable."""
        at = 1
        for operand in self.instructions[ins[0] & 0xFFFF]:
            while at < len(ins):
                for at, kind in self.walk(ins, operand["kind"], at):
                    yield at, kind
                at += 1
                if operand.get("quantifier") != "*":
                    break

    def ids(self, ins):
        return [at for at, kind in self.operands(ins) if self.kinds[kind]["category"] == "Id"]

    def result(self, ins):
        """The word of the result; 0: it has none."""
        kinds = [operand["kind"] for operand in self.instructions[ins[0] & 0xFFFF][:2]]
        return kinds.index("IdResult") + 1 if "IdResult" in kinds else 0


def instructions(words):
    at = 5
    while at < len(words):
        length = words[at] >> 16
        yield at, words[at : at + length]
        at += length


def text(words):
    return struct.pack(f"<{len(words)}I", *words).split(b"\0")[0].decode()


def drop_private_names(words, grammar):
    """The library without names and decorations of what functions define, of which linking makes other instructions."""
    private, inside = set(), False
    for _, ins in instructions(words):
        opcode = ins[0] & 0xFFFF
        inside = (inside or opcode == OP_FUNCTION) and opcode != OP_FUNCTION_END
        if inside and opcode != OP_FUNCTION and grammar.result(ins):
            private.add(ins[grammar.result(ins)])
    out = list(words[:5])
    for _, ins in instructions(words):
        if (ins[0] & 0xFFFF) not in (OP_NAME, OP_DECORATE) or ins[1] not in private:
            out += ins
    return out


def number_anew(words, grammar):
    """The library with ids of functions and of what is outside of them first, and then labels, so that tables by id are
    short. Returns it, and the ends of both."""
    outer, labels, others, inside = [], [], [], False
    for _, ins in instructions(words):
        opcode, id_word = ins[0] & 0xFFFF, grammar.result(ins)
        if id_word:
            kind = labels if opcode == OP_LABEL else others if inside else outer
            kind.append(ins[id_word])
        inside = (inside or opcode == OP_FUNCTION) and opcode != OP_FUNCTION_END
    new = {old: number for number, old in enumerate(outer + labels + others, 1)}
    out = list(words[:5])
    for _, ins in instructions(words):
        opcode, ins = ins[0] & 0xFFFF, list(ins)
        for at in [ABOUT[opcode]] if opcode in ABOUT else grammar.ids(ins):
            ins[at] = new[ins[at]]
        out += ins
    out[3] = len(new) + 1
    return out, len(outer) + 1, len(outer) + len(labels) + 1


class Analysis:
    """Which parameters of functions decide something."""

    def __init__(self, library, bound, grammar):
        self.library, self.grammar = library, grammar
        self.masks = [0] * bound  # by id: parameters that it is computed from
        self.labels = set()  # of blocks so far
        for function in library.functions:
            self.find_decisions(function)

    def callee(self, ins):
        return self.library.functions[self.library.numbers[ins[3]] - 1]

    def arguments(self, ins, callee, parameters):
        """The parameters of the caller that are arguments for these of the callee."""
        mask = parameters & UNKNOWN
        for i in range(callee.parameter_count):
            mask |= self.masks[ins[4 + i]] if parameters >> i & 1 else 0
        return mask

    def result(self, ins):
        """The parameters that the result of an instruction is computed from."""
        opcode, mask = ins[0] & 0xFFFF, 0
        # A value of a loop comes from a block below.
        if opcode == OP_LOAD or (opcode == OP_PHI and not self.labels.issuperset(ins[4::2])):
            return UNKNOWN
        if opcode == OP_FUNCTION_CALL:
            return self.arguments(ins, self.callee(ins), self.callee(ins).returned)
        for at in self.grammar.ids(ins):
            if at > self.grammar.result(ins):
                mask |= self.masks[ins[at]]
        return mask & ~UNKNOWN if opcode in DECIDED_BY_ONE and mask != UNKNOWN else mask

    def decisions(self, ins):
        """Masks of parameters that decide something about an instruction."""
        opcode = ins[0] & 0xFFFF
        if opcode in (OP_BRANCH_CONDITIONAL, OP_SWITCH):
            return [self.masks[ins[1]]]
        if opcode == OP_SELECT:
            return [self.masks[ins[3]]]
        if opcode == OP_VECTOR_EXTRACT_DYNAMIC:
            return [self.masks[ins[4]]]
        if opcode == OP_FUNCTION_CALL:
            callee = self.callee(ins)
            self.find_decisions(callee)
            return [self.arguments(ins, callee, decision) for decision in callee.decisions]
        return []

    def find_decisions(self, function):
        """Callees come first. GLSL allows no recursion."""
        if function.is_known:
            return
        function.is_known = True
        parameter = 0
        for ins in function.instructions:
            opcode, id_word = ins[0] & 0xFFFF, self.grammar.result(ins)
            for mask in self.decisions(ins):
                known = mask == 0 or mask & UNKNOWN or mask in function.decisions
                if not known and len(function.decisions) < MAX_DECISIONS:
                    function.decisions.append(mask)
            if opcode == OP_LABEL:
                self.labels.add(ins[1])
            if opcode == OP_RETURN_VALUE:
                function.returned |= self.masks[ins[1]]
            if opcode == OP_FUNCTION_PARAMETER:
                self.masks[ins[2]] = 1 << parameter
                parameter += 1
            elif id_word:
                self.masks[ins[id_word]] = self.result(ins)


def measure_blocks(library, function):
    """Of each block of the function the words to the next one, or to the end, and whether it is the header of a loop."""
    block = 0
    for ins in function.instructions:
        opcode = ins[0] & 0xFFFF
        if opcode == OP_LABEL:
            block = ins[1] - library.outer_bound
        if opcode == OP_LOOP_MERGE:
            library.blocks[block] |= 1
        if opcode not in (OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END):
            library.blocks[block] += len(ins) << 1


def section(words, opcodes):
    """The places of the first and of the end of the last instruction with one of the opcodes."""
    places = [(at, at + len(ins)) for at, ins in instructions(words) if (ins[0] & 0xFFFF) in opcodes]
    return (places[0][0], places[-1][1]) if places else (0, 0)


def analyze(words, outer_bound, label_bound, grammar):
    """The Library of what number_anew returned. ValueError: the layer cannot link it."""
    library, names, function = Library(outer_bound, label_bound), {}, None
    for at, ins in instructions(words):
        opcode, id_word = ins[0] & 0xFFFF, grammar.result(ins)
        if opcode == OP_NAME:
            names[ins[1]] = text(ins[2:])
        if opcode == OP_FUNCTION:
            function = Function(at)
            function.name = names.get(ins[2], "").partition("(")[0]
            library.functions.append(function)
            library.numbers[ins[2]] = len(library.functions)
        if id_word and (not function or opcode == OP_FUNCTION):
            library.places[ins[id_word]] = at
        if not function:
            continue
        function.instructions.append(ins)
        function.parameter_count += opcode == OP_FUNCTION_PARAMETER
        if opcode == OP_LABEL and not function.body:
            function.body = at
        if opcode == OP_FUNCTION_END:
            function.end, function = at, None
    library.capabilities = section(words, {OP_CAPABILITY})
    library.names = section(words, {OP_NAME, OP_MEMBER_NAME})
    library.annotations = section(words, {OP_DECORATE, OP_MEMBER_DECORATE})
    for function in library.functions:
        if function.parameter_count > MAX_PARAMETERS:
            raise ValueError(f"{function.name} has more than {MAX_PARAMETERS} parameters")
        measure_blocks(library, function)
    Analysis(library, words[3], grammar)
    library.by_name = sorted(range(len(library.functions)), key=lambda number: library.functions[number].name.encode())
    return library
