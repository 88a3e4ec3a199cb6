"""Compiles the CUDA C of src/device and src/backend/cuda/kernels with nvcc without running it. This finds, without a
GPU, the errors that NVRTC would report at the first use. Usage: device_texts.py SOURCE_ROOT; exit status 77: there is
no nvcc."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
REAL = ["float16", "bfloat16", "float", "double"]
COMPLEX = ["complex<float>", "complex<double>"]
HALVES = {"complex<float>": "float", "complex<double>": "double"}

# Kernels that are templates, by file: their bodies are only checked when they are instantiated.
NUMBERS = [f"{kernel}<{t}>" for kernel in ("combine", "line_places") for t in REAL + COMPLEX]
NUMBERS += [f"rotate<{t}, {exchange}>" for t in REAL + COMPLEX for exchange in ("true", "false")]
NUMBERS += [f"line_norms<{HALVES.get(t, t)}, {t}>" for t in REAL + COMPLEX]
NUMBERS += [f"givens<{t}, {HALVES.get(t, t)}>" for t in ["float", "double"] + COMPLEX]
NUMBERS += [f"{kernel}<{t}>" for kernel in ("rotate_modified", "givens_modified") for t in ("float", "double")]
NUMBERS += [f"{kernel}<{t}>" for kernel in ("find_zero", "keep_triangle") for t in ["float", "double"] + COMPLEX]
SORTED = ["half", "float", "double", "i8", "u16", "i32", "i64"]
DEVICE = [f"{kernel}<{t}>" for kernel in ("sort_count", "search_few") for t in SORTED]
DEVICE += [f"sort_rows<{t}, 4>" for t in SORTED] + [f"sort_pass<{t}, {c}>" for t in SORTED for c in ("u32", "u64")]
DEVICE += [f"each<{work}<{t}>, {kind}>" for t in SORTED
           for work, kind in (("Search", "SearchWork"), ("Runs", "RunsWork"))]
DEVICE += [f"each<Product<{t}>, ProductWork>" for t in ("boolean", "i8", "u16", "i32", "i64")]


def compile_text(name, namespace, texts, instances):
    lines = [(ROOT / text).read_text().replace("#pragma once\n", "") for text in texts]
    lines += [f"namespace {namespace} {{"]
    lines += [f"const void* const instance_{i} __attribute__((used)) = reinterpret_cast<const void*>(&{instance});"
              for i, instance in enumerate(instances)]
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / name
        source.write_text("#define TENON_DEVICE_TEXT\n" + "\n".join(lines) + "\n}\n")
        done = subprocess.run(["nvcc", "-std=c++17", "-arch=compute_75", "-ptx", "-o", f"{directory}/out.ptx", str(source)],
                              capture_output=True, text=True)
    if done.returncode:
        print("\n".join(line for line in done.stderr.splitlines() if "warning" not in line)[:4000])
    return done.returncode == 0


if shutil.which("nvcc") is None:
    sys.exit(77)
cuda = "src/backend/cuda/kernels/"
whole = [compile_text(f"{name}.cu", "tenon", [cuda + "types.cuh", f"{cuda}{name}.cu"], instances)
         for name, instances in (("array", []), ("numbers", NUMBERS), ("fft", []))]
order = ["work.hpp", "numbers.cuh", "random.cuh", "index.cuh", "order.cuh", "select.cuh", "block.cuh", "product.cuh"]
kernels = sorted(path.name for path in (ROOT / "src/device").glob("*.cu"))
whole.append(compile_text("device.cu", "tenon_own", [f"src/device/{name}" for name in order + kernels], DEVICE))
sys.exit(not all(whole))
