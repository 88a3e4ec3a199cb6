"""Compiling a kernel, cold and warm from the disk cache, beside the compiler alone and the peers that are installed: CuPy, PyTorch.

bench_compile.py [--device cuda:0|cpu:0] [--count N] [--json FILE]

Every text is another one (a number in it differs), so that nothing finds it compiled. Cold: the cache directory is empty. Warm: the
same texts in a second process, whose device is ready. The floors: NVRTC called bare with the same options, and for the warm rows
cuModuleLoadData of the finished image; on the CPU the compiler's own run is most of the time, and there is no floor. Medians;
"least" is the shortest time of a text.
"""

import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TEXTS = {
    "sigmoid": """extern "C" __global__ void k_{0}(const float* x, float* y, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i]));
}}
""",
    "saxpy over the grid": """extern "C" __global__ void k_{0}(const float* x, float* y, int n) {{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += 2.0f * x[i];
}}
""",
    "sum of a block": """extern "C" __global__ void k_{0}(const float* x, float* y, int n) {{
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {{
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }}
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}}
""",
}


def times_ms(call, count):
    times = []
    for i in range(count):
        start = time.perf_counter()
        call(i)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def median_ms(call, count):
    return statistics.median(times_ms(call, count))


def ours(text, name, count):
    import tenon

    device = tenon.Device(name)
    tenon.Program(text.format("first"), ["k_first"], device=device, no_cache=True)  # the compiler's library is open, the device ready
    made = []
    times = times_ms(lambda i: made.append(tenon.Program(text.format(i), [f"k_{i}"], device=device)), count)
    result = {"tenon": statistics.median(times), "least": min(times), "description": device.description}
    if name.startswith("cuda"):
        images = [program.image() for program in made]
        driver = ctypes.CDLL("libcuda.so.1")
        context, module = ctypes.c_void_p(), ctypes.c_void_p()
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        driver.cuCtxSetCurrent(context)
        result["load"] = median_ms(lambda i: driver.cuModuleLoadData(ctypes.byref(module), images[i]), count)
        library = device.toolkit.split("NVRTC ")[1].split(" from ")[1].split(" (")[0]
        result["nvrtc"] = bare_nvrtc(text, library, count)
    return result


def bare_nvrtc(text, directory, count):
    path = sorted(pathlib.Path(directory).glob("libnvrtc.so.*"))[0]
    nvrtc = ctypes.CDLL(str(path))
    options = (ctypes.c_char_p * 2)(b"--gpu-architecture=sm_90", b"--minimal")

    def compile(i):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.format(1000 + i).encode(), b"k.cu", 0, None, None)
        if nvrtc.nvrtcCompileProgram(program, 2, options):
            raise RuntimeError("nvrtcCompileProgram failed")
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        nvrtc.nvrtcGetCUBIN(program, ctypes.create_string_buffer(size.value))
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    return median_ms(compile, count)


def of_cupy(text, name, count):
    import cupy

    cupy.zeros(1)
    cupy.RawKernel(text.format("first"), "k_first").compile()
    return {"cupy": median_ms(lambda i: cupy.RawKernel(text.format(i), f"k_{i}").compile(), count)}


def of_torch(text, name, count):
    import torch

    torch.zeros(1, device="cuda")
    torch.cuda._compile_kernel(text.format("first"), "k_first")
    return {"torch": median_ms(lambda i: torch.cuda._compile_kernel(text.format(i), f"k_{i}"), count)}


PARTS = {"ours": ours, "cupy": of_cupy, "torch": of_torch}


def in_a_process(part, text, options, directory):
    environment = dict(os.environ, TENON_CACHE_DIR=directory, CUPY_CACHE_DIR=directory)
    done = subprocess.run([sys.executable, __file__, "--part", part, "--text", text, "--device", options.device, "--count", str(options.count)],
                          capture_output=True, text=True, env=environment, timeout=200)
    if done.returncode:
        print(f"note: {part} is left out: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}", file=sys.stderr)
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu:0")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--json")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--text", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part](TEXTS[options.text], options.device, options.count)))
        return
    parts = ["ours"] + (["cupy", "torch"] if options.device.startswith("cuda") else [])
    rows = []
    for text in TEXTS:
        with tempfile.TemporaryDirectory() as directory:
            for state in ("cold", "warm"):
                row = {"row": f"{text}, {state}", "unit": "ms"}
                for part in parts:
                    row.update(in_a_process(part, text, options, directory))
                row["floor"] = row.get("nvrtc" if state == "cold" else "load")
                rows.append(row)
    print(f"{options.device}: {rows[0].get('description')}; milliseconds a program, {options.count} texts")
    print(f"{'':28}" + "".join(f"{name:>10}" for name in ("floor", "cupy", "torch", "tenon", "/floor", "least")))
    for row in rows:
        values = [row.get(name) for name in ("floor", "cupy", "torch", "tenon")]
        values.append(row["tenon"] / row["floor"] if row.get("tenon") and row.get("floor") else None)
        values.append(row.get("least"))
        print(f"{row['row']:28}" + "".join(f"{'-' if value is None else f'{value:.3f}':>10}" for value in values))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"rows": rows}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
