// tests/kernels/meaning/refusals_test.cpp: texts that the CPU device does not compile, and the sentence that says why.
#include <set>
#include "../runner.hpp"

namespace {

using namespace test;

// The sentences, from the library's own rows.
const std::vector<std::string> sentences = {
#define TENON_REFUSED(sentence, ...) sentence,
#include "backend/cpu/compile/compiler/refusals.inc"
#undef TENON_REFUSED
};

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "extern \"C\" __global__ void k(int* p, int n) {\n" + body + "\n}\n";
}
std::string including(const std::string& header) { return kernel("", "#include <" + header + ">\n"); }
std::string grouped(const std::string& body) {
  return kernel(body, "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n");
}

// A text, a part of the sentence, and another text that the message must contain.
struct Refusal {
  std::string source;
  std::string why;
  std::string named;
};
const Refusal refusals[] = {
    {kernel("unsigned lane;\nasm volatile(\"mov.u32 %0, %%envreg3;\" : \"=r\"(lane));\np[0] = lane;"),
     "the register %envreg3 is not available", "kernel.cu:3"},
    {kernel("asm(\"add.u32 %0, %1, 1;\\n\"\n\"wgmma.fence.sync.aligned;\" : \"+r\"(n) : \"r\"(n));"),
     "the instruction \"wgmma.fence.sync.aligned\" is not available", "kernel.cu:3"},
    {kernel(
         "asm(\"{\\n\"\n    \" .reg .u32 t;\\n\"\n    \" add.u32 t, %0, 1;\\n\"\n    \" tex.2d.v4.f32.f32 {t, t, t, t}, [t, t];\\n }\" : \"+r\"(n));"),
     "the instruction \"tex.2d.v4.f32.f32\"", "kernel.cu:5"},
    {kernel("__asm__ volatile(\"cp.async.bulk.prefetch.L2.global [%0], 16;\" :: \"l\"(p) : \"memory\");"),
     "\"cp.async.bulk.prefetch.L2.global\"", "kernel.cu:2"},
    {kernel("__asm volatile(\"add.u32 %0, %1;\" : \"+r\"(n) : \"r\"(n));"), "takes 3 operands, but has 2",
     "kernel.cu:2"},
    {kernel("asm(\"mov.u32 %0, 1;\" :: \"r\"(n));"), "writes to something other than a register or an output",
     "kernel.cu:2"},
    {kernel("asm(\"mov.u32 %0, %2;\" : \"=r\"(n) : \"r\"(n));"), "there is no operand %2: the statement has 2",
     "kernel.cu:2"},
    {kernel("asm(\"not.b32 %0, %0;\" : \"=r\"(n) : \"0\"(n));"),
     "the constraint \"0\" is not available in CUDA: write \"+r\"", "kernel.cu:2"},
    {kernel("asm(\"add.u32 %[sum], %[sum], 1;\" : [sum] \"+r\"(n));"), "operands with names, such as %[sum], are not",
     "kernel.cu:2"},
    {kernel("asm(\"mov.u32 %0, 1;\" : \"=m\"(n));"), "the constraint \"m\" is not available", "kernel.cu:2"},
    {kernel("asm(\"mov.u32 %0, 1.5;\" : \"=r\"(n)) ;\nasm(\"add.u32 %0, t, 1;\" : \"=r\"(n));"),
     "an operand of \"add.u32\" is not a register or a number", "kernel.cu:3"},
    {kernel("asm(\"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};\" : \"+r\"(n));"),
     "m8n8k4.row.col.f32.f16", "kernel.cu:2"},
    {kernel("asm(\"{ add.u32 %0, %0, 1;\" : \"+r\"(n));"), "a brace { is not closed", "kernel.cu:2"},
    {kernel("", "") + "int main() {\n  k<<<1, 1>>>(nullptr, 0);\n}\n", "functions of the host that launch kernels",
     "kernel.cu:5"},
    {kernel("cudaLaunchDevice(nullptr, nullptr, dim3(1), dim3(1), 0, 0);"), "functions of the host that launch kernels",
     "cudaLaunchDevice"},
    {kernel("int (*f)(int*, int) = nullptr;\nf<<<1, 1>>>(p, n);"), "this form of a launch (<<<>>>)", "kernel.cu:3"},
    {kernel("q.go<<<1, 1>>>(p, n);", "struct Q { void go(int*, int) {} };\n__device__ Q q;\n"),
     "this form of a launch (<<<>>>)", "kernel.cu:4"},
    {kernel("c<<<1, 1>>>(p, n);\ncudaDeviceSynchronize();", "__global__ void c(int* p, int n) {}\n"),
     "cudaStreamTailLaunch", "kernel.cu:4"},
    {"extern \"C\" __global__ int k(int* p, int n) { return n; }", "a kernel returns void", ""},
    {"extern \"C\" __global__ void k(int* p, int n) noexcept { p[0] = n; }", "a kernel has no exception specification",
     ""},
    {kernel("c<<<1, 1>>>(p, n);", "__global__ void c(int* p, int n) noexcept {}\n"),
     "a kernel has no exception specification", ""},
    {kernel("", "texture<float, 2> t;\n"), "texture and surface references", "kernel.cu:1"},
    {kernel("", "surface<void, 2> t;\n"), "texture and surface references", "kernel.cu:1"},
    {kernel("bool there; p[0] = tex1D<int>(n, 0.0f, &there, 1);"), "no sparse reads", "tex1D"},
    {kernel("bool there; p[0] = tex2D<int>(n, 0.0f, 0.0f, &there);"), "no sparse reads", "tex2D"},
    {kernel("bool there; p[0] = tex3D<int>(n, 0.0f, 0.0f, 0.0f, &there);"), "no sparse reads", "tex3D"},
    {kernel("bool there; p[0] = texCubemap<int>(n, 0.0f, 0.0f, 0.0f, &there);"), "no sparse reads", "texCubemap"},
    {kernel("p[0] = surf2Dread<int>(n);"), "no surface types", "surf2Dread"},
    {kernel("cudaMipmappedArray_t levels;"), "mipmaps are not available", "kernel.cu:2"},
    {kernel("nvcuda::wmma::fragment<int> f;"), "these warp matrix operations (wmma)", "kernel.cu:2"},
    {kernel("nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 8, 8, 32, int, nvcuda::wmma::row_major> f;",
            "#include <mma.h>\n"),
     "these warp matrix operations (wmma)", "no factors of this type"},
    {grouped("cg::memcpy_async(cg::this_thread_block(), p, p, 4);"), "asynchronous copies need", "memcpy_async"},
    {kernel("__pipeline_memcpy_async(p, p, 4);"), "asynchronous copies need", "kernel.cu:2"},
    {kernel("__mbarrier_t b;"), "asynchronous copies need", "__mbarrier_t"},
    {"extern \"C\" __global__ void k(const __grid_constant__ CUtensorMap map, int* p) {}",
     "copies of tensors by descriptors", "CUtensorMap"},
    {including("cuda_awbarrier.h"), "use those of <cuda/barrier>", "cuda_awbarrier.h"},
    {"__cluster_dims__(2, 1, 1) extern int* q;\nextern \"C\" __global__ void k(int* p) {}",
     "is written between __global__ and the name", "kernel.cu:1"},
    {kernel("if (n > 1) c<<<2, 1>>>(p);", "__global__ void __cluster_dims__(2, 1, 1) c(int* p) {}\n"),
     "launched by the host only", "kernel.cu:3"},
    {grouped("cg::this_multi_grid().sync();"), "groups over several devices", "this_multi_grid"},
    {grouped("auto t = cg::tiled_partition<48>(cg::this_thread_block());"), "a power of two of threads", ""},
    {including("cub/no_such_header.cuh"), "the headers of CCCL", "cub/no_such_header.cuh"},
    {including("thrust/no_such_header.h"), "the headers of CCCL", "thrust/no_such_header.h"},
    {including("nv/no_such_header"), "the headers of CCCL", "nv/no_such_header"},
    {including("cuda/std/no_such_header"), "the headers of CCCL", "cuda/std/no_such_header"},
    {including("cub/device/device_reduce.cuh"), "are called by the host", "cub/device/device_reduce.cuh"},
    {including("thrust/device_vector.h"), "are called by the host", "kernel.cu:1"},
    {kernel("typedef cub::BlockReduce<int, 128> Reduce;"), "has to be included", "kernel.cu:2"},
    {kernel("thrust::complex<float> z;"), "has to be included", "kernel.cu:2"},
    {including("cutlass/gemm.h"), "CUTLASS and CuTe", "cutlass/gemm.h"},
    {including("cute/tensor.hpp"), "CUTLASS and CuTe", "cute/tensor.hpp"},
    {including("curand_mtgp32_host.h"), "of cuRAND the CPU device has", "curand_mtgp32_host.h"},
    {including("cublasdx.hpp"), "cuBLASDx", "cublasdx.hpp"},
    {kernel("curandState_t state;"), "with #include <curand_kernel.h>", "curandState_t"},
    {kernel("curandGenerator_t generator;", "#include <curand_kernel.h>\n"), "of cuRAND the CPU device has",
     "curandGenerator_t"},
    {kernel("cuda::std::complex<float> z;"), "this name of libcu++", "kernel.cu:2"},
    {kernel("__nv_fp8_e4m3 x;"), "8-bit and smaller floating point types need", "__nv_fp8_e4m3"},
    {kernel("p[0] = __nv_cvt_float_to_fp8(1.0f, 1, 0);"), "8-bit and smaller floating point types need",
     "__nv_cvt_float_to_fp8"},
    {kernel("unsigned __int128* q = nullptr;\n__u128AtomicCAS(q, 0, 1);"), "128-bit atomics", "kernel.cu:3"},
    {kernel("p[0] = __isShared(p);"), "address space", "__isShared"},
    {kernel("p[0] = __pm0();"), "performance counters", "__pm0"},
    {kernel("cudaMalloc((void**)&p, 4);"), "the CUDA runtime API", "cudaMalloc"},
    {kernel("cudaDeviceSynchronize();"), "is gone since CUDA 12", "cudaDeviceSynchronize"},
    {kernel("cudaDeviceReset();"), "the CUDA runtime API", "cudaDeviceReset"},
    {kernel("cudaStream_t s;"), "the CUDA runtime API", "cudaStream_t"},
    {kernel("cudaMemcpyAsync(p, p, 4, cudaMemcpyDeviceToDevice);"), "the CUDA runtime API", "cudaMemcpy"},
    {kernel("p = (int*)alloca(n);"), "malloc, free, new and delete are", "alloca"},
    {kernel("p = (int*)realloc(p, n);"), "malloc, free, new and delete are", "realloc"},
    {kernel("*(Wide**)p = new Wide[n];", "struct alignas(64) Wide { int x[16]; };\n"),
     "malloc, free, new and delete are", "align_val_t"},
    {kernel("p[0] = __shfl(n, 0);"), "use the _sync forms", "__shfl"},
    {"struct Pair { int a; short b; };\n" + kernel("Pair q = {n, 1};\np[0] = __shfl_sync(~0u, q, 0).a;"),
     "moves any type", "__shfl_sync"},
    {kernel("p[0] = __match_any_sync(~0u, p) != 0;"), "take a mask and one integer", "kernel.cu:2"},
    {kernel("p[0] = __shfl_down(n, 1);"), "use the _sync forms", "__shfl_down"},
    {kernel("p[0] = __ballot(n);"), "use the _sync forms", "__ballot"},
    {kernel("p[0] = __all(n);"), "use the _sync forms", "__all"},
    {kernel("throw n;"), "exceptions are", "kernel.cu:2"},
    {kernel("try { p[0] = 1; } catch (...) {}"), "exceptions are", "kernel.cu:2"},
    {kernel("p[0] = typeid(n) == typeid(int);"), "run-time type information", "typeid"},
    {kernel("p[0] = dynamic_cast<B*>((A*)p) != nullptr;", "struct A { virtual int f(); };\nstruct B : A {};\n"),
     "run-time type information", "dynamic_cast"},
    {kernel("exit(1);"), "__trap() ends the launch", "exit"},
    {kernel("abort();"), "__trap() ends the launch", "abort"},
    {kernel("FILE* f = fopen(\"x\", \"r\");"), "files and streams of the host", "FILE"},
    {kernel("std::cout << n;"), "files and streams of the host", "kernel.cu:2"},
    {including("iostream"), "this part of the host's C++ library", "iostream"},
    {including("vector"), "this part of the host's C++ library", "vector"},
    {including("map"), "this part of the host's C++ library", "map"},
    {kernel("int a[2] = {n, 1};\nstd::sort(a, a + 2);", "#include <algorithm>\n"),
     "this part of the host's C++ library", "kernel.cu:4"},
    {including("unistd.h"), "this part of the host's C++ library", "unistd.h"},
    {including("sys/mman.h"), "this part of the host's C++ library", "sys/mman.h"},
    {kernel("p[0] = std::min(n, 3);"), "this part of the host's C++ library", "kernel.cu:2"},
    {including("map_of_mine.cuh"), "a header was not found", "map_of_mine.cuh"},
    {kernel("", "#include \"dir/my_own.h\"\n"), "a header was not found", "dir/my_own.h"},
    {kernel("p[0] = elsewhere(n);", "__device__ int elsewhere(int);\n"), "declared, and defined nowhere", "elsewhere"},
    {kernel("p[0] = outside;", "extern __device__ int outside;\n"), "declared, and defined nowhere", "outside"},
    // Not recognised: the compiler's own first error line.
    {kernel("int i = 1;\np[i] = undeclared;"), "undeclared", "kernel.cu:3"},
    {kernel("int4 v = {1, 2, 3, 4};\np[0] = __shfl_sync(~0u, v, 0).x;"), "moves any type", ""},
    {kernel("struct Large { char c[100]; } v;\np[0] = __match_any_sync(~0u, v);"), "take a mask and one integer", ""},
    {kernel("#error this text is for something else"), "this text is for something else", "kernel.cu:2"},
    {kernel("static_assert(sizeof(int) == 8, \"no\");"), "static", "kernel.cu:2"},
    {"extern \"C\" __global__ void k(int* p) {", "a brace that the text opens is not closed", ""},
    {"extern \"C\" {\n__global__ void k(int* p) {}\n", "a brace that the text opens is not closed", ""},
    {"", "", "k"},
    {"template <class T = float> __global__ void k(T* x) {}", "name an instance, as in \"k<>\"", "k"},
    {"__global__ void k(int* x) {}\n__global__ void k(float* x) {}",
     "choose one by a cast, as in \"(void (*)(float*))k\"", "k"},
    {"extern \"C\" __global__ int k(int* p) { return 1; }", "", "k"},
};

TEST(Refusals, SayWhyInOneSentenceAndWhere) {
  std::set<std::string> seen;
  for (const char* compiler : {"", "g++"})
    for (const Refusal& refusal : refusals) {
      SCOPED_TRACE(refusal.source + " " + compiler);
      Runner runner({"fast", "cpu:0", compiler, TENON_PROGRAM_MODE_FAST, 0});
      EXPECT_EQ(TENON_ERROR_COMPILE, runner.compile(refusal.source, {"k"}));
      const std::string message = tenon_error_last_message();
      for (const std::string& part : {refusal.why, refusal.named})
        EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
      EXPECT_FALSE(Runner::last_log().empty());
      for (const std::string& sentence : sentences)
        if (message.rfind(sentence + " (", 0) == 0) seen.insert(sentence);
    }
  for (const std::string& sentence : sentences)
    EXPECT_TRUE(seen.count(sentence)) << "no text above is refused with: " << sentence;
}

// Things without a meaning on a CPU that do no harm are accepted.
TEST(Refusals, SpareWhatIsHarmless) {
  for (const char* compiler : {"", "g++"}) {
    Runner runner({"fast", "cpu:0", compiler, TENON_PROGRAM_MODE_FAST, 0});
    const std::string source = kernel(
        "cudaGridDependencySynchronize();\n__prof_trigger(1);\n__nanosleep(5);\n__builtin_assume(n > 0);\nA* a = n > 1 ? (A*)&d : (A*)&e;\np[0] = a->f() + n;\n"
        "cudaTriggerProgrammaticLaunchCompletion();",
        "struct A { __device__ virtual int f() = 0; };\nstruct D : A { __device__ int f() { return 4; } };\nstruct E : A { __device__ int f() { return 5; } };\n"
        "__device__ D d;\n__device__ E e;\n");
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"})) << tenon_error_last_message() << Runner::last_log();
    ArrayPtr p = runner.put(std::vector<int>(1));
    runner.run("k", line(1, 1), p, 3);
    EXPECT_EQ(runner.get<int>(p)[0], 7);
  }
}

}  // namespace
