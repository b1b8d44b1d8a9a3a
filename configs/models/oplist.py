# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of operators: what make.py builds networks with, and how it writes them."""
import os

SAVES_INPUT = {"conv", "linear", "batch_norm", "layer_norm", "max_pool", "avg_pool", "gelu"}
SAVES_OUTPUT = {"relu", "tanh", "sigmoid", "softmax"}


class Model:
    """One row of a table of models: the name of the file, its heading and how it is built."""

    def __init__(self, name, about, parameters, parameters_of, macs, macs_of, input_bytes, build):
        self.name, self.about, self.build, self.input_bytes = name, about, build, input_bytes
        self.parameters, self.parameters_of = parameters, parameters_of
        self.macs, self.macs_of = macs, macs_of


class Tensor:
    """A result: of one image, channels x height x width."""

    def __init__(self, channels, height, width):
        self.channels, self.height, self.width = channels, height, width
        self.saved = False  # for the backward pass, by an operator of the list
        self.size = channels * height * width


def pair(x):
    return tuple(x) if isinstance(x, (list, tuple)) else (x, x)


class Net:
    """A list of operators that grows."""

    def __init__(self):
        self.ops = []
        self.last = None  # the result of the latest operator

    def put(self, op, **keys):
        self.ops.append((op, tuple(keys.items())))

    def apply(self, op, x, y, **keys):
        """An operator of one tensor; says `branch` where its input is saved by a far one."""
        if op in SAVES_INPUT:
            if x.saved and x is not self.last:
                keys["branch"] = True
            x.saved = True
        self.put(op, **keys)
        y.saved = op in SAVES_OUTPUT
        self.last = y
        return y

    def image(self, op, x, channels, kernel, stride, pad, keys):
        (r, s), (p, q) = pair(kernel), pair(pad)
        y = Tensor(channels, (x.height + 2 * p - r) // stride + 1, (x.width + 2 * q - s) // stride + 1)
        keys = dict(keys, kernel=kernel if r != s else r, stride=stride,
                    pad=pad if p != q else p, height=x.height, width=x.width)
        return self.apply(op, x, y, **keys)

    def conv(self, x, out, kernel, stride=1, pad=0, bias=False):
        keys = {"in": x.channels, "out": out}
        if bias:
            keys["bias"] = True
        if not self.ops:
            keys["first"] = True
        return self.image("conv", x, out, kernel, stride, pad, keys)

    def max_pool(self, x, kernel, stride, pad=0):
        return self.image("max_pool", x, x.channels, kernel, stride, pad,
                          {"channels": x.channels})

    def avg_pool(self, x, kernel, stride=1, pad=0):
        return self.image("avg_pool", x, x.channels, kernel, stride, pad,
                          {"channels": x.channels})

    def norm(self, x):
        y = Tensor(x.channels, x.height, x.width)
        return self.apply("batch_norm", x, y, channels=x.channels, height=x.height, width=x.width)

    def each(self, op, x, **keys):
        """An operator of every element; of two tensors, x is either."""
        y = Tensor(x.channels, x.height, x.width)
        return self.apply(op, x, y, elements=x.size, **keys)

    def concat(self, *parts):
        y = Tensor(sum(x.channels for x in parts), parts[0].height, parts[0].width)
        return self.apply("concat", parts[0], y, elements=y.size)

    def linear(self, x, out):
        return self.apply("linear", x, Tensor(out, 1, 1),
                          **{"rows": 1, "in": x.size, "out": out, "bias": True})

    def loss(self, x):
        self.put("cross_entropy", rows=1, width=x.size, training=True)


def merge(rows):
    """Rows are (operator, times); a run that repeats becomes one run with more times."""
    done, i = [], 0
    while i < len(rows):
        best, span = 1, 1
        for n in range(1, (len(rows) - i) // 2 + 1):
            repeats = 1
            while rows[i + repeats * n:i + (repeats + 1) * n] == rows[i:i + n]:
                repeats += 1
            if repeats > 1 and repeats * n > best * span:
                best, span = repeats, n
        done += [(op, times * best) for op, times in rows[i:i + span]]
        i += best * span
    return neighbours(done)


def neighbours(rows):
    """Equal operators that stand side by side become one."""
    done = []
    for op, times in rows:
        if done and done[-1][0] == op:
            times += done.pop()[1]
        done.append((op, times))
    return done


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)


def wrap(words, width, indent):
    lines, line = [], ""
    for word in words.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return ("\n" + indent).join(lines + [line])


def write(folder, model):
    net = Net()
    model.build(net)
    with open(os.path.join(folder, model.name + ".yaml"), "w", encoding="ascii") as f:
        f.write("# Made by configs/models/make.py. An operator a line, as often as `times` says;\n"
                "# shapes are of one sample. Keys and units: configs/models/README.md.\n")
        f.write("about: >-\n  " + wrap(model.about, 96, "  ") + "\n")
        for key, count, source in (("parameters", model.parameters, model.parameters_of),
                                   ("macs", model.macs, model.macs_of)):
            f.write("# " + wrap(key + ": " + source, 96, "#   ") + "\n%s: %d\n" % (key, count))
        f.write("input_bytes: %d\noperators:\n" % model.input_bytes)
        for (op, keys), times in merge([(op, 1) for op in net.ops]):
            keys = list(keys) + ([("times", times)] if times > 1 else [])
            f.write("  - {op: %s%s}\n" % (op, "".join(", %s: %s" % (k, text(v)) for k, v in keys)))
