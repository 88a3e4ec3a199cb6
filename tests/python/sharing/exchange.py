"""What happens to an array on its way into Tenon and out of it: the tables of abi/python/exchange.md.

exchange.py [--device cuda:0] [--write]     prints the tables of a device, or writes them into the page

Each cell is found by doing it: "shared" is the same address, "copied" another one with the same elements, "refused" an
exception, and "-" says that the library has no such array. test_exchange.py repeats the cells of the libraries that are
installed."""

import argparse
import importlib
import pathlib
import sys

import numpy

import tenon

PAGE = pathlib.Path(__file__).resolve().parents[3] / "abi" / "python" / "exchange.md"
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2")
LAYOUTS = {  # of a matrix x of float32
    "C order": lambda x, broadcast: x,
    "transposed": lambda x, broadcast: x.T,
    "every second row": lambda x, broadcast: x[::2],
    "every second column": lambda x, broadcast: x[:, ::2],
    "rows reversed": lambda x, broadcast: x[::-1],
    "a row repeated": lambda x, broadcast: broadcast(x[0], (5, 6)),
    "no axes": lambda x, broadcast: x[1:2, 2:3].reshape(()),
    "no elements": lambda x, broadcast: x[2:2],
}
HOST = (numpy.arange(24) % 2).reshape(4, 6)  # numbers that every dtype has


class NumPy:
    devices = ("cpu:0",)

    def __init__(self, module):
        self.module = module

    def dtype(self, name):
        return getattr(importlib.import_module("ml_dtypes"), name) if name.startswith(("bfloat", "float8")) else name

    def make(self, dtype, device):
        return HOST.astype(self.dtype(dtype))

    def broadcast(self, x, shape):
        return self.module.broadcast_to(x, shape)

    def address(self, x):
        return x.__array_interface__["data"][0]

    def taken(self, array):
        return self.module.asarray(array)

    def numpy(self, x):
        return x


class PyTorch(NumPy):
    devices = ("cpu:0", "cuda:0")

    def make(self, dtype, device):
        return self.module.from_numpy(HOST).to(getattr(self.module, dtype)).to(device.replace("cpu:0", "cpu"))

    def broadcast(self, x, shape):
        return x.expand(shape)

    def address(self, x):
        return x.data_ptr()

    def taken(self, array):
        return self.module.from_dlpack(array)

    def numpy(self, x):
        return x.to(self.module.complex128 if x.is_complex() else self.module.float64).cpu().numpy()


class JAX(NumPy):
    devices = ("cpu:0", "cuda:0")

    def __init__(self, module):
        module.config.update("jax_enable_x64", True)
        self.jax, self.module = module, importlib.import_module("jax.numpy")

    def make(self, dtype, device):
        kind, _, number = device.partition(":")
        place = self.jax.devices("gpu" if kind == "cuda" else "cpu")[int(number)]
        return self.jax.device_put(HOST.astype(self.dtype(dtype)), place)

    def address(self, x):
        return x.unsafe_buffer_pointer()

    def taken(self, array):
        return self.module.from_dlpack(array)

    def numpy(self, x):
        return numpy.asarray(x)


class CuPy(NumPy):
    devices = ("cuda:0",)

    def make(self, dtype, device):
        return self.module.asarray(HOST.astype(self.dtype(dtype)))

    def address(self, x):
        return x.data.ptr

    def taken(self, array):
        return self.module.from_dlpack(array)

    def numpy(self, x):
        return x.get()


class Numba(NumPy):
    devices = ("cuda:0",)

    def __init__(self, module):
        self.module = importlib.import_module("numba.cuda")
        self.module.detect()

    def make(self, dtype, device):
        return self.module.to_device(HOST.astype(self.dtype(dtype)))

    def broadcast(self, x, shape):
        raise AttributeError("Numba has no broadcast arrays")

    def address(self, x):
        return x.__cuda_array_interface__["data"][0]

    def taken(self, array):
        return self.module.as_cuda_array(array)

    def numpy(self, x):
        return x.copy_to_host()


class Tenon(NumPy):
    devices = ("cpu:0", "cuda:0")

    def make(self, dtype, device):
        return tenon.asarray(HOST.astype(self.dtype(dtype)), device=device, copy=True)

    def address(self, x):
        return x.data_ptr

    def taken(self, array):
        return self.module.from_dlpack(array)

    def numpy(self, x):
        return x.numpy()


LIBRARIES = {"NumPy": (NumPy, "numpy"), "PyTorch": (PyTorch, "torch"), "JAX": (JAX, "jax"), "CuPy": (CuPy, "cupy"),
             "Numba": (Numba, "numba"), "Tenon": (Tenon, "tenon")}


def libraries(device, names=tuple(LIBRARIES)):
    """The libraries that are installed and have arrays on the device, by name: (library, version)."""
    found = {}
    for name in names:
        kind, module = LIBRARIES[name]
        if device not in kind.devices:
            continue
        try:
            loaded = importlib.import_module(module)
            library = kind(loaded)
            library.make("float32", device)
        except Exception as error:
            print(f"note: no {name} on {device}: {type(error).__name__}: {str(error)[:90]}", file=sys.stderr)
            continue
        found[name] = library, loaded.__version__
    return found


def outcome(x, take, address, given, result_address, got):
    """What becomes of the array x: take(x) is another library's array. given and got: their elements."""
    try:
        made = take(x)
    except Exception:
        return "refused"
    numpy.testing.assert_array_equal(numpy.asarray(got(made), "complex128"), numpy.asarray(given(x), "complex128"))
    return "shared" if 0 in made.shape or address(x) == result_address(made) else "copied"


def coming(library, x):
    """The library's array as a Tenon array."""
    ours = Tenon(tenon)
    return outcome(x, tenon.asarray, library.address, library.numpy, ours.address, ours.numpy)


def going(library, array):
    """The Tenon array as one of the library's."""
    ours = Tenon(tenon)
    return outcome(array, library.taken, ours.address, ours.numpy, library.address, library.numpy)


def cells(library, device, row):
    """(in, out) of a row of one of the tables."""
    dtype, layout = (row, "C order") if row in DTYPES else ("float32", row)
    ours = LAYOUTS[layout](Tenon(tenon).make(dtype, device), tenon.broadcast_to)
    try:
        theirs = LAYOUTS[layout](library.make(dtype, device), library.broadcast)
    except Exception:  # the library has no such array
        return "-", going(library, ours)
    return coming(library, theirs), going(library, ours)


def table(device, rows, found):
    """The lines of a table in Markdown."""
    lines = ["| | " + " | ".join(f"{name} in | out" for name in found) + " |",
             "| --- |" + " --- | --- |" * len(found)]
    for row in rows:
        entries = [cell for library, _ in found.values() for cell in cells(library, device, row)]
        lines.append(f"| {row} | " + " | ".join(entries) + " |")
    return lines


def section(device):
    found = libraries(device)
    versions = ", ".join(f"{name} {version}" for name, (_, version) in found.items() if name != "Tenon")
    return [f"<!-- {device} -->", "", f"With {versions}:", "", *table(device, DTYPES, found), "",
            *table(device, LAYOUTS, found), "", f"<!-- end of {device} -->"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu:0")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    lines = section(arguments.device)
    if not arguments.write:
        print("\n".join(lines))
        return
    text = PAGE.read_text()
    start, end = (text.index(mark) for mark in (lines[0], lines[-1]))
    PAGE.write_text(text[:start] + "\n".join(lines) + text[end + len(lines[-1]):])


if __name__ == "__main__":
    main()
