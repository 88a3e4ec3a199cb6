#!/usr/bin/env python3
"""tests/abi/layers.py: every file under src/ keeps to the layers. Usage: layers.py SOURCE_ROOT

A file includes its own room or a lower layer; rooms of one layer ignore each other, and so it is with the parts of a room
(PARTS). No vendor header anywhere: their types are declared in our own words; one file compares those with the vendors'
where these are installed. Only a backend, and the one file that lists the backends, is compiled conditionally by backend.
What C callers pass as arguments, and the handles in it, goes no further than the edge (EDGE).
"""
import re
import sys
from pathlib import Path

LAYERS = {"base": 0, "device": 0, "core": 1, "functions": 2, "kernel": 3, "backend": 3, "ops": 4,
          "plugin": 5, "api": 6, "tool": 7}
# The folders in a room, or in a part of one, lowest first; "." is the files beside them.
PARTS = {
    "base": [{"."}, {"process"}],
    "device": [{"."}, {"order", "small"}],
    "backend/cpu": [{"shim"}, {"."}, {"linalg", "fft", "native", "text"}, {"ptx"}, {"compile"}, {"run"}],
    "backend/cpu/shim": [{"language"}, {"execution", "math", "texture", "standard"}, {"sync", "floats", "random"},
                         {"tensor"}, {"cccl"}, {"."}],
    "backend/cpu/linalg": [{"library"}, {"."}],
    "backend/cpu/native": [{"."}, {"compute"}],
    "backend/cpu/text": [{"."}, {"tree"}, {"regions"}],
    "backend/cpu/compile": [{"compiler"}, {"source"}, {"."}],
    "backend/cpu/run": [{"."}, {"fibers"}, {"checks"}],
    "backend/cuda": [{"vendor"}, {"."}, {"memory", "streams"}, {"compile"}, {"kernels"}, {"linalg"}, {"fft"}],
    "backend/cuda/kernels": [{"."}, {"copy", "numbers"}],
    "backend/cuda/linalg": [{"."}, {"matmul"}, {"products"}, {"solve"}],
    "core": [{"."}, {"problem"}, {"device"}, {"array"}],
    "kernel": [{"source"}, {"."}, {"cache", "generate"}],
    "ops": [{"."}, {"compute"}, {"moving"}, {"sparse", "products"}, {"signal", "solve"}, {"eigen"}],
    "plugin": [{"expression"}, {"contract"}, {"package"}, {"call"}, {"measure"}],
    "tool": [{"."}, {"files", "plugin"}, {"run"}],
}
PUBLIC = {"base": False}  # whether a room sees <tenon/...>; every room but base does
VENDOR = re.compile(r"(cu(da|blas|fft|solver|sparse|rand|pti|dnn)|nv(rtc|JitLink|ml|ToolsExt|toolsext|cuda)|nccl|hip|"
                    r"c?blas|lapack|openblas|mkl|fftw|dlpack|torch|ATen|c10|Python\.h|numpy|device_launch|vector_types)")
BACKEND = re.compile(r"CUDA|NVRTC|TENON_WITH|TENON_CPU|HIP|METAL")
LIST = "backend/list.cpp"
KIND = re.compile(r"\bTENON_DEVICE_C(PU|UDA)\b")
# Where generic code may name a kind of device: it translates kinds into names or into DLPack's device types.
KINDS = {"core/device/context.cpp", "core/array/dlpack.cpp", "core/device/shared_memory.cpp", "kernel/cache/entries.cpp",
         "plugin/expression/parse.cpp", "kernel/arguments.cpp"}
EDGE = re.compile(r"\btenon_(arg|launch|array|stream|event|buffer|kernel|call)\b")  # CallArgument, Geometry, objects
AT_EDGE = {"api", "tool"}
COMPARISON = "backend/cuda/vendor/check_headers.cpp"
SHIM = "backend/cpu/shim/"  # our own headers of those names, for kernels on the CPU


def room_of(path: str) -> str:
    """base, core, backend/cpu ...: what a file belongs to. backend/list.* belong to no single backend."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "backend" and len(parts) > 2 else parts[0]


def layer_of(room: str) -> int:
    return LAYERS[room.split("/")[0]]


def part_of(folder: str, path: str) -> str:
    """The part of a folder that a file is in: cache, of kernel, for kernel/cache/key.cpp; "." for a file directly in it."""
    rest = path.removeprefix(folder + "/")
    return rest.split("/")[0] if "/" in rest else "."


def height_of(folder: str, part: str) -> int:
    """Which row of PARTS has the part; -1: none."""
    return next((i for i, row in enumerate(PARTS[folder]) if part in row), -1)


def divisions(room: str, path: str):
    """The divided folders around a file, outermost first, each with the part that the file is in."""
    folder = room
    while folder in PARTS:
        part = part_of(folder, path)
        yield folder, part
        folder += "/" + part


def crossing(room: str, path: str, other: str):
    """The folder in which the two files are in different parts, and these parts; None: they share every part."""
    for (folder, part), (_, to) in zip(divisions(room, path), divisions(room, other)):
        if part != to:
            return folder, part, to
    return None


def shim_names(files) -> dict[str, str]:
    """The names by which kernels include the shim's headers, which are those in its parts' folders, and their paths."""
    names = {}
    for path in files:
        if path.startswith(SHIM) and not path.startswith(SHIM + "cccl/"):  # cccl's hide others of the same name
            inside = path.removeprefix(SHIM)
            names[inside.split("/", 1)[1] if "/" in inside else inside] = path
    return names


def is_vendor(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    ours = folder.split("/")[0] in {"tenon", *LAYERS}
    return not ours and bool(VENDOR.match(name) or VENDOR.match(file))


def own_code(text: str) -> str:
    """The text without raw strings, which hold programs for other compilers, and without comments; lines keep their numbers."""
    blank = lambda match: "\n" * match[0].count("\n")
    text = re.sub(r'R"(\w*)\(.*?\)\1"', blank, text, flags=re.S)
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def faults_of(path: str, text: str, shim: dict[str, str]):
    if path.startswith("pch/"):  # they spare compile time and are nobody's interface
        return
    room = room_of(path)
    if room.split("/")[0] not in LAYERS:
        yield f"src/{path}: is in no room of the house: {', '.join(LAYERS)}"
        return
    for folder, part in divisions(room, path):
        if height_of(folder, part) < 0:
            yield f"src/{path}: {folder} has no part \"{part}\"; PARTS in tests/abi/layers.py lists them"
            return
    for number, line in enumerate(own_code(text).splitlines(), 1):
        where = f"src/{path}:{number}"
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        condition = re.match(r"\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)", line)
        outside = EDGE.search(re.sub(r'"[^"]*"', "", line)) if room not in AT_EDGE else None
        if outside:
            yield f"{where}: {outside[0]} is for C callers: api turns it into an object, a CallArgument or a Geometry"
        # Device texts are compiled for each device.
        may_ask = room.startswith("backend/") or path == LIST or str(path).endswith((".cu", ".cuh"))
        if KIND.search(line) and not may_ask and room != "tool" and path not in KINDS:
            yield f"{where}: generic code asks Device::traits(), not for a kind of device: {line.strip()}"
        if condition and BACKEND.search(condition[1]) and not may_ask:
            yield f"{where}: generic code asks which backend there is: {line.strip()}"
        if not include:
            continue
        quoted, name = include[1] == '"', include[2]
        if is_vendor(name) and path != COMPARISON and not path.startswith(SHIM):
            yield f"{where}: includes the vendor header <{name}>; declare what is needed in our own words"
        if name.startswith("tenon/") and not PUBLIC.get(room, True):
            yield f"{where}: {room} knows nothing of the public headers"
        if path.startswith(SHIM):  # "../array" in cuda/std/array: names are flat there
            name = shim.get(re.sub(r"^(\.\./)+", "", name), name)
        elif not quoted:  # the system
            continue
        if "/" not in name:  # the file's own folder
            continue
        other = room_of(name)
        if other.split("/")[0] not in LAYERS:  # somebody else's sources, built in
            continue
        if room == "tool" and other != "tool":
            yield f'{where}: the tool is a client of the public headers only, not of "{name}"'
        elif other != room and not (layer_of(other) < layer_of(room)):
            yield f'{where}: {room} (layer {layer_of(room)}) may not include "{name}" (layer {layer_of(other)})'
        elif other == room and (found := crossing(room, path, name)):
            folder, part, to = found
            if not height_of(folder, to) < height_of(folder, part):
                yield f'{where}: in {folder}, {part} may not include "{name}": {to} does not come before it'


def main() -> int:
    source = Path(sys.argv[1]) / "src"
    files = {path.relative_to(source).as_posix(): path for path in sorted(source.rglob("*"))
             if path.suffix in (".cpp", ".hpp", ".c", ".h", ".inc", ".cu", ".cuh")
             or (source / SHIM in path.parents and path.is_file() and not path.suffix)}
    shim = shim_names(files)
    faults = [f for name, path in files.items() for f in faults_of(name, path.read_text(), shim)]
    print("\n".join(faults) or f"{len(files)} files keep to the layers")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
