#!/usr/bin/env python3
"""Writes README.md beside it: which kernels of the corpus use what and how each runs, what the CPU device refuses, and how accurate
its functions are. Everything comes from the tests, the kernel texts, the rows of the library and the library itself.

    PYTHONPATH=abi/python TENON_LIBRARY=build/src/api/libtenon.so.1 python tests/kernels/table.py [--check]"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
CPU = HERE.parents[1] / "src/backend/cpu"
FILES = "*/files/*.cu"
# By the flags TENON_EXECUTION_*.
EXECUTION = {1: "thread loop", 2: "regions", 4: "ring", 8: "scheduled", 17: "rows",
             18: "regions, rows", 20: "ring, rows", 24: "scheduled, rows", 33: "side by side"}

# What a kernel uses, by the words of its text.
FEATURES = {
    "templates": r"\btemplate\s*<",
    "shared memory": r"(?<!extern )__shared__",
    "dynamic shared memory": r"extern __shared__",
    "block barrier": r"__syncthreads\(\)|block\.sync\(|sync\(block\)",
    "voting barrier": r"__syncthreads_(count|and|or)",
    "shuffles": r"__shfl_|\.shfl",
    "votes": r"__(ballot|any|all)_sync|__activemask",
    "match": r"__match_",
    "warp reduction": r"__reduce_\w+_sync",
    "cooperative groups": r"cooperative_groups",
    "grid barrier": r"this_grid\(\)[\s\S]*sync",
    "atomics": r"\batomic(Add|Sub|Min|Max|And|Or|Xor|Exch|CAS|Inc|Dec)",
    "fences": r"__threadfence",
    "asynchronous copies": r"memcpy_async|cp\.async",
    "barrier objects": r"cuda::barrier|cuda::pipeline|mbarrier\.",
    "atomic objects": r"atomic_ref|\batomic<",
    "standard library": r"#include <(cuda/std/)?(array|tuple|complex|type_traits)>",
    "inline PTX": r"\basm\b",
    "tensor cores": r"\bwmma::|mma\.sync",
    "device heap": r"\bmalloc\(|= new ",
    "constant memory": r"__constant__",
    "global variables": r"^__device__ (?!.*[({]\s*$)[^(]*(=|;)",
    "vector types": r"\b(u?(char|short|int|long|longlong)|float|double)[234]\b",
    "small floating-point types": r"cuda_fp[864]",
    "random states": r"curand_kernel",
    "clusters": r"this_cluster|__cluster_dims__",
    "launches from kernels": r"<<<",
    "tiles over 32": r"block_tile_memory",
    "half": r"cuda_fp16",
    "bfloat16": r"cuda_bf16",
    "read-only loads": r"__ldg|__ldc",
    "struct arguments": r"__global__[^;{]*\((?:[^)]*,)?\s*(Settings|Lorenz|int3)\b",
    "classes": r"^\s*(class|struct) \w+",
    "lambdas": r"= \[[=&]?\]|\(\[[=&]?\]",
    "launch bounds": r"__launch_bounds__",
    "printf": r"\bprintf\(",
    "clocks": r"\bclock(64)?\(",
    "double": r"\bdouble\b",
    "math functions": r"\b(exp|log|sin|cos|tan|tanh|sqrt|rsqrt|pow|erf|normcdf|sincospi)f?\(|__expf",
    "integer intrinsics": r"__(popc|clz|ffs|brev|byte_perm|funnelshift|umulhi|dp4a|v[a-z]+[24])\b|__u?mul",
    "dynamic programming": r"__vi(add|max|min|bmax)",
    "portable grid-stride loop": r"TENON_GRID_STRIDE",
    "grid-stride loop": r"\+= *\(?(size_t\) *)?gridDim|\+= stride|num_threads\(\)",
    "unrolling": r"#pragma unroll",
    "recursion, unions, bit fields": r"\bunion\b",
}


# What the text does; what comes of it on a GPU; on the CPU device with clang; with g++; the check that stops there.
DIFFERENCES = [f"| {row} |" for row in [
    "`x / 0`, `x % 0` of integers | all bits set | all bits set | the launch fails | `division`",
    "the least integer `/ -1`, `% -1` | the least integer, 0 | the least integer, 0 | the launch fails | `division`, `overflow`",
    "`x << n`, `x >> n` with n negative, or the width and more | 0, or all bits as the sign | the same | n modulo the width, or anything | `shift` (g++)",
    "a conversion to an integer type that cannot hold the number | saturates, NaN gives 0; into 8 and 16 bits as the compiler makes it | saturates at the "
    "type's own range, NaN gives 0 | x86's: the least integer, or the low bits | `cast`",
    "signed integers overflow | mostly wraps | undefined | undefined | `overflow`",
    "shared memory is written and read with no barrier between; warps are thought to run in step | often works | a thread may run far ahead of "
    "the others | as clang | `race`",
    "a shuffle reads from a lane that is not in the mask, or has ended | undefined | the lane's own value | as clang | `shuffle`",
    "`__syncthreads()` in both branches of a condition on the thread | works, or hangs | works | works | `barrier`",
    "more threads in a block than `__launch_bounds__` says | the launch is refused | the launch is refused | runs | none",
    "a block waits for a later block | may hang | may hang | may hang | none",
    "a bad address | the launch fails, and the context with it | the launch fails | the launch fails | `memory` and others name the thread",
    "a linear filter of a texture | weights of 8 fractional bits | the same, rounded to nearest | as clang | none",
    "a function reads or writes a texture or surface of another kind | undefined | the launch fails | as clang | none",
    "a surface is accessed outside with `cudaBoundaryModeTrap` | the launch fails, and the context with it | the launch fails | as clang | none",
    "a shared address is cut to 32 bits (`~i` as an index) | wraps in the window | the launch fails, mostly | as clang | `memory`",
]]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def cases():
    """(file, what the test says of it, kernels), one for each use of a file in the tests."""
    found = {}
    for source in sorted(HERE.glob("*/*.cpp")):
        for name, body in re.findall(r"TEST_P\(Kernels, (\w+)\) \{(.*?)\n\}", source.read_text(), re.S):
            for file, kernels in re.findall(r'KERNEL\("(\w+)",\s*\{(.*?)\}\);', body, re.S):
                title = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()
                entry = found.setdefault(file, ([], []))
                entry[0].append(title)
                entry[1].extend(k for k in re.findall(r'"([^"]+)"', kernels) if k not in entry[1])
    return found


def kernels_of(text):
    """The kernels of a text of texts/, as Texts of runner.hpp finds them."""
    plain = re.findall(r"(template <[^\n]*>\s*)?__global__ void (?:__\w+__\([^)]*\) )*(\w+)\(", text)
    named = [kernel for line in re.findall(r"// kernels: ([^\n]*)", text) for kernel in re.findall(r"\w+(?:<[^>]*>)?", line)]
    return [name for template, name in plain if not template] + named


def together(texts):
    """The texts of a folder as one program, as Texts of runner.hpp makes it."""
    headers = sorted({line for text in texts.values() for line in re.findall(r"^#include <[^>\n]*>", text, re.M)})
    return "".join(line + "\n" for line in headers) + "".join(
        f'namespace {name} {{\n#line 1 "{name}.cu"\n{text}\n}}\n' for name, text in texts.items())


def row(link, name, titles, text, program, kernels):
    modes = {EXECUTION[program[kernel].info["execution"]] for kernel in kernels}
    code = without_comments(text)
    uses = ", ".join(feature for feature, pattern in FEATURES.items() if re.search(pattern, code, re.M))
    return f"| [{name}]({link}) | {'; '.join(titles)} | {uses or 'plain CUDA C'} | {', '.join(sorted(modes))} | yes |"


def corpus():
    import tenon

    found, lines = cases(), []
    files = {path.stem: path for path in sorted(HERE.glob(FILES), key=lambda path: path.stem)}
    texts = {name: path.read_text() for name, path in files.items()}
    missing = sorted(set(texts) - set(found))
    assert not missing, f"no test runs {missing}"
    for file, text in texts.items():
        titles, kernels = found[file]
        program = tenon.Program(text, kernels, device="cpu:0", name=f"{file}.cu")
        lines.append(row(files[file].relative_to(HERE), file, titles, text, program, kernels))
    tests = {(folder, name): re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", title).lower()
             for source in sorted(HERE.glob("texts/*_texts.cpp"))
             for title, body in re.findall(r"TEST_P\(Kernels, (\w+)\) \{(.*?)\n\}", source.read_text(), re.S)
             for folder, name in re.findall(r'TEXT\("(\w+)", "(\w+)"\)', body)}
    for folder in sorted(path for path in (HERE / "texts").iterdir() if path.is_dir()):
        texts = {path.stem: path.read_text() for path in sorted(folder.glob("*.cu"))}
        kernels = {name: kernels_of(text) for name, text in texts.items()}
        all_kernels = [f"{name}::{kernel}" for name in texts for kernel in kernels[name]]
        program = tenon.Program(together(texts), all_kernels, device="cpu:0", name=f"{folder.name}.cu")
        for name, text in texts.items():
            assert (folder.name, name) in tests, f"no test runs texts/{folder.name}/{name}.cu"
            lines.append(row(f"texts/{folder.name}/{name}.cu", f"{folder.name}/{name}", [tests[folder.name, name]], text, program,
                             [f"{name}::{kernel}" for kernel in kernels[name]]))
    return lines


def refusals():
    source = (CPU / "compile/compiler/refusals.inc").read_text() + "\n"
    rows = re.findall(r'TENON_REFUSED\("(.*?)",\n(.*?)\)\n', source, re.S)
    for literals, words in rows:
        sentence = re.sub(r'"\s+"', "", literals)
        named = [w.strip("'") or "any other" for w in re.findall(r'(?:error|text|header)\("(.*?)"\)', words + ")")]
        yield f"| {sentence} | {', '.join(f'`{w}`' if w != '*' else 'any other header' for w in named)} |"


def accuracy():
    kinds = {"FLOAT1": "float", "FLOAT2": "float", "DOUBLE1": "double", "DOUBLE2": "double"}
    for kind, name, cpu, cuda in re.findall(r"^((?:FLOAT|DOUBLE)[12])\((\w+), ([\d.]+), ([\d.]+),", (HERE / "accuracy/accuracy.inc").read_text(), re.M):
        yield f"| `{name}` | {kinds[kind]} | {'exact' if float(cpu) == 0 else cpu} | {cuda if float(cuda) else ''} |"


def document():
    rows = corpus()
    return "\n".join([
        "# Kernels: what runs where",
        "",
        "Written by `table.py` from the kernels here, their tests and the library; do not edit.",
        "",
        f"## The corpus: {len(rows)} texts",
        "",
        "Each runs with clang and with g++, in the fast mode, in the checked mode and, its threads in reverse order, in the debug mode, and on CUDA",
        "where there is a device, and gives the same result: bit for bit where it is of integers, within stated bounds otherwise. The texts of",
        "a folder of `texts` are compiled as one program. How the CPU runs a kernel follows from what is left of it after compilation: a *thread loop*, vectorised, where threads do not wait for each other",
        "(in *rows* of threads where all it does are grid-stride loops, which then run in the order of memory; *side by side* where several",
        "threads run their loops at once);",
        "in *regions* where they meet at `__syncthreads()`, or whole warps shuffle and vote, in the kernel's own text and where all threads of a",
        "block take the same path: then a thread loop runs from each such place to the next; a *ring* of fibers where they meet otherwise, in a",
        "function or on a path that depends on the thread; *scheduled* fibers where warps vote, shuffle or meet otherwise, and in programs with",
        "such kernels also where threads only meet, if not in regions.",
        "",
        "| Text | What its test says | Uses | CPU | CUDA |",
        "| --- | --- | --- | --- | --- |",
        *rows,
        "",
        "A block that spins until another block has done something (`scan_lookback`) gets on if that one has begun or has a lower number:",
        "the CPU begins blocks in the order of their numbers and runs each on one host thread to its end. Waiting for a later block may never",
        "end, as on a GPU with fewer places than blocks; a cooperative launch begins all blocks at once and has a barrier for them.",
        "Within a block, threads that poll in a loop (something `volatile`, an atomic operation that asks, `__nanosleep`) take turns.",
        "",
        "Asynchronous copies (`__pipeline_memcpy_async`, `memcpy_async` of groups, barriers and pipelines, `cp.async`) are made at once; waiting for",
        "them orders what it orders in CUDA. Atomic objects of every scope are the system's. Products of matrices (`wmma`, `mma.sync`) start from C",
        "and add the products in the order of k: half, bfloat16 and TF32 ones are exact, and each addition is rounded to float; those of double are",
        "fused; 8-bit ones are exact; a half sum is rounded once, at its end. A GPU adds in another order, and may cut bits off.",
        "",
        "The blocks of a cluster (`__cluster_dims__`, or the launch's `cluster`; up to 16) run at the same time, each on a host thread, and",
        "reach each other's shared memory. `__cluster_dims__` is written between `__global__` and the kernel's name, and may depend on the",
        "parameters of a template. A launch by a pointer is refused in programs that have kernels with `__cluster_dims__`. In PTX the addresses",
        "of a cluster's shared memory (`mapa`) have a block's rank in their upper bits; barriers in another block's memory only take copies.",
        "",
        "A kernel that kernels launch (`<<<>>>`) runs when the one that launched it has ended: in the order of the launches of a thread,",
        "whatever its stream is, and those in `cudaStreamTailLaunch` after all others. Kernels are launched by their names or by pointers; for a",
        "template whose arguments follow from the values, a value is converted when the kernel begins, so a pointer that is NULL is written",
        "`nullptr`. Up to 24 levels deep, where tail launches do not count; 1048576 may wait. A launch that cannot be ends the host's",
        "launch with an error. They run by fibers, as do kernels that launch.",
        "",
        "`curand_kernel.h` has XORWOW, MRG32k3a, Philox4_32_10, MTGP32, Sobol32, Sobol64 and the scrambled ones, and `curand_discrete`; the host",
        "brings direction vectors, parameters and tables. Integers and uniform numbers are cuRAND's, bit for bit; normal and",
        "log-normal ones differ by up to 3e-6 (float: a GPU takes its fast sines) and 6e-16 (double). Poisson numbers are cuRAND's",
        "for means under 64 and over 4000, but for rounding; those between have the same distribution. (MTGP32 and Sobol: all means, but for rounding.) `cuda_fp8.h`, `cuda_fp6.h` and",
        "`cuda_fp4.h` round as CUDA does, in every conversion.",
        "",
        "**CUB and Thrust** come with their own headers: those of CCCL 3.0 or later, in a directory of the program's `-I`, in",
        "the pip package `nvidia-cuda-cccl`, or in a CUDA Toolkit (13), in this order; `TENON_CUDA_PATH` names places that are searched first. A text that includes one of",
        "them, or a header of libcu++ that Tenon does not have itself, gets all of `cuda/`, and the standard library's names, from there. `cub/cub.cuh`",
        "has the collectives of a block, a warp and a thread, and Thrust's algorithms are sequential in the thread that calls them, whatever their policy",
        "is; `test_cccl.py` holds `BlockReduce`, `BlockScan` (three algorithms each), `BlockRadixSort`, `BlockMergeSort`, `BlockExchange`, `BlockLoad`,",
        "`BlockStore`, `BlockHistogram`, `BlockDiscontinuity`, `BlockAdjacentDifference`, `WarpReduce`, `WarpScan`, `WarpMergeSort`, and Thrust's reductions,",
        "scans, sorts, searches, pairs, tuples, iterators, complex numbers and engines to NumPy's results. What is for the host (`cub/device/`,",
        "`device_vector`) is refused, and so are `cuda::barrier` and `cuda::pipeline` in a text with CUB, which are libcu++'s there. With CCCL 3.0 and 3.5, clang 19 and g++ 12. A kernel with CUB is run by scheduled fibers: a `BlockReduce` of 256 floats",
        "takes 160 ns per thread (72 with `BLOCK_REDUCE_RAKING`), where the same sum written with `__syncthreads()` takes 0.3, in regions, and one with",
        "shuffles 1.4. A text compiles in 0.9 s of processor time, 0.6 more than without these headers; the cache keeps the program.",
        "The checked mode finds a `TempStorage` that is used again without a barrier.",
        "",
        "Inline PTX is read instruction by instruction: arithmetic, logic, comparisons, conversions, carries, loads and stores with cache hints,",
        "atomics, fences, votes, shuffles, `redux`, `match`, barriers with numbers, `mbarrier`, `cp.async`,",
        "`cp.async.bulk` in one dimension, clusters (`barrier.cluster`, `mapa`, `getctarank`), `ldmatrix`, `stmatrix`, `movmatrix`, `mma.sync`,",
        "branches and predicates; with the constraints h, r, l, f, d and n. `.approx` results are at least as close as a GPU's. The device has one",
        "multiprocessor (`%smid` is 0). Shared memory has addresses of 32 bits (`__cvta_generic_to_shared`). Any other instruction or modifier is",
        "refused by its name.",
        "",
        "## What is different on the CPU device",
        "",
        "The right column says what finds it. The checked mode stops at each by default; `--no-check=` and the names of checks, with commas",
        "between them, among the program's options leaves some out.",
        "",
        "| What the text does | A GPU | The CPU device, with clang | With g++ alone | Check |",
        "| --- | --- | --- | --- | --- |",
        *DIFFERENCES,
        "",
        "More checks of the checked mode: `alignment`, `bounds`, `memory`, `null` (addresses: there a GPU faults, or reads and writes something",
        "else), `value` (a `bool` or `enum` with a value that its type does not have), and loops without an end (`TENON_KERNEL_TIMEOUT`). What",
        "the compiler can compute by itself (`1 << 32`, `5 / 0`) it warns of, and leaves open what comes out.",
        "",
        "An instruction set is part of a program: `architecture`, or `TENON_CPU_ISA` in the environment, is `x86-64-v2`, `x86-64-v3`, `x86-64-v4`",
        "or `native`, the default: what the process can run, less what changes results (arithmetic in half precision, conversions to bfloat16).",
        "Results are the same from v3 on. v2 has no fused multiply-add: `a * b + c` is rounded twice there. From v3 on clang fuses it within an expression, NVRTC and g++ also where the product is a variable. `,tune=` and a processor's name may",
        "follow; `TENON_CPU_ISA` also holds for copies and transforms. `tenon info` shows what is used.",
        "",
        "## What the CPU device refuses",
        "",
        "Each is a compile error that begins with the sentence and ends with the line of the text. The words are those by which it is known.",
        "",
        "| The sentence | Known by |",
        "| --- | --- |",
        *refusals(),
        "",
        "## How much of other projects runs",
        "",
        "`survey.py FOLDER` takes the device code of every `.cu` of a folder (the user's: none is kept here), compiles it for the CPU, and",
        "prints how the kernels run and why the rest does not compile. All files of these projects that are whole texts, on 28 November",
        "2026 with clang 16, on a machine whose CCCL is incomplete; files with kernels, and the kernels that need no arguments of a template",
        "or are launched with literal ones:",
        "",
        "| Project, commit | Files | Compile | Kernels: loop, regions, fibers | The rest |",
        "| --- | --- | --- | --- | --- |",
        "| llm.c f1e2ace | 25 | 25 | 51, 33, 54 | |",
        "| cuda-samples c94ff366 | 163 | 143 | 158, 57, 44 | headers of CCCL 6, other libraries' types 8, the runtime's API in kernels and its types 3, code in other files 2, `vabsdiff4` in inline PTX 1 |",
        "| HeCBench f27000a51 (`src/*-cuda`) | 519 | 411 | 590, 227, 110 | headers of CCCL 54, code in other files about 15, macros that the project's makefiles define and names that the script missed about 30, `register` 3 (nor does NVRTC take it), the host's library 4 |",
        "| ggml d99724f2 (`src/ggml-cuda`) | 183 | 122 | 24, 1, 22 | names that the script missed 57, headers of CCCL 4 |",
        "| flash-attention 0251105a (`csrc`, 26 November) | 152 | 0 | | CUTLASS 96, PyTorch's headers 56 |",
        "",
        "## How accurate the functions are on the CPU device",
        "",
        "The bound on the error, in units in the last place of the exact result (denormal results have the unit of the least normal number);",
        "beside it what CUDA's programming guide allows on the GPU, where it does. `functions_test.cpp` holds every row to its bound on a",
        "sample; with `TENON_ACCURACY_STRIDE=1` on every float, and on as many doubles. Conversions, `fma`, `ldexp`, `frexp`, `modf`, `nextafter`, `copysign`, minimum,",
        "maximum and arithmetic with a rounding direction are exact, or correctly rounded. `sincos` and `sincospi` are their halves; the fast",
        "forms (`__expf` ...) are the plain ones; `j0`, `j1`, `jn`, `y0`, `y1`, `yn` and the norms are the host's or made of `hypot`.",
        "",
        "| Function | Of | CPU | CUDA allows |",
        "| --- | --- | --- | --- |",
        *accuracy(),
        "",
    ])


def main():
    target, text = HERE / "README.md", document()
    if "--check" not in sys.argv[1:]:
        target.write_text(text)
    elif not target.exists() or target.read_text() != text:
        sys.exit(f"{target} is not what {pathlib.Path(__file__).name} writes; run it")


if __name__ == "__main__":
    main()
