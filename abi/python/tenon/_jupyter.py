"""Notebooks: pictures of arrays, and the cell magic %%tenon.

    %load_ext tenon

    %%tenon --mode check
    __global__ void twice(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }

makes the kernel `twice` a variable of the notebook.
"""

from __future__ import annotations

import argparse
import shlex
import struct
import zlib
from typing import Any

from ._kernel import Kernel

SIDE = 1024  # pictures are shown with at most so many pixels along each side


def picture(array: Any) -> bytes:
    """The PNG file of an array of uint8 with shape (height, width, 3 or 4); a large one has every nth row and column."""
    step = max(1, -(-max(array.shape[:2]) // SIDE))
    pixels = array[::step, ::step].copy()
    height, width, channels = pixels.shape
    data, row = pixels.tobytes(), width * channels
    lines = b"".join(b"\0" + data[at:at + row] for at in range(0, len(data), row))  # 0: the line is not filtered

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"%%tenon: {message}")


def _arguments(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%tenon", add_help=False, allow_abbrev=False)
    parser.add_argument("names", nargs="*")  # instances of templates, such as "axpy<float>"
    parser.add_argument("--mode", default="fast")
    parser.add_argument("--fast-math", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    return parser.parse_args(shlex.split(line))


def compiled(line: str, cell: str) -> dict[str, Kernel]:
    """The kernels of a cell by the names of their functions: those named in the line, or all that are not templates."""
    from .cupy._kernels import found_kernels, without_comments

    given = _arguments(line)
    names = given.names or found_kernels(without_comments(cell))
    if not names:
        raise ValueError("%%tenon: the cell has no __global__ function that is not a template: name an instance, %%tenon \"axpy<float>\"")
    return {name.partition("<")[0]: Kernel(cell, name, mode=given.mode, fast_math=given.fast_math, options=given.option)
            for name in names}


def register(shell: Any) -> None:
    """Makes %%tenon a cell magic of the IPython shell."""
    def tenon(line: str, cell: str) -> None:
        kernels = compiled(line, cell)
        shell.push(kernels)
        print("kernels:", ", ".join(kernels))

    shell.register_magic_function(tenon, "cell", "tenon")
