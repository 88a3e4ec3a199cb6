"""Notebooks: the cell magic, and pictures of arrays."""

import struct
import zlib

import numpy
import pytest

import tenon

CELL = """
// __global__ void no(float*);
template <class T> __global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
extern "C" __global__ void __launch_bounds__(32) twice(float* x) { x[threadIdx.x] *= FACTOR; }
"""


class Shell:
    """What the extension uses of IPython's shell."""

    def __init__(self):
        self.magics, self.variables = {}, {}

    def register_magic_function(self, function, kind, name):
        self.magics[kind, name] = function

    def push(self, variables):
        self.variables.update(variables)


@pytest.fixture
def shell():
    made = Shell()
    tenon.load_ipython_extension(made)
    return made


def test_a_cell_becomes_kernels(shell, capsys, device):
    run = shell.magics["cell", "tenon"]
    run("--option=-DFACTOR=2", CELL)
    assert [*shell.variables] == ["twice"] and capsys.readouterr().out == "kernels: twice\n"
    x = tenon.ones(4, "float32", device=device)
    shell.variables["twice"](1, 4, [x])
    run('"scale<float>" twice --mode=check --option=-DFACTOR=3', CELL)
    assert [*shell.variables] == ["twice", "scale"]
    shell.variables["scale"](1, 4, [x, 5.0])
    shell.variables["twice"](1, 4, [x])
    assert x.tolist() == [30] * 4


@pytest.mark.parametrize("line, cell, match", [("", "int x;", "no __global__ function"), ("--fast", CELL, "unrecognized|ambiguous|fast"),
                                               ("--mode=quick", CELL, "mode must be one of")])
def test_a_wrong_cell_is_refused(shell, line, cell, match):
    with pytest.raises(ValueError, match=match):
        shell.magics["cell", "tenon"](line, cell)
    assert shell.variables == {}


def decoded(png):
    """Width, height, the kind of colours, and the pixels of a PNG file whose lines are not filtered."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        (size,) = struct.unpack(">I", png[at:at + 4])
        kind, content = png[at + 4:at + 8], png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + content)
        chunks[kind] = content
        at += 12 + size
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8 and chunks[b"IHDR"][10:] == b"\0\0\0"
    rows = numpy.frombuffer(zlib.decompress(chunks[b"IDAT"]), "uint8").reshape(height, -1)
    assert not rows[:, 0].any()
    return width, height, colours, rows[:, 1:].reshape(height, width, -1)


@pytest.mark.parametrize("channels, colours", [(3, 2), (4, 6)])
def test_pictures_are_shown(device, channels, colours):
    pixels = numpy.random.default_rng(1).integers(0, 256, (9, 20, channels), "uint8")
    width, height, kind, shown = decoded(tenon.asarray(pixels, device=device)[:, ::2]._repr_png_())
    assert (width, height, kind) == (10, 9, colours) and numpy.array_equal(shown, pixels[:, ::2])


def test_large_pictures_are_thinned_out():
    pixels = numpy.random.default_rng(1).integers(0, 256, (1100, 2500, 3), "uint8")
    assert numpy.array_equal(decoded(tenon.asarray(pixels)._repr_png_())[3], pixels[::3, ::3])


@pytest.mark.parametrize("shape, dtype", [((9, 9), "uint8"), ((9, 9, 2), "uint8"), ((9, 9, 3), "float32"), ((7, 9, 3), "uint8"),
                                          ((2, 9, 9, 3), "uint8")])
def test_other_arrays_have_no_picture(shape, dtype):
    assert tenon.zeros(shape, dtype)._repr_png_() is None
