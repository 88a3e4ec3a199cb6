"""Random programs of what test_random_programs.py leaves out give NumPy's results: numbers at the ends of the dtypes, NaN,
infinities and zeros of both signs; Python's numbers; results in views that overlap operands; in-place operators; sorting,
sets, selection, padding, scatter, quantiles and products. As a program, `test_random_operations.py COUNT [DEVICE]
[FIRST]` runs that many, with the seeds from FIRST on."""

import operator
import sys
import warnings

import numpy as np

import tenon

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 7.25, np.inf, -np.inf, np.nan, 1e4, -1e-3]
TOLERANCE = {2: 4e-3, 4: 2e-5, 8: 1e-11}
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "bitwise_and", "bitwise_xor", "left_shift",
          "right_shift", "logical_and", "logical_or", "gcd", "lcm", "hypot", "arctan2", "copysign", "nextafter", "heaviside",
          "logaddexp"]
UNARY = ["negative", "abs", "sign", "square", "sqrt", "cbrt", "exp", "log1p", "floor", "ceil", "trunc", "isnan", "isinf",
         "isfinite", "signbit", "logical_not", "invert", "conj", "real", "imag", "bitwise_count", "arctan", "tanh", "expm1"]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.iand, operator.ior, operator.ixor, operator.ifloordiv,
            operator.imod, operator.itruediv]
METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull", "inverted_cdf", "median_unbiased",
           "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "normal_unbiased"]


def numbers(rng, shape, dtype, wild):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        info = np.iinfo(dtype)
        small = rng.integers(0 if kind == "u" else -6, 7, shape).astype(dtype)
        ends = rng.choice(np.array([info.min, info.min + 1, info.max - 1, info.max], dtype), shape)
        return np.where(rng.random(shape) < (0.3 if wild else 0), ends, small).astype(dtype)
    made = rng.choice(EDGES if wild else [one for one in EDGES if np.isfinite(one)], shape)
    if kind == "c":
        made = made + 1j * rng.choice([0.0, 1.0, -2.5], shape)
    return np.asarray(made).astype(dtype)


class Program:
    def __init__(self, seed, device):
        self.rng, self.device, self.steps, self.done = np.random.default_rng(seed), device, [], 0

    def on(self, x):
        return tenon.asarray(x).to_device(self.device)

    def array(self, kinds="biufc", least=0, most=3, wild=True, extent=7):
        """An array with both libraries, seen through steps, flips and exchanged axes."""
        rng = self.rng
        dtype = rng.choice([one for one in DTYPES if np.dtype(one).kind in kinds])
        rank = int(rng.integers(least, most + 1))
        shape = tuple(int(one) for one in rng.integers(0 if rng.random() < 0.08 else 1, extent, rank))
        x = numbers(rng, shape, dtype, wild)
        t = self.on(x)
        if rank and rng.random() < 0.5:
            key = tuple(slice(None, None, int(rng.choice([1, 1, -1, 2, -2]))) for _ in range(rank))
            x, t = x[key], t[key]
        if rank > 1 and rng.random() < 0.4:
            order = tuple(int(one) for one in rng.permutation(rank))
            x, t = np.transpose(x, order), tenon.permute_dims(t, order)
        return x, t

    def axis(self, x, some=True):
        if x.ndim == 0 or (some and self.rng.random() < 0.25):
            return None
        return int(self.rng.integers(-x.ndim, x.ndim))

    def both(self, text, numpys, tenons, dtype=True, tolerance=1.0):
        """One step. dtype=False: NumPy's dtype differs by intention. Where either refuses, so must the other, unless
        NumPy computes what Tenon says it does not define."""
        self.steps.append(text)
        self.done += 1
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                want = numpys()
            except (ValueError, IndexError, TypeError, OverflowError) as error:
                want = error
            try:
                got = tenons()
            except (tenon.DTypeError, tenon.Unsupported):
                return
            except (ValueError, IndexError, TypeError, OverflowError) as error:
                if isinstance(want, Exception):
                    return
                raise AssertionError(f"NumPy gives {want!r}, Tenon {type(error).__name__}: {error}") from error
        if isinstance(want, Exception):
            raise AssertionError(f"NumPy: {type(want).__name__}: {want}; Tenon: {got}")
        if isinstance(want, (tuple, list)):
            assert len(want) == len(got), (len(got), len(want))
            for a, b in zip(got, want):
                self.compare(a, np.asarray(b), dtype, tolerance)
        else:
            self.compare(got, np.asarray(want), dtype, tolerance)

    def compare(self, got, want, dtype=True, tolerance=1.0):
        got = got.to_device("cpu:0").numpy() if isinstance(got, tenon.Array) else np.asarray(got)
        assert got.shape == want.shape, f"shape {got.shape} instead of {want.shape}"
        assert not dtype or got.dtype == want.dtype, f"{got.dtype} instead of {want.dtype}"
        if want.dtype.kind not in "fc" or got.dtype.kind not in "fc":
            assert np.array_equal(got, want.astype(got.dtype)), (got, want)
            return
        size = min(x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1) for x in (got, want))
        bound = TOLERANCE[size] * tolerance
        for part in (np.real, np.imag) if want.dtype.kind == "c" else (np.real,):
            a, b = part(got).astype("f8"), part(want).astype("f8")
            with np.errstate(all="ignore"):
                room = bound * max(1.0, np.abs(b[np.isfinite(b)]).max(initial=0)) if want.dtype.kind == "c" else \
                    bound * np.maximum(1e-2, np.abs(b))
                same = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= room)
            if want.dtype.kind == "c":  # of infinities and NaN, C99's and NumPy's parts differ
                same |= ~np.isfinite(got) & ~np.isfinite(want)
            assert same.all(), (got[~same][:4], want[~same][:4])

    # ---- Steps ----

    def unary(self):
        name = self.rng.choice(UNARY)
        x, t = self.array(wild=True)
        same = x.dtype.kind in "fc" or name not in ("sqrt", "cbrt", "exp", "log1p", "arctan", "tanh", "expm1")
        if x.dtype.kind == "b" or (x.dtype.kind == "c" and name in ("sign", "sqrt", "exp", "log1p", "arctan", "tanh", "expm1")):
            x, t = x.real.astype("float32"), tenon.astype(t, "float32")
        self.both(f"{name} {x.dtype}{x.shape}", lambda: getattr(np, name)(x), lambda: getattr(tenon, name)(t), same)

    def binary(self):
        name = self.rng.choice(BINARY)
        (x, t), (y, u) = self.array(wild=True), self.array(wild=True)
        if self.rng.random() < 0.7:
            y = numbers(self.rng, tuple(one if self.rng.random() < 0.8 else 1 for one in x.shape), y.dtype, True)
            u = self.on(y)
        kinds = x.dtype.kind + y.dtype.kind
        if kinds == "bb" or ("c" in kinds and name not in ("add", "subtract", "multiply", "equal", "not_equal", "maximum",
                                                           "minimum", "fmax", "fmin")):
            return
        # Whose zero it is, and of which sign, is not defined; float64's division of integers is documented.
        floats = name in ("divide", "hypot", "arctan2", "copysign", "nextafter", "heaviside", "logaddexp")
        self.both(f"{name} {x.dtype}{x.shape} {y.dtype}{y.shape}", lambda: getattr(np, name)(x, y),
                  lambda: getattr(tenon, name)(t, u), not (floats and "f" not in kinds and "c" not in kinds))

    def scalar(self):
        x, t = self.array("iufc")
        value = self.rng.choice([0, 1, -1, 3, 100, 127, 300, -70000, 2**40, -(2**63), 2**63 - 1])
        value = int(value) if self.rng.random() < 0.6 else self.rng.choice([0.5, -2.0, float("inf"), float("nan"), True]).item()
        f = self.rng.choice([operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.eq, operator.ne,
                             operator.lt, operator.le, operator.gt, operator.ge, operator.truediv])
        if x.dtype.kind == "c" and f in (operator.floordiv, operator.mod, operator.lt, operator.le, operator.gt, operator.ge):
            return
        if x.dtype.kind == "c" and not np.isfinite(value):
            return
        left = self.rng.random() < 0.4
        same = x.dtype.kind in "fc" or f is not operator.truediv
        self.both(f"{f.__name__} {x.dtype}{x.shape} {value!r} {left}", lambda: f(value, x) if left else f(x, value),
                  lambda: f(value, t) if left else f(t, value), same)

    def whole(self, dtype):
        """An array of 30 elements, and two views of 10 that may overlap."""
        x = numbers(self.rng, (30,), dtype, np.dtype(dtype).kind != "f")
        cuts = [slice(0, 10), slice(1, 11), slice(20, 30), slice(9, None, -1), slice(0, 30, 3), slice(1, 30, 3), slice(10, 0, -1)]
        return x, self.on(x), cuts[self.rng.integers(7)], cuts[self.rng.integers(7)]

    def in_place(self):
        x, t, to, of = self.whole(self.rng.choice(DTYPES[1:12]))
        f = IN_PLACE[self.rng.integers(len(IN_PLACE))]
        other = x[of].copy() if self.rng.random() < 0.7 else 2
        source = t[of] if isinstance(other, np.ndarray) else 2
        before = x.copy()
        self.steps.append(f"{f.__name__} {x.dtype} {to} {of}")
        self.done += 1
        with np.errstate(all="ignore"):
            try:
                f(x[to], other)
            except TypeError:
                x = before
        try:
            f(t[to], source)
        except (TypeError, ValueError):
            x = before
        self.compare(t, x)

    def assign(self):
        x, t, to, of = self.whole(self.rng.choice(DTYPES))
        self.steps.append(f"assign {x.dtype} {to} {of}")
        self.done += 1
        x[to] = x[of].copy()
        t[to] = t[of]
        self.compare(t, x)

    def into(self):
        """A result in a view that overlaps an operand is right, or refused before anything is written."""
        x, t, to, of = self.whole(self.rng.choice(["int32", "float32", "float64"]))
        name = self.rng.choice(["add", "negative", "cumsum", "where", "clip", "sqrt"])
        a, b = x[of].copy(), x[:10].copy()
        calls = {"add": (lambda: a + b, lambda o: tenon.add(t[of], t[:10], out=o)),
                 "negative": (lambda: -a, lambda o: tenon.negative(t[of], out=o)),
                 "cumsum": (lambda: np.cumsum(a, dtype=x.dtype), lambda o: tenon.cumulative_sum(t[of], dtype=x.dtype, out=o)),
                 "where": (lambda: np.where(a > 0, a, b), lambda o: tenon.where(t[of] > 0, t[of], t[:10], out=o)),
                 "clip": (lambda: np.clip(a, -1, b), lambda o: tenon.clip(t[of], -1, t[:10], out=o)),
                 "sqrt": (lambda: np.sqrt(a), lambda o: tenon.sqrt(t[of], out=o))}
        if name == "sqrt" and x.dtype.kind == "i":
            return
        self.steps.append(f"{name} into {x.dtype} {to} {of}")
        self.done += 1
        with np.errstate(all="ignore"):
            want = x.copy()
            want[to] = calls[name][0]()
        try:
            calls[name][1](t[to])
        except tenon.OverlapError:
            want = x
        self.compare(t, want)

    def reduce(self):
        name = self.rng.choice(["sum", "prod", "max", "min", "mean", "std", "var", "argmax", "argmin", "nansum", "nanmax", "nanmin",
                                "nanmean", "nanstd", "nanprod", "any", "all"])
        x, t = self.array("biufc" if name in ("max", "min", "argmax", "argmin") else "biuf")
        if x.dtype.kind == "f" and name in ("std", "var", "nanstd", "prod", "nanprod"):
            x = np.where(np.abs(x) < 100, x, 1).astype(x.dtype)
            t = self.on(x)
        if name in ("nanmax", "nanmin") and x.dtype.kind == "f" and np.isnan(x).any():
            return  # of NaN alone: an error of NumPy's for some axes
        axis, keep = self.axis(x), bool(self.rng.integers(2))
        words = {} if name.startswith("arg") and axis is None else {"keepdims": keep}
        if x.dtype.kind in "iu" and x.dtype.itemsize == 8 and "mean" in name:
            x = x % np.asarray(100, x.dtype)  # sums of numbers beyond 2^53 depend on their order
            t = self.on(x)
        same = x.dtype != np.float16 or name not in ("mean", "std", "var", "nanmean", "nanstd")
        if x.dtype == np.float16 and name in ("sum", "nansum", "mean", "nanmean"):
            return  # NumPy's partial sums in float16 overflow
        self.both(f"{name} {x.dtype}{x.shape} {axis} {keep}", lambda: getattr(np, name)(x, axis=axis, **words),
                  lambda: getattr(tenon, name)(t, axis=axis, **words), same)

    def scan(self):
        x, t = self.array("iuf", 1)
        axis = self.axis(x, False)
        name, function = [("cumsum", np.cumsum), ("cumprod", np.cumprod), ("cummax", np.maximum.accumulate),
                          ("cummin", np.minimum.accumulate), ("nancumsum", np.nancumsum)][self.rng.integers(5)]
        if x.dtype == np.float16:
            return  # NumPy rounds each partial sum
        if x.dtype.kind == "f":
            x = np.where(np.abs(x) < 100, x, 1).astype(x.dtype)
            t = self.on(x)
        self.both(f"{name} {x.dtype}{x.shape} {axis}", lambda: function(x, axis=axis), lambda: getattr(tenon, name)(t, axis=axis))

    def order(self):
        x, t = self.array(least=1, extent=40)
        axis = self.axis(x, False)
        kind = self.rng.integers(7)
        if x.dtype == np.float16:  # NumPy 2.4 sorts it wrongly on processors with AVX-512
            x, t = x.astype("float32"), tenon.astype(t, "float32")
        if kind == 0:
            self.both(f"sort {x.dtype}{x.shape} {axis}", lambda: np.sort(x, axis=axis), lambda: tenon.sort(t, axis=axis))
        elif kind == 1:
            self.both(f"argsort {x.dtype}{x.shape} {axis}", lambda: np.argsort(x, axis=axis, kind="stable"),
                      lambda: tenon.argsort(t, axis=axis))
        elif kind == 2:
            self.both(f"unique {x.dtype}{x.shape}", lambda: np.unique(x, return_index=True, return_inverse=True, return_counts=True),
                      lambda: tenon.unique(t, return_index=True, return_inverse=True, return_counts=True))
        elif kind == 3:
            y = numbers(self.rng, (9,), x.dtype, True)
            name = self.rng.choice(["union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"])
            self.both(f"{name} {x.dtype}{x.shape}", lambda: getattr(np, name)(x, y), lambda: getattr(tenon, name)(t, self.on(y)))
        elif kind == 4:
            edges, side = np.sort(numbers(self.rng, (9,), x.dtype, True)), self.rng.choice(["left", "right"]).item()
            self.both(f"searchsorted {x.dtype}{x.shape} {side}", lambda: np.searchsorted(edges, x, side=side),
                      lambda: tenon.searchsorted(self.on(edges), t, side=side))
        elif kind == 5 and x.dtype.kind != "c":
            keys = [numbers(self.rng, (12,), one, True) for one in self.rng.choice(DTYPES[:12], 3)]
            self.both(f"lexsort {[one.dtype for one in keys]}", lambda: np.lexsort(keys), lambda: tenon.lexsort([self.on(k) for k in keys]))
        elif kind == 6 and x.shape[axis] and x.dtype.kind not in "c":
            k = int(self.rng.integers(0, x.shape[axis]))
            self.both(f"partition {x.dtype}{x.shape} {k} {axis}", lambda: np.take(np.sort(x, axis), k, axis),
                      lambda: tenon.take(tenon.partition(t, k, axis=axis), tenon.asarray([k], device=self.device), axis=axis)
                      .reshape(x.shape[:axis % x.ndim] + x.shape[axis % x.ndim + 1:]))

    def shape(self):
        rng = self.rng
        x, t = self.array(least=1)
        axis, kind = self.axis(x, False), rng.integers(10)
        if kind == 0:
            widths = [tuple(int(one) for one in rng.integers(0, 4, 2)) for _ in range(x.ndim)]
            mode = rng.choice(["constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum"]).item()
            self.both(f"pad {x.dtype}{x.shape} {widths} {mode}", lambda: np.pad(x, widths, mode=mode), lambda: tenon.pad(t, widths, mode=mode))
        elif kind == 1:
            times = tuple(int(one) for one in rng.integers(0, 3, rng.integers(1, 4)))
            self.both(f"tile {x.shape} {times}", lambda: np.tile(x, times), lambda: tenon.tile(t, times))
        elif kind == 2:
            count = rng.integers(0, 4, x.shape[axis])
            self.both(f"repeat {x.shape} {count} {axis}", lambda: np.repeat(x, count, axis), lambda: tenon.repeat(t, self.on(count), axis=axis))
        elif kind == 3:
            cuts = sorted(int(one) for one in rng.integers(-2, x.shape[axis] + 3, 2))
            self.both(f"split {x.shape} {cuts} {axis}", lambda: np.split(x, cuts, axis), lambda: tenon.split(t, cuts, axis=axis))
        elif kind == 4:
            at = int(rng.integers(-x.ndim - 1, x.ndim + 1))
            y = x.astype("float64") if x.dtype.kind != "c" else x
            self.both(f"stack {x.dtype}{x.shape} {at}", lambda: np.stack([x, y], at), lambda: tenon.stack([t, self.on(y)], axis=at))
        elif kind == 5 and x.dtype.kind != "b":
            n = int(rng.integers(0, 3))
            self.both(f"diff {x.dtype}{x.shape} {n} {axis}", lambda: np.diff(x, n, axis), lambda: tenon.diff(t, n=n, axis=axis))
        elif kind == 6 and x.ndim > 1:
            k, name = int(rng.integers(-4, 5)), rng.choice(["tril", "triu"])
            self.both(f"{name} {x.dtype}{x.shape} {k}", lambda: getattr(np, name)(x, k), lambda: getattr(tenon, name)(t, k=k))
        elif kind == 7:
            by = tuple(int(one) for one in rng.integers(-9, 9, x.ndim))
            axes = tuple(int(one) for one in rng.integers(-x.ndim, x.ndim, x.ndim))
            self.both(f"roll {x.shape} {by} {axes}", lambda: np.roll(x, by, axes), lambda: tenon.roll(t, by, axis=axes))
        elif kind == 8:
            self.both(f"nonzero {x.dtype}{x.shape}", lambda: np.nonzero(x), lambda: tenon.nonzero(t))
        elif kind == 9:
            y = rng.random(x.shape[axis]) < 0.5
            self.both(f"compress {x.shape} {axis}", lambda: np.compress(y, x, axis), lambda: tenon.compress(self.on(y), t, axis=axis))

    def scatter(self):
        rng = self.rng
        x, _ = self.array("iuf", 1, wild=False)
        x = np.array(x)
        axis = self.axis(x, False)
        name, ufunc = [("add", np.add), ("min", np.minimum), ("max", np.maximum)][rng.integers(3)]
        extent = x.shape[axis]
        index = rng.integers(-extent - (rng.random() < 0.1), max(extent, 1), rng.integers(0, 9))
        values = np.moveaxis(numbers(rng, (index.size,) + x.shape[:axis % x.ndim] + x.shape[axis % x.ndim + 1:], x.dtype, False),
                             0, axis % x.ndim)
        if values.size == 0 and index.size:
            return  # nothing is written: NumPy refuses indices out of range all the same
        t, before = self.on(x), x.copy()
        self.steps.append(f"scatter {name} {x.dtype}{x.shape} {index} {axis}")
        self.done += 1
        key = (slice(None),) * (axis % x.ndim) + (index,)
        try:
            ufunc.at(x, key, values)
        except IndexError:
            x = None
        try:
            tenon.scatter(t, self.on(index), self.on(values), axis=axis, operation=name)
            assert x is not None, "NumPy refuses the index"
            self.compare(t, x)
        except (IndexError, ValueError):
            assert x is None, "NumPy accepts the index"
            self.compare(t, before)

    def convert(self):
        x, t = self.array()
        to = self.rng.choice([one for one in DTYPES if x.dtype.kind != "c" or np.dtype(one).kind == "c"]).item()
        if x.dtype.kind in "fc" and np.dtype(to).kind in "iu":  # out of range: NumPy's depends on the processor
            x = np.where(np.abs(x) < 100, np.abs(x), 1).astype(x.dtype)
            t = self.on(x)
        self.both(f"{x.dtype}{x.shape} to {to}", lambda: x.astype(to), lambda: tenon.astype(t, to))

    def quantile(self):
        x, t = self.array("iuf", 1, extent=12, wild=False)
        if x.size == 0:
            return
        x, t = (x.astype("float64"), tenon.astype(t, "float64"))
        axis, method = self.axis(x), self.rng.choice(METHODS).item()
        q = self.rng.choice([0, 0.1, 0.25, 0.5, 0.9, 1.0], 3)
        self.both(f"quantile {x.shape} {q} {axis} {method}", lambda: np.quantile(x, q, axis=axis, method=method),
                  lambda: tenon.quantile(t, self.on(q), axis=axis, method=method))

    def count(self):
        x, t = self.array("iuf", 1, extent=30, wild=False)
        bins = int(self.rng.integers(1, 9))
        if x.dtype == np.float16 or x.size == 0:
            return
        x = x.astype("float64")
        self.both(f"histogram {x.shape} {bins}", lambda: np.histogram(x, bins), lambda: tenon.histogram(self.on(x), bins))
        y = np.abs(x).astype("int64").ravel() % 50
        self.both(f"bincount {y.size}", lambda: np.bincount(y, weights=y * 0.5, minlength=3),
                  lambda: tenon.bincount(self.on(y), weights=self.on(y * 0.5), minlength=3))

    def product(self):
        """An einsum of letters that repeat, broadcast or are summed, of one dtype or two."""
        rng = self.rng
        extents = dict(zip("abcd", (int(one) for one in rng.integers(1, 5, 4))))
        names = ["".join(rng.choice(list("abcd"), rng.integers(0, 4))) for _ in range(rng.integers(1, 4))]
        used = sorted(set("".join(names)))
        result = "".join(one for one in used if rng.random() < 0.5)
        dtypes = rng.choice(["int32", "int64", "float64", "complex128"], 2)
        arrays = [numbers(rng, tuple(extents[c] for c in one), dtypes[i % 2], False) for i, one in enumerate(names)]
        text = ",".join(names) + "->" + result
        self.both(f"einsum {text} {[one.dtype for one in arrays]}", lambda: np.einsum(text, *arrays),
                  lambda: tenon.einsum(text, *(self.on(one) for one in arrays)), tolerance=1e3)

    def multiply(self):
        rng = self.rng
        n, m, k = (int(one) for one in rng.integers(0, 6, 3))
        batch = [(), (1,), (3,), (2, 1), (2, 3)]
        a = numbers(rng, (*batch[rng.integers(5)], n, k), rng.choice(DTYPES[3:9] + ["float64", "complex128"]), False)
        b = numbers(rng, (*batch[rng.integers(5)], k, m), rng.choice(DTYPES[3:9] + ["float64", "complex128"]), False)
        self.both(f"matmul {a.dtype}{a.shape} {b.dtype}{b.shape}", lambda: a @ b, lambda: self.on(a) @ self.on(b), tolerance=1e3)

    def run(self):
        steps = [self.unary, self.binary, self.binary, self.scalar, self.scalar, self.in_place, self.assign, self.into, self.reduce,
                 self.reduce, self.scan, self.order, self.order, self.shape, self.shape, self.scatter, self.convert, self.quantile,
                 self.count, self.product, self.multiply]
        for _ in range(6):
            steps[self.rng.integers(len(steps))]()
        return self.done


def run(seed, device):
    program = Program(seed, device)
    try:
        return program.run()
    except Exception as error:
        raise AssertionError(f"program {seed} on {device}: {program.steps[-1:]}: {type(error).__name__}: {error}") from error


def test_random_operations_give_numpys_results(device):
    assert sum(run(seed, device) for seed in range(400 if device.kind == "cpu" else 100)) > 300


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    where, failed, done = tenon.Device(sys.argv[2] if len(sys.argv) > 2 else "cpu:0"), 0, 0
    for seed in range(first, first + count):
        try:
            done += run(seed, where)
        except AssertionError as error:
            failed += 1
            print(str(error)[:700], flush=True)
            if failed == 25:
                break
    print(f"{seed + 1 - first} programs, {done} steps on {where}: {failed} failed")
    sys.exit(failed > 0)
