"""Compiles the CUDA C that Tenon itself runs on GPUs, with NVRTC, without running it: what a user would meet at the
first use on a GPU is found on a machine without one. A driver that does nothing (tests/fake_cuda) accepts what NVRTC
made; every family of operations is called there with every dtype. No result is looked at. The same is done with the
texts of the kernels' tests, which have to be legal CUDA C beside being right on the CPU.

cuda_texts.py DRIVER [--all] [--corpus PROGRAM ...] [--architecture sm_N ...], with TENON_LIBRARY and PYTHONPATH set.
DRIVER: that library. PROGRAM: a GoogleTest program whose tests named */cuda compile texts. The architectures are by
default the newest that NVRTC supports. --all: every dtype instead of four, six minutes per architecture. NVRTC is looked
for in the directory TENON_TEST_NVRTC and in a toolkit; exit status 77: there is none."""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("driver", type=Path)
parser.add_argument("--all", action="store_true")
parser.add_argument("--corpus", type=Path, nargs="*", default=[])
parser.add_argument("--architecture", nargs="*", default=[])

BOOL, SIGNED = ["bool"], ["int8", "int16", "int32", "int64"]
UNSIGNED, FLOATS = ["uint8", "uint16", "uint32", "uint64"], ["float16", "bfloat16", "float32", "float64"]
SOLVED, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]
ALL = ["int8", "float16", "float32", "complex128"]  # one of each kind


class Sweep:
    """Calls operations and keeps the failures to compile; what a dtype is refused for is another test's business."""

    def __init__(self, tenon):
        self.tenon, self.calls, self.failed = tenon, 0, {}

    def __call__(self, what, function, *arguments, **options):
        self.calls += 1
        try:
            function(*arguments, **options)
        except self.tenon.CompileError as error:
            self.failed[what] = f"{error}\n{error.log}"[:1500]
        except Exception:  # noqa: BLE001: results are garbage here, and so is what some functions make of them
            pass


def array(tenon, dtype, *shape):
    return tenon.zeros(shape, dtype, device="cuda:0")


def elementwise(tenon, sweep):
    from tenon import _functions

    operators = _functions.__all__
    for dtype in ALL:
        x, y = array(tenon, dtype, 6, 5), array(tenon, dtype, 6, 5)
        for name in operators:
            function = getattr(_functions, name)
            sweep(f"{name} of {dtype}", function, x)
            sweep(f"{name} of {dtype}", function, x, y)
        condition = array(tenon, "bool", 6, 5)
        sweep(f"where of {dtype}", tenon.where, condition, x, y)
        sweep(f"clip of {dtype}", tenon.clip, x, 0, 1)
        sweep(f"fill of {dtype}", x.fill, 1)
        for other in ALL:
            sweep(f"{dtype} to {other}", x.astype, other)
            sweep(f"transposed {dtype} to {other}", lambda x=x, other=other: tenon.asarray(x.T).astype(other))
    for name in ("add", "multiply", "exp", "less"):  # other ways through memory
        x = array(tenon, "float32", 64, 64)
        for a, b in ((x.T, x), (x[::2], x[1::2]), (x[:, :1], x)):
            sweep(f"{name} of strided arrays", getattr(_functions, name), *([a] if name == "exp" else [a, b]))


def reductions(tenon, sweep):
    for dtype in ALL:
        x = array(tenon, dtype, 40, 30)
        for name in (
            "sum",
            "prod",
            "max",
            "min",
            "all",
            "any",
            "count_nonzero",
            "argmax",
            "argmin",
            "mean",
            "var",
            "std",
            "logsumexp",
        ):
            for axis in (None, 0, 1):
                sweep(f"{name} of {dtype}, axis {axis}", getattr(tenon, name), x, axis=axis)
        for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "cumulative_sum", "cumulative_prod"):
            if hasattr(tenon, name):
                for axis in (0, 1):
                    sweep(f"{name} of {dtype}, axis {axis}", getattr(tenon, name), x, axis=axis)


def selecting(tenon, sweep):
    for dtype in ALL:
        x, many = array(tenon, dtype, 12, 9), array(tenon, dtype, 70000)
        places = array(tenon, "int64", 4)
        for name in ("sort", "argsort", "unique", "unique_all", "nonzero"):
            sweep(f"{name} of {dtype}", getattr(tenon, name), x)
            sweep(f"{name} of many {dtype}", getattr(tenon, name), many)
        sweep(f"sort down of {dtype}", tenon.sort, x, descending=True)
        for n in (2, 100, 256, 1000):
            sweep(f"argsort of {n} {dtype}", tenon.argsort, array(tenon, dtype, 3, n))
        sweep(f"top_k of {dtype}", tenon.top_k, x, 3)
        sweep(f"top_k of many {dtype}", tenon.top_k, many, 100)
        sweep(f"searchsorted of {dtype}", tenon.searchsorted, x[0], x[1])
        sweep(f"take of {dtype}", tenon.take, x, places, axis=0)
        sweep(f"indices of {dtype}", lambda x=x: x[places])
        sweep(f"mask of {dtype}", lambda x=x: x[tenon.zeros(x.shape, "bool", device="cuda:0")])
        for operation in ("assign", "add", "min", "max"):
            sweep(f"scatter {operation} of {dtype}", tenon.scatter, x, places, x[:4], operation=operation)
        for name, more in (
            ("roll", (2,)),
            ("repeat", (2,)),
            ("tile", ((2, 2),)),
            ("pad", (1,)),
            ("tril", ()),
            ("triu", ()),
        ):
            sweep(f"{name} of {dtype}", getattr(tenon, name), x, *more)
        sweep(f"concat of {dtype}", tenon.concat, [x, x])
        sweep(f"bincount of {dtype}", tenon.bincount, x[0])
        sweep(f"histogram of {dtype}", tenon.histogram, x[0], 4)
        sweep(f"product of {dtype}", tenon.matmul, x, x.T)


def segments(tenon, sweep):
    for dtype in ALL:
        x, marks = array(tenon, dtype, 12, 9), array(tenon, "int64", 4)
        for name in ("sum", "prod", "max", "min", "logsumexp"):
            sweep(f"segment {name} of {dtype}", getattr(tenon, f"segment_{name}"), x, offsets=marks)
            sweep(f"segment {name} of numbers of {dtype}", getattr(tenon, f"segment_{name}"), x[:4], marks, 3)
        for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
            scan = getattr(tenon, f"segment_{name}")
            sweep(f"segment {name} of {dtype}", scan, x, offsets=marks)
            sweep(f"segment {name} by keys of {dtype}", scan, x, keys=array(tenon, dtype, 12))
    for dtype in SIGNED + UNSIGNED:
        sweep(f"segments by {dtype}", tenon.segment_sum, array(tenon, "int64", 4), array(tenon, dtype, 4), 3)
    for dtype in ALL:
        x = array(tenon, dtype, 12, 9)
        sweep(f"interp of {dtype}", tenon.interp, x, x[0], x[1])
        for method in ("linear", "lower"):
            sweep(f"quantile of {dtype}", tenon.quantile, x, 0.5, 1, method=method)


def sparse(tenon, sweep):
    for dtype in ALL:
        for index in ("int32", "int64"):
            columns, offsets = array(tenon, index, 30), array(tenon, index, 7)
            matrix = tenon.sparse.csr_array((array(tenon, dtype, 30), columns, offsets), shape=(6, 5))
            for name in ("toarray", "tocoo", "transpose"):
                sweep(f"{name} of sparse {dtype}", getattr(matrix, name))
            for width in ((), (3,)):
                for own in (False, True):
                    sweep(f"product of sparse {dtype}", matrix._multiply, array(tenon, dtype, 5, *width), None, None,
                          None, None, own)
            coo = tenon.sparse.coo_array((array(tenon, dtype, 30), (columns, columns)), shape=(6, 5))
            sweep(f"sparse {dtype} of coordinates", coo.tocsr)
            wide = tenon.sparse.coo_array((array(tenon, dtype, 30), (columns, columns)), shape=(60, 2**30))
            sweep(f"wide sparse {dtype} of coordinates", wide.tocsr)
        sweep(f"sparse {dtype} of dense", tenon.sparse.csr_array, array(tenon, dtype, 6, 5))


def numbers(tenon, sweep):
    for dtype in FLOATS + SIGNED + UNSIGNED:
        generator = tenon.random.Generator(1, device="cuda:0")
        for name in (
            "random",
            "uniform",
            "normal",
            "standard_normal",
            "exponential",
            "standard_exponential",
            "integers",
            "gamma",
            "standard_gamma",
            "beta",
            "poisson",
            "binomial",
            "bernoulli",
            "permutation",
            "choice",
        ):
            if hasattr(generator, name):
                for arguments in ((8,), (1.0, 2.0, 8), (4, 0.5, 8), (1.0, 8)):
                    for options in ({"dtype": dtype}, {}):
                        sweep(f"random {name} as {dtype}", getattr(generator, name), *arguments, **options)


def linear(tenon, sweep):
    blas = tenon.blas
    for dtype in FLOATS + COMPLEX:
        x, y = array(tenon, dtype, 6, 50), array(tenon, dtype, 12, 150)[::2, ::3]
        for name in ("nrm2", "asum", "iamax", "iamin"):
            sweep(f"{name} of {dtype}", getattr(blas, name), x)
            sweep(f"{name} of strided {dtype}", getattr(blas, name), y)
        for name, arguments in (
            ("axpy", (x, y)),
            ("swap", (x, y)),
            ("rot", (x, y, 1.0, 0.0)),
            ("rotg", (x, x)),
            ("rotm", (x, array(tenon, dtype, 6, 50), array(tenon, dtype, 5))),
            ("rotmg", (x, x, x, x)),
        ):
            sweep(f"{name} of {dtype}", getattr(blas, name), *arguments)
        sweep(f"scal of {dtype}", blas.scal, 2.0, y)
    for dtype in SOLVED + COMPLEX:
        a, many = array(tenon, dtype, 6, 6), array(tenon, dtype, 100, 6, 6)
        for name in ("qr", "svd", "eigh", "eigvalsh", "eig", "inv", "det", "cholesky", "expm", "pinv"):
            for matrices in (a, many):
                sweep(f"{name} of {dtype}", getattr(tenon, name), matrices)
        for size in (70, 300):
            sweep(f"large svd of {dtype}", tenon.svd, array(tenon, dtype, size, size))
        for epilogue in ("relu", "gelu"):
            sweep(f"{epilogue} of {dtype}", tenon.matmul, a, a, epilogue=epilogue, bias=a[0])
        for ord in (1, 2, "fro", float("inf")):
            sweep(f"norm of {dtype}", tenon.norm, a, ord)
        sweep(f"products of small {dtype}", tenon.matmul, many, many)
        sweep(f"solve of {dtype}", tenon.solve, a, a)
        sweep(f"einsum of {dtype}", tenon.einsum, "ij,kj->ik", a, a)
        sweep(f"conjugates of {dtype}", tenon.conj, a)


def transforms(tenon, sweep):
    for dtype in SOLVED + ["float16"]:
        x = array(tenon, dtype, 6, 16)
        for name in ("fft", "ifft", "rfft", "irfft", "fft2", "rfftn"):
            sweep(f"{name} of {dtype}", getattr(tenon, name), x)
        for name in ("dct", "idct", "dst", "idst"):
            for kind in (1, 2, 3, 4):
                for row in (x, x[:, :15]):
                    sweep(f"{name} {kind} of {dtype}", getattr(tenon, name), row, kind)
        sweep(f"convolve of {dtype}", tenon.convolve, x[0], x[1])
        for device in ("cuda:0",):
            sweep(f"frequencies of {dtype}", tenon.fftfreq, 8, dtype=dtype, device=device)


# Every form of a read and of an access that the CPU device has, with NVRTC's own declarations.
TEXTURES = """
template <class T> __global__ void reads(cudaTextureObject_t t, T* o) {
  float2 d2 = make_float2(0, 0);
  float4 d4 = make_float4(0, 0, 0, 0);
  o[0] = tex1Dfetch<T>(t, 1); tex1Dfetch(o, t, 1);
  o[1] = tex1D<T>(t, 1.0f); o[2] = tex1DLod<T>(t, 1.0f, 0.0f); o[3] = tex1DGrad<T>(t, 1.0f, 0.0f, 0.0f);
  o[4] = tex2D<T>(t, 1.0f, 1.0f); tex2D(o, t, 1.0f, 1.0f);
  o[5] = tex2DLod<T>(t, 1.0f, 1.0f, 0.0f); o[6] = tex2DGrad<T>(t, 1.0f, 1.0f, d2, d2);
  o[7] = tex3D<T>(t, 1.0f, 1.0f, 1.0f); o[8] = tex3DLod<T>(t, 1.0f, 1.0f, 1.0f, 0.0f);
  o[9] = tex3DGrad<T>(t, 1.0f, 1.0f, 1.0f, d4, d4);
  o[10] = tex1DLayered<T>(t, 1.0f, 1); o[11] = tex1DLayeredLod<T>(t, 1.0f, 1, 0.0f);
  o[12] = tex1DLayeredGrad<T>(t, 1.0f, 1, 0.0f, 0.0f);
  o[13] = tex2DLayered<T>(t, 1.0f, 1.0f, 1); o[14] = tex2DLayeredLod<T>(t, 1.0f, 1.0f, 1, 0.0f);
  o[15] = tex2DLayeredGrad<T>(t, 1.0f, 1.0f, 1, d2, d2);
  o[16] = texCubemap<T>(t, 1.0f, 0.0f, 0.0f); o[17] = texCubemapLod<T>(t, 1.0f, 0.0f, 0.0f, 0.0f);
  o[18] = texCubemapLayered<T>(t, 1.0f, 0.0f, 0.0f, 1); o[19] = texCubemapLayeredLod<T>(t, 1.0f, 0.0f, 0.0f, 1, 0.0f);
}
template <class T> __global__ void gathers(cudaTextureObject_t t, T* o) {
  o[0] = tex2Dgather<T>(t, 1.0f, 1.0f); o[1] = tex2Dgather<T>(t, 1.0f, 1.0f, 3);
  tex2Dgather(o + 2, t, 1.0f, 1.0f, 1);
}
template <class T> __global__ void accesses(cudaSurfaceObject_t s, T* o) {
  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap;
  o[0] = surf1Dread<T>(s, 0, cudaBoundaryModeZero); surf1Dread(o, s, 0); surf1Dwrite(o[0], s, 0, cudaBoundaryModeClamp);
  o[1] = surf2Dread<T>(s, 0, 0); surf2Dwrite(o[1], s, 0, 0); o[2] = surf3Dread<T>(s, 0, 0, 0);
  surf3Dwrite(o[2], s, 0, 0, 0); o[3] = surf1DLayeredread<T>(s, 0, 0); surf1DLayeredwrite(o[3], s, 0, 0);
  o[4] = surf2DLayeredread<T>(s, 0, 0, 0); surf2DLayeredwrite(o[4], s, 0, 0, 0, cudaBoundaryModeTrap);
  o[5] = surfCubemapread<T>(s, 0, 0, 0); surfCubemapwrite(o[5], s, 0, 0, 0);
  o[6] = surfCubemapLayeredread<T>(s, 0, 0, 0); surfCubemapLayeredwrite(o[6], s, 0, 0, 0);
  (void)mode;
}
"""
TEXELS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "float",
          *(name + lanes for name in ("char", "uchar", "short", "ushort", "int", "uint", "float") for lanes in "124")]


def textures(tenon, sweep, device="cuda:0"):
    names = [f"{kernel}<{texel}>" for kernel in ("reads", "accesses") for texel in TEXELS]
    names += [f"gathers<{texel}4>" for texel in ("char", "uchar", "short", "ushort", "int", "uint", "float")]
    for name in names:
        sweep(name, tenon.Program, TEXTURES, [name], device=device)


FAMILIES = [elementwise, reductions, selecting, segments, sparse, numbers, linear, transforms, textures]


def child():
    import tenon

    sweep = Sweep(tenon)
    for family in FAMILIES:
        begin = time.monotonic()
        family(tenon, sweep)
        print(f"  {family.__name__}: {time.monotonic() - begin:.0f} s", flush=True)
    for what, error in sweep.failed.items():
        print(f"{what} does not compile:\n{error}")
    print(f"  {sweep.calls} calls, {len(sweep.failed)} do not compile")
    return bool(sweep.failed)


def nvrtc_directory():
    toolkits = [os.environ.get("TENON_TEST_NVRTC"), "/usr/local/cuda/lib64"]
    return next((Path(d) for d in toolkits if d and any(Path(d).glob("libnvrtc.so.*"))), None)


def supported(directory):
    nvrtc, count = ctypes.CDLL(str(next(directory.glob("libnvrtc.so.*")))), ctypes.c_int()
    nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    numbers = (ctypes.c_int * count.value)()
    nvrtc.nvrtcGetSupportedArchs(numbers)
    return sorted(numbers)


def corpus(program, environment):
    """How many texts of a test program do not compile. Its tests fail in any case: no kernel runs."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as here:  # what a test writes beside itself
        done = subprocess.run(
            [program, "--gtest_filter=*/cuda*", "--gtest_color=no"],
            env=environment,
            cwd=here,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    lines = done.stdout.splitlines()
    tests = sum(line.startswith("[ RUN ") for line in lines)
    # A text may need headers of CUDA's that only a toolkit or another pip package has.
    faults = [i for i, line in enumerate(lines) if "does not compile: " in line and "pip package" not in line]
    for i in faults:
        print("\n".join(lines[i : i + 6]))
    print(f"  {program.name}: {tests} tests, {len(faults)} do not compile, {time.monotonic() - begin:.0f} s", flush=True)
    if done.returncode < 0:
        print(f"  {program.name} was ended by signal {-done.returncode}:", *lines[-10:], sep="\n")
    return len(faults) + (tests == 0) + (done.returncode < 0)


def main():
    if os.environ.get("TENON_SWEEP"):
        return child()
    directory = nvrtc_directory()
    if directory is None:
        return 77
    asked = [int(name.removeprefix("sm_")) for name in wanted.architecture]
    failed = 0
    for architecture in asked or supported(directory)[-1:]:
        print(f"sm_{architecture}", flush=True)
        driver = wanted.driver.resolve().parent  # its folder 13 has other fakes: of cuBLAS, and of NVRTC too
        with tempfile.TemporaryDirectory() as compiler:  # NVRTC alone: a toolkit's cuBLAS needs the true driver
            for file in directory.glob("libnvrtc*"):
                (Path(compiler) / file.name).symlink_to(file.resolve())
            libraries = f"{driver}:{compiler}:{driver}/13:{os.environ.get('LD_LIBRARY_PATH', '')}"
            environment = os.environ | {
                "FAKE_CUDA_ARCH": str(architecture),
                "TENON_SWEEP": "1",
                "LD_LIBRARY_PATH": libraries,
            }
            for program in wanted.corpus:
                failed += corpus(program.resolve(), environment)
            failed += subprocess.run([sys.executable, *sys.argv], env=environment).returncode != 0
    return failed > 0


if __name__ == "__main__":
    wanted = parser.parse_args()
    if wanted.all:
        ALL = BOOL + SIGNED + UNSIGNED + FLOATS + COMPLEX
    sys.exit(main())
