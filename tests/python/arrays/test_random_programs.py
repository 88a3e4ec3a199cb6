"""Random programs of indexing, broadcasting and reductions give NumPy's results. A program is a list of steps on a pool
of arrays; each step is done by both libraries. What tenon.fuse can fuse of a program is then one fused function, with
the same results. As a program, `test_random_programs.py COUNT [DEVICE] [FIRST]` runs that many, with the seeds from
FIRST on."""

import sys
import warnings

import numpy as np

import tenon

DTYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"]
REAL = "biuf"
LARGEST = 1 << 10  # of numbers in the pool: sums and products of some of them are exact in every dtype


def numbers(rng, shape, dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    made = rng.integers(0 if kind == "u" else -9, 10, shape)
    return (made + 1j * rng.integers(-9, 10, shape) if kind == "c" else made).astype(dtype)


class Program:
    """Both libraries' pools, and the steps so far as text."""

    def __init__(self, seed, device):
        self.rng, self.device = np.random.default_rng(seed), device
        self.pool, self.steps = [], []
        self.made = {}  # by its id, an array that fuse can make: the array, the function and the operands
        for _ in range(2):
            rank = self.rng.integers(0, 5)
            self.add(numbers(self.rng, tuple(self.rng.integers(0 if self.rng.random() < 0.1 else 1, 6, rank)),
                             self.rng.choice(DTYPES)))

    def add(self, array):
        self.pool.append((array, tenon.asarray(array).to_device(self.device)))

    def pick(self, kinds="biufc", least=0):
        fitting = [one for one in self.pool if one[0].dtype.kind in kinds and one[0].ndim >= least]
        return fitting[self.rng.integers(len(fitting))] if fitting else None

    def both(self, text, numpys, tenons, operands=None):
        """Does a step; its result joins the pool if both succeed and its numbers are small enough to go on. operands:
        the arrays that tenons takes, if tenon.fuse can record it."""
        if operands is not None:
            apply, tenons = tenons, lambda: apply(*operands)
        self.steps.append(text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = numpys()
        except (ValueError, IndexError, TypeError, OverflowError) as error:
            try:
                got = tenons()
            except (ValueError, IndexError, TypeError, OverflowError):
                return
            raise AssertionError(f"NumPy: {type(error).__name__}: {error}; Tenon: {got}") from error
        expected, got = np.asarray(expected), tenons()
        self.compare(expected, got)
        if operands is not None:
            self.made[id(got)] = got, apply, operands
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            small = expected.size == 0 or (np.isfinite(expected).all() and np.abs(expected).max() <= LARGEST)
        if expected.dtype.kind in "fc":
            small = small and np.array_equal(np.rint(expected), expected)
        if small and expected.size <= 4096:
            self.pool.append((expected, got))

    def compare(self, expected, got):
        got = got.to_device("cpu:0").numpy()
        assert got.shape == expected.shape and got.dtype == expected.dtype, \
            f"{got.dtype}{got.shape} instead of {expected.dtype}{expected.shape}"
        if expected.dtype.kind in "fc":
            tolerance = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-12
            assert np.allclose(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True), (got, expected)
        else:
            assert np.array_equal(got, expected), (got, expected)

    # ---- Steps ----

    def subscript(self, shape):
        """A key, with NumPy's arrays in it, and whether it holds arrays."""
        rng, entries, arrays, axis = self.rng, [], False, 0
        reach = rng.integers(0, len(shape) + 1)
        common = tuple(rng.integers(1, 4, rng.integers(0, 3)))
        while axis < reach:
            extent, kind = shape[axis], rng.integers(8)
            if kind == 0:
                entries.append(int(rng.integers(-extent, extent)) if extent else 0)
            elif kind == 1 and extent:
                cut = tuple(one if rng.random() < 0.8 else 1 for one in common[rng.integers(0, len(common) + 1):])
                entries.append(rng.integers(-extent, extent, cut).astype(rng.choice(["int64", "int32", "int8", "uint8"])) %
                               np.int64(extent))
                arrays = True
            elif kind == 2:
                width = int(rng.integers(1, min(2, len(shape) - axis) + 1))
                entries.append(rng.random(shape[axis:axis + width]) < 0.6)
                arrays, axis = True, axis + width - 1
            elif kind == 3:
                entries.append(None)
                continue
            else:
                ends = [None if rng.random() < 0.4 else int(rng.integers(-extent - 1, extent + 2)) for _ in range(2)]
                entries.append(slice(*ends, int(rng.choice([-3, -2, -1, 1, 1, 1, 2, 3]))))
            axis += 1
        if rng.random() < 0.2 and axis == reach:
            entries.append(Ellipsis)
        return tuple(entries), arrays

    def on_device(self, key):
        return tuple(tenon.asarray(one).to_device(self.device) if isinstance(one, np.ndarray) else one for one in key)

    def read(self):
        x, t = self.pick()
        key, _ = self.subscript(x.shape)
        self.both(f"{x.dtype}{x.shape}[{key}]", lambda: x[key], lambda: t[self.on_device(key)])

    def write(self):
        x, _ = self.pick()
        x, t = np.array(x), tenon.asarray(np.array(x)).to_device(self.device)
        key, arrays = self.subscript(x.shape)
        try:
            part = x[key]
        except IndexError:
            return
        if arrays:  # places that are written twice keep one of the values: here all are the same
            value = numbers(self.rng, (), x.dtype)
        else:
            shape = tuple(1 if self.rng.random() < 0.3 else one for one in np.shape(part))
            value = numbers(self.rng, shape, x.dtype)
        self.steps.append(f"{x.dtype}{x.shape}[{key}] = {value!r}")
        x[key] = value
        t[self.on_device(key)] = tenon.asarray(np.asarray(value)).to_device(self.device)
        self.compare(x, t)
        self.pool.append((x, t))

    def binary(self):
        name = self.rng.choice(["add", "subtract", "multiply", "maximum", "minimum", "equal", "less", "greater_equal",
                                "not_equal", "logical_and", "logical_xor"])
        kinds = REAL if name in ("less", "greater_equal") else "biufc"
        a, b = self.pick(kinds), self.pick(kinds)
        if a is None or b is None:
            return
        if name == "subtract" and a[0].dtype.kind == b[0].dtype.kind == "b":
            return
        if self.rng.random() < 0.5 and b[0].ndim:  # a part that broadcasts more often than another array
            at = tuple(slice(0, 1) if self.rng.random() < 0.5 else slice(None) for _ in range(b[0].ndim))
            a = (b[0][at], b[1][at])
        self.both(f"{name}({a[0].dtype}{a[0].shape}, {b[0].dtype}{b[0].shape})",
                  lambda: getattr(np, name)(a[0], b[0]), getattr(tenon, name), (a[1], b[1]))

    def number(self):
        """A function of an array and one of Python's numbers, which may lie beyond the array's dtype."""
        name = self.rng.choice(["add", "multiply", "less", "less_equal", "equal", "not_equal", "greater"])
        one = self.pick(REAL if name in ("less", "less_equal", "greater") else "biufc")
        if one is None:
            return
        x, t = one
        value = self.rng.choice([0, 1, -1, 3, 300, -70000, 2**40, -(2**63), 2**63 - 1]).item()
        value = value if self.rng.random() < 0.7 else self.rng.choice([0.5, -2.0]).item()
        left = self.rng.random() < 0.4
        self.both(f"{name}({x.dtype}{x.shape}, {value!r}, left={left})",
                  lambda: getattr(np, name)(*((value, x) if left else (x, value))),
                  lambda t: getattr(tenon, name)(*((value, t) if left else (t, value))), (t,))

    def clip(self):
        one = self.pick("iuf")
        if one is None:
            return
        x, t = one
        low, high = sorted(self.rng.choice([-300, -4, -1, 0, 2, 5, 300], 2).tolist())
        low, high = (low, high) if x.dtype.kind != "u" or high >= 0 else (0, -low)
        kept = x.dtype.kind == "f" or np.iinfo(x.dtype).min <= high and low <= np.iinfo(x.dtype).max
        if kept:
            self.both(f"clip({x.dtype}{x.shape}, {low}, {high})", lambda: np.clip(x, low, high),
                      lambda t: tenon.clip(t, low, high), (t,))

    def where(self):
        c, a, b = self.pick("b"), self.pick(), self.pick()
        if c is None:
            return
        self.both(f"where({c[0].shape}, {a[0].dtype}{a[0].shape}, {b[0].dtype}{b[0].shape})",
                  lambda: np.where(c[0], a[0], b[0]), tenon.where, (c[1], a[1], b[1]))

    def axes(self, rank):
        if rank == 0 or self.rng.random() < 0.3:
            return None
        chosen = self.rng.choice(rank, self.rng.integers(1, rank + 1), replace=False)
        signed = [int(one) - (rank if self.rng.random() < 0.5 else 0) for one in chosen]
        return signed[0] if len(signed) == 1 and self.rng.random() < 0.7 else tuple(signed)

    def reduce(self):
        name = self.rng.choice(["sum", "prod", "max", "min", "any", "all", "count_nonzero", "mean"])
        one = self.pick("fc" if name == "mean" else "biufc")
        if one is None:
            return
        x, t = one
        if name == "prod":
            x, t = x[..., :2] if x.ndim else x, t[..., :2] if x.ndim else t
            # whether the product of a part overflows, and makes NaN of a 0, depends on the order
            if x.dtype.kind in "fc" and np.log2(np.abs(x[x != 0])).sum() > np.finfo(x.dtype).maxexp / 2:
                return
        axis, keep = self.axes(x.ndim), bool(self.rng.integers(2))
        if name == "mean" and x.size == 0:
            return
        self.both(f"{name}({x.dtype}{x.shape}, axis={axis}, keepdims={keep})",
                  lambda: getattr(np, name)(x, axis=axis, keepdims=keep),
                  lambda t: getattr(tenon, name)(t, axis=axis, keepdims=keep), (t,))

    def place(self):
        one = self.pick()
        if one is None:
            return
        x, t = one
        name = self.rng.choice(["argmax", "argmin"])
        axis = None if x.ndim == 0 or self.rng.random() < 0.3 else int(self.rng.integers(-x.ndim, x.ndim))
        self.both(f"{name}({x.dtype}{x.shape}, {axis})", lambda: getattr(np, name)(x, axis=axis),
                  lambda t: getattr(tenon, name)(t, axis=axis), (t,))

    def scan(self):
        one = self.pick("iufc", 1)
        if one is None:
            return
        x, t = one
        axis = int(self.rng.integers(-x.ndim, x.ndim))
        self.both(f"cumsum({x.dtype}{x.shape}, {axis})", lambda: np.cumsum(x, axis=axis),
                  lambda t: tenon.cumulative_sum(t, axis=axis), (t,))

    def move(self):
        x, t = self.pick()
        rng, rank = self.rng, x.ndim
        kind = rng.integers(6)
        if kind == 0:
            order = tuple(int(one) for one in rng.permutation(rank))
            self.both(f"permute {x.shape} {order}", lambda: np.transpose(x, order), lambda: tenon.permute_dims(t, order))
        elif kind == 1 and rank:
            axis = int(rng.integers(-rank, rank))
            self.both(f"flip {x.shape} {axis}", lambda: np.flip(x, axis), lambda: tenon.flip(t, axis=axis))
        elif kind == 2 and rank:
            axis, by = int(rng.integers(-rank, rank)), int(rng.integers(-7, 8))
            self.both(f"roll {x.shape} {by} {axis}", lambda: np.roll(x, by, axis), lambda: tenon.roll(t, by, axis=axis))
        elif kind == 3:
            self.both(f"ravel {x.shape}", lambda: x.reshape(-1), lambda: tenon.reshape(t, (-1,)))
        elif kind == 4 and rank:
            axis = int(rng.integers(-rank, rank))
            self.both(f"concat {x.shape} {axis}", lambda: np.concatenate([x, x], axis),
                      lambda: tenon.concat([t, t], axis=axis))
        elif kind == 5:
            shape = (*rng.integers(1, 4, rng.integers(0, 2)), *x.shape)
            shape = tuple(int(one) for one in shape)
            self.both(f"broadcast {x.shape} {shape}", lambda: np.broadcast_to(x, shape),
                      lambda: tenon.broadcast_to(t, shape))

    def take(self):
        one = self.pick(least=1)
        if one is None:
            return
        x, t = one
        rng = self.rng
        axis = int(rng.integers(-x.ndim, x.ndim))
        extent = x.shape[axis]
        if extent == 0:
            return
        if rng.random() < 0.5:
            index = rng.integers(-extent, extent, int(rng.integers(1, 5)))
            self.both(f"take {x.shape} {axis}", lambda: np.take(x, index, axis=axis),
                      lambda t, i: tenon.take(t, i, axis=axis), (t, tenon.asarray(index).to_device(self.device)))
        else:
            shape = list(x.shape)
            shape[axis] = int(rng.integers(1, 4))
            index = rng.integers(-extent, extent, shape)
            self.both(f"take_along_axis {x.shape} {axis}", lambda: np.take_along_axis(x, index, axis),
                      lambda t, i: tenon.take_along_axis(t, i, axis=axis),
                      (t, tenon.asarray(index).to_device(self.device)))

    def run(self):
        steps = [self.read, self.read, self.write, self.binary, self.binary, self.where, self.reduce, self.reduce,
                 self.place, self.scan, self.move, self.take, self.number, self.clip]
        for _ in range(self.rng.integers(3, 9)):
            steps[self.rng.integers(len(steps))]()
        return len(self.steps)

    def fuse(self):
        """The last results that fuse can make, by one fused function of the arrays that it cannot."""
        wanted = [made[0] for made in self.made.values()][-3:]
        leaves = {}

        def find(array):
            if id(array) not in self.made:
                leaves[id(array)] = array
            elif array is not None:
                for operand in self.made[id(array)][2]:
                    find(operand)

        for array in wanted:
            find(array)
        if not wanted or len(leaves) + len(wanted) > 20:
            return

        def function(*args):
            values = dict(zip(leaves, args))

            def value(array):
                if id(array) not in values:
                    _, apply, operands = self.made[id(array)]
                    values[id(array)] = apply(*[value(operand) for operand in operands])
                return values[id(array)]

            return tuple(value(array) for array in wanted)

        self.steps.append(f"fused {[f'{one.dtype}{one.shape}' for one in wanted]}")
        for got, want in zip(tenon.fuse(function)(*leaves.values()), wanted):
            self.compare(want.to_device("cpu:0").numpy(), got)


def run(seed, device, fused=True):
    program = Program(seed, device)
    try:
        done = program.run()
        if fused:
            program.fuse()
        return done
    except Exception as error:
        steps = "; ".join(program.steps)
        raise AssertionError(f"program {seed} on {device}: {steps}: {type(error).__name__}: {error}") from error


def test_random_programs_give_numpys_results(device):
    count = 150
    assert sum(run(seed, device, seed % 8 == 0) for seed in range(count)) > 600  # fused ones compile kernels


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    where, failed, done = tenon.Device(sys.argv[2] if len(sys.argv) > 2 else "cpu:0"), 0, 0
    for seed in range(first, first + count):
        try:
            done += run(seed, where)
        except AssertionError as error:
            failed += 1
            print(str(error)[:900], flush=True)
            if failed == 10:
                break
    print(f"{seed + 1 - first} programs, {done} steps on {where}: {failed} failed")
    sys.exit(failed > 0)
