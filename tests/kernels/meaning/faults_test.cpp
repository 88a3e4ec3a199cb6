// tests/kernels/meaning/faults_test.cpp: what goes wrong in kernels on the CPU device, and what is said of it.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <tenon/generated.h>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr Machine fast = {"fast", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0};
constexpr Machine reverse = {"reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER};
constexpr Machine fast_gcc = {"fast_gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0};
constexpr Machine check = {"check", "cpu:0", "", TENON_PROGRAM_MODE_CHECK, 0};
constexpr Machine check_gcc = {"check_gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_CHECK, 0};
constexpr Machine debug = {"debug", "cpu:0", "", TENON_PROGRAM_MODE_DEBUG, 0};

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "extern \"C\" __global__ void k(int* p, int n) {\n" + body + "\n}\n";
}
testing::AssertionResult contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos)
      return testing::AssertionFailure() << "\"" << part << "\" is not in: " << text;
  return testing::AssertionSuccess();
}

constexpr char PUT[] = "__device__ __noinline__ void put(int* q, int k, int n) { q[k] = n; }\n";

constexpr char CLUSTER[] = "#include <cooperative_groups.h>\n";
const Grid two_blocks = {{4, 1, 1}, {32, 1, 1}, 0, 0, {2, 1, 1}};

constexpr char DEEP[] =
    "__device__ __noinline__ int deep(int n) { volatile char room[256]; room[n % 256] = 1; return n ? deep(n - 1) + room[3] : 0; }\n";

// One row: a kernel that must fail in these modes, and the expected text of the error.
struct Fault {
  const char* name;
  std::vector<Machine> modes;
  std::string source;
  Grid grid;
  std::vector<std::string> parts;
};
const std::vector<Machine> all = {fast, reverse, check, debug};
const std::vector<Machine> checks = {check, check_gcc}, unchecked = {fast, reverse, fast_gcc, debug};

const Fault faults[] = {
    {"assertion",
     all,
     kernel("int i = blockIdx.x * blockDim.x + threadIdx.x;\nassert(i != 69);\np[i] = i;"),
     Grid{{4, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: assertion failed: i != 69", "kernel k", "block (2, 0, 0)", "thread (5, 0, 0)"}},
    {"assertion_between_barriers",
     all,
     kernel("__syncthreads();\nassert(threadIdx.x + threadIdx.y < 6);\n__syncthreads();"),
     Grid{{1, 1, 1}, {4, 4, 1}},
     {"kernel.cu:3: assertion failed", "block (0, 0, 0)", ", 3, 0)"}},
    {"assertion_between_shuffles",
     all,
     kernel("int v = __shfl_xor_sync(~0u, p[0], 1);\nassert(v != 0);"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: assertion failed: v != 0"}},
    {"trap",
     all,
     kernel("if (blockIdx.y == 1) __trap();"),
     Grid{{1, 2, 1}, {1, 1, 1}},
     {"__trap()", "kernel.cu:2", "block (0, 1, 0)"}},
    {"deadlock",
     all,
     kernel("if (threadIdx.x < 16) __syncwarp(); else __syncthreads();"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"divergent barrier", "16 of 32 threads wait at a barrier of the block",
      "lanes 0x0000ffff wait in a warp operation"}},
    {"mask_without_caller",
     all,
     kernel("p[0] = __shfl_sync(0x0000fffeu, 1, 0);"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"mask 0x0000fffe", "leaves out the calling lane"}},
    {"grid_barrier_in_plain_launch",
     all,
     kernel("cooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>\n"),
     Grid{{2, 1, 1}, {32, 1, 1}},
     {"cooperative launch"}},
    {"failing_block_frees_the_grid",
     all,
     kernel("assert(blockIdx.x != 1);\ncooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>\n"),
     Grid{{3, 1, 1}, {32, 1, 1}, 0, TENON_LAUNCH_COOPERATIVE},
     {"assertion failed", "block (1, 0, 0)"}},
    {"different_barriers",
     {check},
     kernel("if (threadIdx.x == 3)\n__syncthreads();\nelse\n__syncthreads();"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"divergent barrier", "line 3", "line 5"}},
    {"shared_index",
     {check},
     kernel("__shared__ int s[32];\ns[threadIdx.x + n] = 1;\n__syncthreads();\np[0] = s[0];"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: array index out of bounds", "thread (30, 0, 0)"}},
    {"division",
     {check},
     kernel("p[threadIdx.x] = 10 / ((int)threadIdx.x - 7);"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:2: integer division by zero", "thread (7, 0, 0)"}},
    {"overflow",
     {check},
     kernel("int i = threadIdx.x;\np[i] = (i + 2147483600) + 20;"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: integer overflow in an addition", "thread (28, 0, 0)"}},
    // Operations whose result differs from a GPU's.
    {"shift",
     {check_gcc},
     kernel("p[0] = 1 << (n + 40);"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"kernel.cu:2: shift by a distance out of range"}},
    {"alignment",
     checks,
     kernel("((float4*)(p + 1))->y = n;"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"not aligned for its type"}},
    {"null",
     {check},
     kernel("int* q = n ? nullptr : p;\nif (threadIdx.x == 2) *q = 1;"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: access through a null pointer", "thread (2, 0, 0)"}},
    {"wild_pointer",
     {check},
     kernel("if (threadIdx.x == 9) p[1ll << 40] = 1;"),
     Grid{{3, 1, 1}, {32, 1, 1}},
     {"access to the address", "kernel k", "thread (9, 0, 0)"}},
    {"wild_pointer_after_barrier",
     {check},
     kernel("__syncthreads();\nif (threadIdx.x == 9) p[1ll << 40] = 1;"),
     Grid{{3, 1, 1}, {32, 1, 1}},
     {"access to the address", "thread (9, 0, 0)"}},
    // For an array of 4096 bytes in the middle of the pool, with other arrays on both sides.
    {"behind_the_array",
     checks,
     kernel("p[993 + threadIdx.x] = n;"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"write of 4 bytes that begins 0 bytes behind the end of argument 0 (p), an array of 4096 bytes, in kernel k, block (0, 0, 0), thread (31, 0, 0); launched as k<<<1, 32>>>("}},
    {"before_the_array",
     checks,
     kernel("p[5] = p[(int)threadIdx.x - 1];"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"read of 4 bytes that begins 4 bytes before argument 0 (p), an array of 4096 bytes, in kernel k, block (0, 0, 0), thread (0, 0, 0)"}},
    {"over_the_end",
     checks,
     kernel("struct __attribute__((packed)) Any { double x; };\n((Any*)(p + 1023))->x = n;"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"write of 8 bytes that begins 4 bytes before the end of argument 0 (p), an array of 4096 bytes,"}},
    {"behind_the_array_after_barriers",
     checks,
     kernel("__syncthreads();\nint v = __shfl_xor_sync(~0u, p[0], 1);\np[1000 + threadIdx.x] = v;"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"write of 4 bytes", "behind the end of argument 0 (p)", "kernel k, block (0, 0, 0), thread ("}},
    {"behind_the_array_by_pointer",
     checks,
     kernel("int* q = p + 1020;\nint* const end = q + n * 4;\nwhile (q != end) *q++ = 1;"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"write of 4 bytes that begins 0 bytes behind the end of argument 0 (p)"}},
    {"behind_the_array_atomically",
     checks,
     kernel("atomicAdd(p + 1020 + threadIdx.x, 1);"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"behind the end of argument 0 (p)", "thread (4, 0, 0)"}},
    {"behind_the_array_by_copies",
     checks,
     kernel("((float4*)p)[224 + threadIdx.x + n / 2] = ((float4*)p)[threadIdx.x];"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"write of 16 bytes that begins 0 bytes behind the end of argument 0 (p), an array of 4096 bytes,",
      "thread (31, 0, 0)"}},
    {"behind_the_array_by_memset",
     checks,
     kernel("memset(p + 1000, 0, (size_t)n * 50);"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"write of 100 bytes that begins 96 bytes before the end of argument 0 (p), an array of 4096 bytes,"}},
    {"behind_the_array_in_many_blocks",
     checks,
     kernel("p[blockIdx.x * blockDim.x + threadIdx.x] = n;"),
     line(1025, 64),
     {"behind the end of argument 0 (p)", "block (16, 0, 0)"}},
    {"behind_the_array_in_a_grid",
     checks,
     kernel("cooperative_groups::this_grid().sync();\np[512 * blockIdx.x + threadIdx.x + 481] = n;",
            "#include <cooperative_groups.h>\n"),
     Grid{{2, 1, 1}, {32, 1, 1}, 0, TENON_LAUNCH_COOPERATIVE},
     {"behind the end of argument 0 (p)", "block (1, 0, 0), thread (31, 0, 0)"}},
    {"behind_dynamic_shared",
     checks,
     kernel("extern __shared__ int s[];\ns[threadIdx.x + 1] = n;\n__syncthreads();\np[0] = s[0];"),
     Grid{{1, 1, 1}, {32, 1, 1}, 128},
     {"write of 4 bytes that begins 0 bytes behind the end of the dynamic shared memory, 128 bytes, in kernel k, block (0, 0, 0), thread (31, 0, 0)"}},
    {"before_dynamic_shared",
     checks,
     kernel("extern __shared__ int s[];\nint* q = s;\np[0] = q[-n / 2];"),
     Grid{{1, 1, 1}, {1, 1, 1}, 128},
     {"read of 4 bytes that begins 4 bytes before the dynamic shared memory, 128 bytes, in kernel k"}},
    {"behind_static_shared",
     checks,
     kernel(
         "__shared__ int before[32], s[32], after[32];\nint t = threadIdx.x;\nbefore[t] = after[t] = 0;\nput(s, t + 1, n);\n__syncthreads();\np[t] = s[t] + before[t] + after[t];",
         PUT),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"write of 4 bytes that begins 0 bytes behind the end of the shared variable k::s, 128 bytes, in kernel k, block (0, 0, 0), thread (31, 0, 0)"}},
    {"before_static_shared",
     checks,
     kernel(
         "__shared__ int before[32], s[32], after[32];\nint t = threadIdx.x;\nbefore[t] = after[t] = 0;\nput(s, t - 1, n);\n__syncthreads();\np[t] = s[t] + before[t] + after[t];",
         PUT),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"write of 4 bytes that begins 4 bytes before the shared variable k::s, 128 bytes, in kernel k, block (0, 0, 0), thread (0, 0, 0)"}},
    {"freed_twice",
     all,
     kernel("int* q = new int;\n*q = n;\np[0] = *q;\ndelete q;\nif (threadIdx.x == 3) free(q);"),
     Grid{{1, 1, 1}, {8, 1, 1}},
     {"address that malloc() or new did not return", "kernel k", "thread (3, 0, 0)"}},
    {"too_many_arrivals",
     all,
     kernel(
         "__shared__ cuda::barrier<cuda::thread_scope_block> b;\nif (threadIdx.x == 0) init(&b, 3);\n__syncthreads();\n(void)b.arrive(2);",
         "#include <cuda/barrier>\n"),
     Grid{{1, 1, 1}, {2, 1, 1}},
     {"more threads arrive at a barrier than it was made for", "kernel k"}},
    {"part_of_a_warp_multiplies",
     {fast, check},
     kernel(
         "unsigned r = 0;\nasm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(r) : \"r\"(0));\np[0] = r;"),
     Grid{{1, 1, 1}, {16, 1, 1}},
     {"ldmatrix takes all 32 threads of a warp", "kernel k"}},
    {"copy_to_an_odd_address",
     checks,
     kernel("__shared__ char s[64];\n__pipeline_memcpy_async(s + 1 + n - n, p, 16);\np[0] = s[1];",
            "#include <cuda_pipeline.h>\n"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"not a multiple of the number of bytes", "kernel k"}},
    // The host continues even without the checked mode.
    {"wild_pointer_unchecked",
     unchecked,
     kernel("if (threadIdx.x == 9) p[1ll << 40] = 1;"),
     Grid{{3, 1, 1}, {32, 1, 1}},
     {"access to the address 0x", "in kernel k (the checked mode", "launched as k<<<3, 32>>>("}},
    {"null_unchecked",
     unchecked,
     kernel("int* volatile q = n == 2 ? nullptr : p;\nif (threadIdx.x == 2) *q = n;"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"access through a null pointer in kernel k"}},
    {"far_in_an_array_unchecked",
     unchecked,
     kernel("__shared__ int s[64];\ns[threadIdx.x] = n;\n__syncthreads();\np[threadIdx.x] = s[~(unsigned)n];"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"access to the address 0x", "kernel k"}},
    {"wild_pointer_after_a_shuffle_unchecked",
     unchecked,
     kernel("int v = __shfl_xor_sync(~0u, p[0], 1);\nif (threadIdx.x == 9) p[1ll << 40] = v;"),
     Grid{{3, 1, 1}, {32, 1, 1}},
     {"access to the address 0x"}},
    {"wild_pointer_in_a_grid_unchecked",
     unchecked,
     kernel(
         "cooperative_groups::this_grid().sync();\nif (blockIdx.x == 1) p[1ll << 40] = 1;\ncooperative_groups::this_grid().sync();",
         "#include <cooperative_groups.h>\n"),
     Grid{{2, 1, 1}, {32, 1, 1}, 0, TENON_LAUNCH_COOPERATIVE},
     {"access to the address 0x"}},
    {"in_a_launched_kernel",
     all,
     kernel("if (threadIdx.x == 1) c<<<2, 32>>>(p);", "__global__ void c(int* p) { assert(threadIdx.x != 5); }\n"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"assertion failed: threadIdx.x != 5", "in kernel c",
      "thread (5, 0, 0), which a kernel launched; launched as k<<<"}},
    {"threads_of_a_launched_kernel",
     all,
     kernel("if (threadIdx.x == 3) c<<<1, dim3(64, 32)>>>(p);", "__global__ void c(int* p) {}\n"),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"c is launched with blocks of 64 x 32 x 1 threads; 1024 x 1024 x 64 and 1024 in all are the limit in kernel k",
      "thread (3, 0, 0)"}},
    {"no_blocks_of_a_launched_kernel",
     all,
     kernel("c<<<n - 2, 1>>>(p);", "__global__ void c(int* p) {}\n"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"c is launched with no blocks or no threads in kernel k"}},
    {"shared_memory_of_a_launched_kernel",
     all,
     kernel("c<<<1, 1, 300000>>>(p);", "__global__ void c(int* p) {}\n"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"c is launched with 300000 bytes of dynamic shared memory; 232448 are the limit"}},
    {"launch_by_a_null_pointer",
     all,
     kernel("void (*f)(int*) = n < 0 ? c : nullptr;\nf<<<1, 1>>>(p);", "__global__ void c(int* p) {}\n"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"a launch of a kernel by a pointer that is NULL", "in kernel k"}},
    {"launches_without_end",
     all,
     kernel("c<<<1, 1>>>(p);", "__global__ void c(int* p) { c<<<1, 1>>>(p); }\n"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"kernels launch kernels over 24 levels deep, at c"}},
    {"block_of_a_cluster",
     all,
     kernel("assert(blockIdx.x != 3);\ncooperative_groups::this_cluster().sync();\np[0] = 1;", CLUSTER),
     two_blocks,
     {"kernel.cu:3: assertion failed: blockIdx.x != 3", "block (3, 0, 0)"}},
    {"unaligned_bulk_copy",
     all,
     kernel("__shared__ alignas(16) int to[8];\n__shared__ unsigned long long b;\n"
            "asm volatile(\"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\" :: "
            "\"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(p + 1), \"r\"(16), "
            "\"r\"((unsigned)__cvta_generic_to_shared(&b)) : \"memory\");"),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"cp.async.bulk with an address or a number of bytes that is not a multiple of 16", "in kernel k"}},
    {"rank_in_a_cluster",
     all,
     kernel("__shared__ int s;\n*cooperative_groups::this_cluster().map_shared_rank(&s, 2) = n;", CLUSTER),
     two_blocks,
     {"map_shared_rank: the cluster has no block of this rank"}},
    {"beyond_a_variable_of_another_block",
     checks,
     kernel("__shared__ int s[8];\nauto cluster = cooperative_groups::this_cluster();\ns[threadIdx.x % 8] = 0;\n"
            "cluster.sync();\ncluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x / 4 + n - 1] = 1;\n"
            "cluster.sync();",
            CLUSTER),
     two_blocks,
     {"write of 4 bytes that begins 0 bytes behind the end of the shared variable ", "s, 32 bytes, in kernel k"}},
    {"stack_unchecked",
     unchecked,
     kernel("p[0] = deep(1 << 30);", DEEP),
     Grid{{1, 1, 1}, {1, 1, 1}},
     {"stack overflow in kernel k"}},
    {"stack_of_a_fiber_unchecked",
     unchecked,
     kernel("p[0] = __shfl_xor_sync(~0u, deep(1 << 30), 1);", DEEP),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"stack overflow in kernel k"}},
    {"stack",
     {check},
     kernel("__syncthreads();\np[0] = deep(1 << 30);", DEEP),
     Grid{{1, 1, 1}, {32, 1, 1}},
     {"stack overflow", "kernel k"}},
};

TEST(Faults, AreNamedReportedOnceAndLeaveTheDeviceWorking) {
  for (const Fault& fault : faults)
    for (const Machine& machine : fault.modes) {
      SCOPED_TRACE(std::string(fault.name) + " " + machine.name);
      Runner runner(machine);
      ASSERT_EQ(TENON_OK, runner.compile(fault.source, {"k"})) << tenon_error_last_message() << Runner::last_log();
      ArrayPtr before = runner.put(std::vector<int>(1024)), p = runner.put(std::vector<int>(1024)),
               behind = runner.put(std::vector<int>(1024));
      for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", fault.grid, p, 2)) << tenon_error_last_message();
        EXPECT_TRUE(contains(tenon_error_last_message(), fault.parts));
        EXPECT_EQ(TENON_OK, tenon_device_synchronize(runner.device())) << tenon_error_last_message();
      }
      ASSERT_EQ(TENON_OK, runner.compile(kernel("__syncthreads(); p[threadIdx.x] = __shfl_sync(~0u, n, 0);"), {"k"}))
          << Runner::last_log();
      runner.run("k", line(32, 32), p, 7);
      EXPECT_EQ(runner.get<int>(p)[31], 7);
    }
}

// Memory of the kernel itself, and memory reached by a raw pointer, is not a fault, even right next to an array.
TEST(Faults, OwnMemoryAndRawPointersMayBeReached) {
  for (const Machine& machine : checks) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    const std::string source =
        "__constant__ int table[4] = {1, 2, 3, 4};\n__device__ int kept[40];\nstruct Pair { int* a; int n; };\n"
        "__device__ __noinline__ int inside(int* q, int n) { int s = 0; for (int k = 0; k < n; ++k) s += q[k]; return s; }\n"
        "extern \"C\" __global__ void own(const int* x, int* y, int n) {\n"
        "  extern __shared__ int dynamic[];\n  __shared__ int fixed[64];\n  int local[8], t = threadIdx.x;\n"
        "  for (int k = 0; k < 8; ++k) local[k] = x[t] + k;\n  int* const by = fixed + t;\n  *by = inside(local, 8) + table[t & 3];\n"
        "  kept[t] = t;\n  dynamic[t] = *by + kept[t];\n  __syncthreads();\n  y[t] = dynamic[(t + 1) % blockDim.x] + fixed[t] + inside(&local[4], 2);\n}\n"
        "extern \"C\" __global__ void raw(int* x, int* y, int n) { y[threadIdx.x] = x[(int)threadIdx.x - n]; }\n"
        "extern \"C\" __global__ void in_struct(Pair p, int* y) { y[threadIdx.x] = p.a[threadIdx.x]; }\n";
    ASSERT_EQ(TENON_OK, runner.compile(source, {"own", "raw", "in_struct"}))
        << tenon_error_last_message() << Runner::last_log();
    std::vector<int> x(32), want(32);
    for (int t = 0; t < 32; ++t) x[size_t(t)] = t;
    for (int t = 0; t < 32; ++t) {
      const int next = (t + 1) % 32, fixed = 8 * t + 28 + t % 4 + 1;
      want[size_t(t)] = 8 * next + 28 + next % 4 + 1 + next + fixed + 2 * t + 9;
    }
    const ArrayPtr dx = runner.put(x), dy = runner.put(std::vector<int>(32));
    Grid grid = line(32, 32);
    grid.shared = 128;
    runner.run("own", grid, dx, dy, 0);
    EXPECT_EQ(runner.get<int>(dy), want);
    runner.run("raw", line(32, 32), static_cast<const void*>(static_cast<const int*>(Runner::address(dx)) + 16), dy,
               16);
    EXPECT_EQ(runner.get<int>(dy), x);
    struct Pair {
      const void* a;
      int n;
    } pair{Runner::address(dx), 32};
    runner.run("in_struct", line(32, 32), Bytes{&pair, sizeof pair}, dy);
    EXPECT_EQ(runner.get<int>(dy), x);
  }
}

// An address passed as a number may be intended: in an argument, in a variable of the program, in an array of pointers.
TEST(Faults, AddressesThatAreNumbersMayBeReached) {
  const std::string source =
      "__device__ int* kept;\n__constant__ int* fixed;\n"
      "extern \"C\" __global__ void number(const int* x, int* y, unsigned long long z) { y[threadIdx.x] = ((const int*)z)[threadIdx.x] + x[threadIdx.x]; }\n"
      "extern \"C\" __global__ void variable(const int* x, int* y) { y[threadIdx.x] = kept[threadIdx.x] + x[threadIdx.x]; }\n"
      "extern \"C\" __global__ void constant(const int* x, int* y) { y[threadIdx.x] = fixed[threadIdx.x] + x[threadIdx.x]; }\n"
      "extern \"C\" __global__ void list(const int* x, int* y, const long long* z) { y[threadIdx.x] = ((const int*)z[1])[threadIdx.x] + x[threadIdx.x]; }\n"
      "extern \"C\" __global__ void keep(int* z) { kept = fixed = z; }\n";
  for (const Machine& machine : checks) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    ASSERT_EQ(TENON_OK, runner.compile(source, {"number", "variable", "constant", "list", "keep"}))
        << tenon_error_last_message() << Runner::last_log();
    // Parts of one piece of memory are as close to each other as possible.
    const ArrayPtr all = runner.put(std::vector<int>(96, 3));
    const auto part = [&](int64_t first) {
      const int64_t last = first + 32;
      tenon_array* out = nullptr;
      EXPECT_OK(tenon_array_slice(all.get(), 1, &first, &last, nullptr, &out));
      return ArrayPtr(out);
    };
    for (int64_t at : {0, 64}) {
      const ArrayPtr x = part(32), y = runner.put(std::vector<int>(32)), z = part(at);
      const auto address = int64_t(reinterpret_cast<uintptr_t>(Runner::address(z)));
      const auto good = [&] {
        EXPECT_EQ(runner.get<int>(y), std::vector<int>(32, 6));
        OK(tenon_array_fill(y.get(), number(0), nullptr));
      };
      runner.run("number", line(32, 32), x, y, uint64_t(address)), good();
      runner.run("list", line(32, 32), x, y, runner.put(std::vector<int64_t>{0, address})), good();
      runner.run("keep", line(1, 1), z);
      runner.run("variable", line(32, 32), x, y), good();
      runner.run("constant", line(32, 32), x, y), good();
    }
  }
}

// A view covers what it shows; a strided one covers all of its memory. This also holds for bound calls, their clones
// and the calls of a graph.
TEST(Faults, AccessesBesideViewsAreNamed) {
  const std::string source =
      "extern \"C\" __global__ void k(const int* x, int* y, int n) { y[threadIdx.x] = x[(int)threadIdx.x + n]; }\n";
  for (const Machine& machine : checks) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"})) << tenon_error_last_message() << Runner::last_log();
    std::vector<int> values(96);
    for (int i = 0; i < 96; ++i) values[size_t(i)] = i;
    const ArrayPtr all = runner.put(values), y = runner.put(std::vector<int>(32));
    const int64_t first = 32, last = 64;
    tenon_array* made = nullptr;
    OK(tenon_array_slice(all.get(), 1, &first, &last, nullptr, &made));
    const ArrayPtr x(made);
    const std::vector<std::string> behind = {
        "read of 4 bytes that begins 0 bytes behind the end of argument 0 (x), an array of 128 bytes, in kernel k, block (0, 0, 0), thread (31, 0, 0)"};
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(32, 32), x, y, 1));
    EXPECT_TRUE(contains(tenon_error_last_message(), behind));
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(32, 32), x, y, -1));
    EXPECT_TRUE(contains(
        tenon_error_last_message(),
        {"read of 4 bytes that begins 4 bytes before argument 0 (x), an array of 128 bytes, in kernel k, block (0, 0, 0), thread (0, 0, 0)"}));
    runner.run("k", line(32, 32), x, y, 0);
    EXPECT_EQ(runner.get<int>(y), std::vector<int>(values.begin() + 32, values.begin() + 64));
    runner.run("k", line(32, 32), Runner::address(x), y, 1);
    EXPECT_EQ(runner.get<int>(y), std::vector<int>(values.begin() + 33, values.begin() + 65));

    tenon_arg args[] = {argument(x), argument(y), argument(int32_t(1))};
    args[0].kind = TENON_ARG_STRIDED;
    tenon_call *bound = nullptr, *copy = nullptr;
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.grid[0] = 1, launch.block[0] = 32;
    OK(tenon_call_create(runner.kernel("k"), &launch, args, 3, &bound));
    const CallPtr call(bound);
    const auto status = [&](tenon_call* one) {
      const int32_t started = tenon_call_launch(one, nullptr);
      return started != TENON_OK ? started : tenon_device_synchronize(runner.device());
    };
    EXPECT_EQ(TENON_OK, status(bound)) << tenon_error_last_message();
    args[0].kind = TENON_ARG_ARRAY;
    OK(tenon_call_set(bound, 0, &args[0]));
    OK(tenon_call_clone(bound, &copy));
    const CallPtr clone(copy);
    for (tenon_call* one : {bound, copy}) {
      EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, status(one));
      EXPECT_TRUE(contains(tenon_error_last_message(), behind));
    }
    args[2] = argument(int32_t(0));
    OK(tenon_call_set(bound, 2, &args[2]));
    EXPECT_EQ(TENON_OK, status(bound)) << tenon_error_last_message();
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, status(copy));
  }
}

// Arrays large enough for their own mappings are next to libraries, stacks and thread-local memory, and memory of the
// host is among its other variables.
TEST(Faults, NeighboursOfTheArraysAreNoArrays) {
  const std::string source =
      "#include <cooperative_groups.h>\n__constant__ float scale[4] = {1, 2, 3, 4};\n__device__ int calls;\n"
      "__device__ __noinline__ float last(const float* of, int n) { return of[n - 1]; }\n"
      "extern \"C\" __global__ void k(const float* x, float* y, int n) {\n  extern __shared__ float all[];\n  __shared__ float kept[64];\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n  float room[16];\n  for (int j = 0; j < 16; ++j) room[(i + j) % 16] = x[i];\n"
      "  kept[t] = scale[t % 4];\n  all[t] = last(room, 16);\n  atomicAdd(&calls, 1);\n  if (i == n) printf(\"%p %s\\n\", (void*)room, \"no\");\n"
      "  __syncthreads();\n  cooperative_groups::this_grid().sync();\n  y[i] = all[63 - t] * last(kept, t + 1);\n}\n";
  for (const Machine& machine : checks) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"})) << tenon_error_last_message() << Runner::last_log();
    for (int n : {64, 256, 1024}) {
      std::vector<float> host(size_t(n), 2.0f), onto(static_cast<size_t>(n));
      const auto wrap = [&](std::vector<float>& memory) {
        tenon_buffer* made = nullptr;
        EXPECT_OK(tenon_buffer_wrap(runner.device(), memory.data(), memory.size() * sizeof(float), TENON_MEMORY_DEVICE,
                                    0, nullptr, nullptr, nullptr, &made));
        const BufferPtr buffer(made);
        const int64_t count = n;
        tenon_array* out = nullptr;
        EXPECT_OK(tenon_array_from_buffer(buffer.get(), TENON_FLOAT32, 1, &count, nullptr, 0, &out));
        return ArrayPtr(out);
      };
      const Grid grid{{uint32_t(n) / 64, 1, 1}, {64, 1, 1}, 256, TENON_LAUNCH_COOPERATIVE};
      const ArrayPtr x = wrap(host), y = wrap(onto), large = runner.put(std::vector<float>(50001, 2.0f)),
                     other = runner.put(std::vector<float>(300000));
      runner.run("k", grid, x, y, n);
      runner.run("k", grid, large, other, n);
      for (int i = 0; i < n; ++i) ASSERT_EQ(onto[size_t(i)], 2.0f * float(i % 4 + 1));
    }
  }
}

// Generated kernels pass pointers in structs, and use shared memory and their own loops.
TEST(Faults, GeneratedKernelsStayInside) {
  tenon_generated_options options{};
  options.struct_size = sizeof options;
  options.mode = TENON_PROGRAM_MODE_CHECK;
  const int32_t last = 0;
  for (const Machine& machine : checks) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    for (int64_t n : {1, 1000, 70001}) {
      const ArrayPtr x = runner.put(std::vector<float>(size_t(n), 2.0f)), y = runner.put(std::vector<float>(size_t(n))),
                     sum = runner.put(std::vector<float>(1));
      const tenon_arg onto_y[] = {argument(x), argument(y)}, onto_sum[] = {argument(x), argument(sum)};
      tenon_elementwise* elementwise = nullptr;
      tenon_reduction* reduction = nullptr;
      tenon_scan* scan = nullptr;
      OK(tenon_elementwise_create("raw float x", "float y", "y = x[n - 1 - i] + i", &options, &elementwise));
      OK(tenon_reduction_create("float x", "float y", "", "a + b", "", "0", &options, &reduction));
      OK(tenon_scan_create("float x", "float y", "", "a + b", "0", 0, &options, &scan));
      EXPECT_OK(tenon_elementwise_call(elementwise, onto_y, 2, nullptr));
      EXPECT_OK(tenon_device_synchronize(runner.device()));
      EXPECT_EQ(runner.get<float>(y)[size_t(n) - 1], float(n + 1));
      EXPECT_OK(tenon_reduction_call(reduction, onto_sum, 2, &last, 1, nullptr));
      EXPECT_OK(tenon_device_synchronize(runner.device()));
      EXPECT_EQ(runner.get<float>(sum)[0], float(2 * n));
      EXPECT_OK(tenon_scan_call(scan, onto_y, 2, 0, nullptr));
      EXPECT_OK(tenon_device_synchronize(runner.device()));
      EXPECT_EQ(runner.get<float>(y)[size_t(n) - 1], float(2 * n));
      tenon_elementwise_release(elementwise);
      tenon_reduction_release(reduction);
      tenon_scan_release(scan);
    }
  }
}

TEST(Faults, StayWithTheStreamUntilTheyAreReported) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("assert(n == 0);\np[0] = 5;"), {"k"})) << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(1));
  tenon_stream* made = nullptr;
  OK(tenon_stream_create(runner.device(), nullptr, &made));
  StreamPtr stream(made);
  tenon_array_info i = info(p.get());
  (void)i;
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(1, 1), p, 1));
  EXPECT_EQ(TENON_OK, runner.try_run("k", line(1, 1), p, 0)) << tenon_error_last_message();
  EXPECT_EQ(runner.get<int>(p)[0], 5);
}

TEST(Faults, MissingBarriersShowInReverseOrder) {
  const std::string racy = kernel("__shared__ int s[256];\nint t = threadIdx.x;\ns[t] = t;\np[t] = t ? s[t - 1] : 0;");
  std::vector<int> want(256);
  for (int t = 1; t < 256; ++t) want[t] = t - 1;
  Runner forward(fast), backward(reverse);
  for (Runner* runner : {&forward, &backward}) ASSERT_EQ(TENON_OK, runner->compile(racy, {"k"})) << Runner::last_log();
  ArrayPtr a = forward.put(std::vector<int>(256)), b = backward.put(std::vector<int>(256, -1));
  forward.run("k", line(256, 256), a, 0);
  backward.run("k", line(256, 256), b, 0);
  EXPECT_EQ(forward.get<int>(a), want);
  EXPECT_NE(backward.get<int>(b), want);
}

// Handlers pass on signals that do not concern kernels.
// The work of a child process after kernels have run in it, one of which failed: the test checks how the child ends.
void run_kernels(uint32_t flags = 0) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = flags;
  tenon_context* made = nullptr;
  OK(tenon_context_create(&options, &made));
  const ContextPtr context(made);
  const DevicePtr device = test::device("cpu:0", made);
  const std::string source = kernel("if (n == 0) p[1ll << 40] = 1;\np[0] = n;");
  tenon_program* program = nullptr;
  tenon_kernel* k = nullptr;
  const char* name = "k";
  tenon_program_options listed{};
  listed.struct_size = sizeof listed;
  listed.kernels = &name;
  listed.kernel_count = 1;
  OK(tenon_program_create(device.get(), source.data(), source.size(), &listed, &program));
  const ProgramPtr owner(program);
  OK(tenon_program_kernel(program, "k", &k));
  const KernelPtr kernel_owner(k);
  const int64_t one = 1;
  tenon_array* array = nullptr;
  OK(tenon_array_create(device.get(), TENON_INT32, 1, &one, nullptr, &array));
  const ArrayPtr p(array);
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  for (int i = 0; i < 3; ++i) launch.grid[i] = launch.block[i] = 1;
  for (int32_t n : {1, 0, 1}) {
    const tenon_arg args[] = {argument(p), argument(n)};
    const int32_t started = tenon_kernel_launch(k, &launch, args, 2, nullptr);
    const int32_t status = started != TENON_OK ? started : tenon_device_synchronize(device.get());
    if (status != (n ? TENON_OK : TENON_ERROR_KERNEL_FAULT)) _exit(50 + n);
  }
}
void handle(int number, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction mine{};
  mine.sa_sigaction = handler;
  mine.sa_flags = SA_SIGINFO | flags;
  sigaction(number, &mine, nullptr);
}
volatile sig_atomic_t seen;
char* volatile page;
int* volatile nothing;

TEST(FaultsDeathTest, SignalsAreTheHosts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own handlers end the process in its own way";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // each in a process in which no kernel has run
  // A signal that is sent, without a handler: as without Tenon.
  EXPECT_EXIT(
      {
        run_kernels();
        kill(getpid(), SIGSEGV);
        pause();
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        run_kernels();
        raise(SIGFPE);
        _exit(1);
      },
      testing::KilledBySignal(SIGFPE), "");
  // An ignored signal, however often it comes; kernels remain guarded.
  EXPECT_EXIT(
      {
        signal(SIGFPE, SIG_IGN);
        run_kernels();
        raise(SIGFPE);
        kill(getpid(), SIGFPE);
        raise(SIGFPE);
        run_kernels();
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
  // A bad address in the host's own code.
  EXPECT_EXIT(
      {
        run_kernels();
        *nothing = 1;
        _exit(1);
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_IGN);
        run_kernels();
        *nothing = 1;
        _exit(1);
      },
      testing::KilledBySignal(SIGSEGV), "");
  // Handlers that were installed before get their own signals, with everything that they would normally get: the
  // handler of a virtual machine, which maps pages as they are touched and lets the instruction run again; with the
  // signals blocked as requested; and only once, if that was requested.
  EXPECT_EXIT(
      {
        page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        handle(SIGSEGV, [](int, siginfo_t* info, void*) {
          sigset_t blocked;
          pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
          if (info->si_addr != page + 8 || !sigismember(&blocked, SIGSEGV)) _exit(2);
          mprotect(page, 4096, PROT_READ | PROT_WRITE);
          seen = seen + 1;
        });
        run_kernels();
        page[8] = 5;
        run_kernels();
        _exit(seen == 1 && page[8] == 5 ? 7 : 3);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        signal(SIGBUS, [](int number) { seen = number; });
        run_kernels();
        raise(SIGBUS);
        raise(SIGBUS);
        _exit(seen == SIGBUS ? 7 : 3);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        handle(SIGBUS, [](int, siginfo_t*, void*) { seen = 1; }, int(SA_RESETHAND));
        run_kernels();
        raise(SIGBUS);
        if (seen != 1) _exit(3);
        raise(SIGBUS);
        _exit(4);
      },
      testing::KilledBySignal(SIGBUS), "");
  // A context can disable this: then nothing is installed, and a kernel's fault ends the process.
  EXPECT_EXIT(
      {
        run_kernels(TENON_CONTEXT_NO_SIGNALS);
        _exit(1);
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        setenv("TENON_NO_SIGNALS", "1", 1);
        run_kernels();
        _exit(1);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(Launches, LargeLocalArraysHaveRoomOnFibers) {
  Runner runner(fast);
  ASSERT_EQ(
      TENON_OK,
      runner.compile(
          kernel(
              "volatile int big[40000];\nfor (int i = 0; i < 40000; ++i) big[i] = i + threadIdx.x;\n__syncthreads();\n"
              "int sum = 0;\nfor (int i = 0; i < 40000; ++i) sum += big[i] - i;\np[threadIdx.x] = sum;"),
          {"k"}))
      << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(64));
  runner.run("k", line(64, 64), p, 0);
  auto got = runner.get<int>(p);
  for (int t = 0; t < 64; ++t) ASSERT_EQ(got[t], 40000 * t);
}

TEST(Launches, LargeDynamicSharedMemoryIsThere) {
  Runner runner(fast);
  ASSERT_EQ(
      TENON_OK,
      runner.compile(
          kernel(
              "extern __shared__ int s[];\nfor (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;\n__syncthreads();\n"
              "if (threadIdx.x == 0) { int sum = 0; for (int i = 0; i < n; ++i) sum += s[i] == i; p[blockIdx.x] = sum; }"),
          {"k"}))
      << Runner::last_log();
  const int n = 200 * 1024 / 4;
  ArrayPtr p = runner.put(std::vector<int>(8));
  runner.run("k", Grid{{8, 1, 1}, {128, 1, 1}, 200 * 1024}, p, n);
  EXPECT_EQ(runner.get<int>(p), std::vector<int>(8, n));
}

TEST(Launches, PrintfReachesStandardOutput) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("printf(\"thread %d says %.2f\\n\", (int)threadIdx.x, n * 0.5);"), {"k"}))
      << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(1));
  testing::internal::CaptureStdout();
  runner.run("k", line(2, 2), p, 3);
  fflush(stdout);
  EXPECT_TRUE(contains(testing::internal::GetCapturedStdout(), {"thread 0 says 1.50\n", "thread 1 says 1.50\n"}));
}

TEST(Launches, AFaultInAFunctionOfCudasNamesNoFileOfOurs) {
  Machine machine = fast;
  machine.mode = TENON_PROGRAM_MODE_CHECK;
  Runner runner(machine);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("atomicAdd_block(n ? (int*)nullptr : p, 1);"), {"k"}))
      << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(1));
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(1, 1), p, 3));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"access through a null pointer", "thread (0, 0, 0)"}))
      << tenon_error_last_message();
  EXPECT_EQ(std::string(tenon_error_last_message()).find("tenon_cuda.h"), std::string::npos)
      << tenon_error_last_message();
}

TEST(Compiling, UnknownKernelsAreNamed) {
  Runner runner(fast);
  EXPECT_EQ(TENON_ERROR_COMPILE, runner.compile(kernel(""), {"nosuch"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"no kernel", "\"nosuch\""}));
}

TEST(Compiling, OptionsOfNvrtcAreUnderstood) {
  Runner runner(fast);
  const std::string source = kernel("#if !defined(A) || B != 3 || defined(C)\n#error\n#endif\np[0] = B;");
  EXPECT_EQ(TENON_OK, runner.compile(source, {"k"},
                                     {"-DA", "--define-macro=B=3", "-D", "C", "-UC", "--gpu-architecture=sm_90",
                                      "-arch", "sm_80", "--use_fast_math", "-lineinfo", "--std=c++20",
                                      "--maxrregcount=32", "-G", "-default-device"}))
      << tenon_error_last_message() << Runner::last_log();
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, {"-DA", "-fplugin=/tmp/evil.so"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"\"-fplugin=/tmp/evil.so\" is unknown on the CPU device"}));
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, {"-D"}));
  // NVRTC also accepts this form: the value is the next word.
  EXPECT_EQ(TENON_OK, runner.compile(source, {"k"},
                                     {"--define-macro", "A", "-D", "B=3", "--fmad", "false", "-ftz", "true", "--std",
                                      "c++14", "-prec-div", "true"}))
      << tenon_error_last_message() << Runner::last_log();
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, {"-fmad=perhaps"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"\"-fmad=perhaps\" takes true or false"}));
}

TEST(Compiling, TheLastWordOnFusedProductsWins) {
  Runner runner(fast);
  const std::string source = "extern \"C\" __global__ void k(float* x) { x[3] = x[0] * x[1] + x[2]; }";
  const float a = 1 + 0x1p-12f;
  for (const auto& [options, fused] : std::vector<std::pair<std::vector<const char*>, bool>>{
           {{"-fmad=false"}, false}, {{"-fmad=false", "--fmad=true"}, true}}) {
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"}, options)) << Runner::last_log();
    ArrayPtr x = runner.put(std::vector<float>{a, a, -a * a, 0});
    runner.run("k", line(1, 1), x);
    if (!fused) {
      EXPECT_EQ(runner.get<float>(x)[3], 0);
    } else if (__builtin_cpu_supports("fma")) {
      EXPECT_EQ(runner.get<float>(x)[3], 0x1p-24f);
    }
  }
}

// The compiler reads files of options (@file) at any position, so none may be passed on, and a definition must not
// extend beyond its line.
TEST(Compiling, OptionsAreWhatTheyAreNamed) {
  char file[] = "/tmp/tenon-options-XXXXXX";
  const int fd = mkstemp(file);
  ASSERT_GE(fd, 0);
  const std::string words = "-DSMUGGLED=1\n", at = std::string("@") + file;
  ASSERT_EQ(write(fd, words.data(), words.size()), ssize_t(words.size()));
  close(fd);
  const std::string source = kernel("#if defined(SMUGGLED) || defined(B)\n#error smuggled\n#endif\np[0] = 1;");
  for (const char* compiler : {"", "g++"}) {
    Machine machine = fast;
    machine.compiler = compiler;
    Runner runner(machine);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"-I", at},
                                               {"-I" + at},
                                               {"--include-path=" + at},
                                               {"--include-path", at},
                                               {at},
                                               {"-I", ""},
                                               {"-DA=1\\", "-DB=2"},
                                               {"-DA=1\\ ", "-DB=2"},
                                               {"-DA=/*", "-DB=*/"},
                                               {"-DA=1\n#define SMUGGLED 1"},
                                               {"-DA=1\r#define SMUGGLED 1"},
                                               {"-UA\n#define SMUGGLED 1"},
                                               {"-include", "x.h\"\n#define SMUGGLED 1\n//"},
                                               {"-DA B=1"},
                                               {"-D1=2"},
                                               {"-D", "=2"}}) {
      std::vector<const char*> options;
      for (const std::string& word : words) options.push_back(word.c_str());
      EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, options))
          << words[0] << ": " << Runner::last_log();
    }
    EXPECT_EQ(TENON_OK,
              runner.compile(source, {"k"}, {"-I", "-fplugin=none", "-DA=\\n", "-DF(x, y)=x + y /* sum */", "-DC=-1"}))
        << tenon_error_last_message() << Runner::last_log();
  }
  unlink(file);
}

TEST(Compiling, ACompilerThatIsKilledOrCannotStartIsReportedAsSuch) {
  char folder[] = "/tmp/tenon-compiler-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string path = std::string(folder) + "/clang++";
  const auto script =
      [&](const std::string& text) {
        std::ofstream(path, std::ios::trunc)
            << "#!/bin/sh\ncase \"$*\" in --version) echo 'clang version 19.1.7'; exit 0;; esac\n"
            << text << "\n";
        chmod(path.c_str(), 0700);
      };
  Machine machine = fast;
  machine.compiler = path.c_str();
  script("kill -9 $$");
  Runner runner(machine);
  EXPECT_EQ(TENON_ERROR_COMPILE, runner.compile(kernel("p[0] = 71;"), {"k"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"the compiler", "clang++", "was killed by signal 9", "memory"}))
      << tenon_error_last_message();
  std::filesystem::remove_all(folder);
}

// Static shared memory is that of the kernel and of the functions that it calls, not that of another instance, or of a
// kernel whose name begins with its name.
TEST(Compiling, StaticSharedMemoryIsCountedForEachKernelAlone) {
  const std::string source =
      "template <int N> __global__ void t(float* y) {\n  __shared__ float s[N];\n  s[threadIdx.x] = y[threadIdx.x];\n  __syncthreads();\n  y[threadIdx.x] = s[N - 1 - threadIdx.x];\n}\n"
      "extern __shared__ float dynamic[];\n"
      "__global__ void k(float* y) { dynamic[threadIdx.x] = y[threadIdx.x]; __syncthreads(); y[threadIdx.x] = dynamic[0]; }\n"
      "__global__ void k_main(float* y) { __shared__ float s[10000]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); y[threadIdx.x] = s[0]; }\n"
      "__device__ __noinline__ float helper(float v) { __shared__ float s[5000]; s[threadIdx.x] = v; __syncthreads(); return s[0]; }\n"
      "__global__ void caller(float* y) { y[threadIdx.x] = helper(y[threadIdx.x]); }\n";
  for (const auto& [compiler, mode] :
       {std::pair{"", TENON_PROGRAM_MODE_FAST}, {"g++", TENON_PROGRAM_MODE_FAST}, {"", TENON_PROGRAM_MODE_CHECK}}) {
    Machine machine = fast;
    machine.compiler = compiler;
    machine.mode = mode;
    Runner runner(machine);
    ASSERT_EQ(TENON_OK, runner.compile(source, {"t<8192>", "t<4096>", "t<1024>", "k", "k_main", "caller"}))
        << Runner::last_log();
    EXPECT_EQ(runner.static_shared("t<8192>"), 32768u) << mode;
    EXPECT_EQ(runner.static_shared("t<4096>"), 16384u) << mode;
    EXPECT_EQ(runner.static_shared("t<1024>"), 4096u) << mode;
    EXPECT_EQ(runner.static_shared("k"), 0u) << mode;
    EXPECT_EQ(runner.static_shared("k_main"), 40000u) << mode;
    EXPECT_EQ(runner.static_shared("caller"), 20000u) << mode;
  }
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(source, {"t<8192>", "t<8191>", "t<8190>", "t<8189>", "t<8188>", "t<8187>",
                                              "t<8186>", "k", "k_main"}))
      << Runner::last_log();
  ArrayPtr y = runner.put(std::vector<float>(32, 3));
  runner.run("t<8192>", line(32, 32), y);
  runner.run("k", line(32, 32, 200 << 10), y);
}

// Frames larger than a page that are only partly touched: beyond the stack's guard is another thread's stack.
TEST(Launches, ARecursionCannotStepOverTheGuardOfAStack) {
  const std::string source = R"(
__device__ __noinline__ int deep(volatile int* u, int n) {
  volatile char a[12000];
  a[n & 1] = n;
  if (n == 0) return a[n & 1] + u[0];
  int r = deep(u, n - 1);
  return r + a[n & 1];
}
__device__ __noinline__ void meet() { __syncthreads(); }
extern "C" __global__ void k(int* u, int* wrong, int n) {
  volatile int mine[100];
  for (int i = 0; i < 100; ++i) mine[i] = threadIdx.x * 1000 + i;
  meet();
  if (threadIdx.x == 5) u[1] = deep(u, n);
  meet();
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += mine[i] != (int)(threadIdx.x * 1000 + i);
  wrong[threadIdx.x] = sum;
})";
  for (const char* compiler : {"", "g++"}) {
    Machine machine = fast;
    machine.compiler = compiler;
    machine.mode = TENON_PROGRAM_MODE_CHECK;
    Runner runner(machine);
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"})) << Runner::last_log();
    ArrayPtr u = runner.put(std::vector<int>(2)), wrong = runner.put(std::vector<int>(64));
    // Stacks keep the size that an earlier launch of the process needed. Whatever their size, a recursion either fits
    // or is reported.
    int got = TENON_OK;
    for (int n = 1; n <= 4096 && got == TENON_OK; n *= 2) {
      got = runner.try_run("k", line(64, 64), u, wrong, n);
      if (got == TENON_OK) {
        EXPECT_EQ(std::vector<int>(64), runner.get<int>(wrong)) << n;
      }
    }
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, got);
    EXPECT_TRUE(contains(tenon_error_last_message(), {"stack overflow", "thread (5, 0, 0)"}))
        << tenon_error_last_message();
  }
}

// The user's macros, from options or from the text, affect neither the shim nor headers that are included after them.
TEST(Compiling, MacrosOfTheUserStayOutOfTheHeaders) {
  for (const char* compiler : {"", "g++"}) {
    Machine machine = fast;
    machine.compiler = compiler;
    Runner runner(machine);
    const std::string source =
        "#define x 17\n#define Size 99\n#define size 4\n#define rank oops\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#define F 1.0f\n"
        "#define value 3\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cooperative_groups.h>\n#include <cooperative_groups/scan.h>\n"
        "#include <cuComplex.h>\n#include <stdint.h>\n#include <cuda/pipeline>\n#include <cuda/atomic>\n#include <cuda/std/complex>\n"
        "#include <cuda_pipeline.h>\n#include <cooperative_groups/memcpy_async.h>\n#include <mma.h>\n#include <tuple>\n#include <array>\n"
        "#include <limits>\n#include <functional>\n" +
        kernel(
            "asm(\"add.u32 %0, %0, %1;\" : \"+r\"(n) : \"r\"(size - 4));\n"
            "std::tuple<int, float> t(1, F);\nn += std::get<0>(t) - 1 + int(cuda::std::complex<float>(F - 1).real());\np[0] = min(size, N) + sizeof(T) + value + (int)(float)(__half(F) + __half(2.0f));");
    ASSERT_EQ(TENON_OK,
              runner.compile(source, {"k"}, {"-DT=double", "-DN=2", "-DI=3", "-DP=4", "-DA=int", "-D", "y=nothing"}))
        << tenon_error_last_message() << Runner::last_log();
    ArrayPtr p = runner.put(std::vector<int>(1));
    runner.run("k", line(1, 1), p, 0);
    EXPECT_EQ(runner.get<int>(p)[0], 2 + 8 + 3 + 3);
  }
}

TEST(Compiling, WarningsAreInTheLog) {
  Runner runner(fast);
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
  const std::string source = "#warning look here\n" + kernel("");
  tenon_program* made = nullptr;
  OK(tenon_program_create(runner.device(), source.data(), source.size(), &options, &made));
  ProgramPtr program(made);
  const char* log = "";
  OK(tenon_program_log(made, &log));
  EXPECT_TRUE(contains(log, {"kernel.cu:1", "look here"}));
}

TEST(Compiling, AMissingCompilerIsNamedWithTheSetting) {
  Machine machine = fast;
  machine.compiler = "/nonexistent/clang++";
  Runner runner(machine);
  EXPECT_EQ(TENON_ERROR_MISSING_LIBRARY, runner.compile(kernel(""), {"k"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"TENON_CXX", "/nonexistent/clang++", "clang++ (14 or later)"}));
  machine.compiler = "/bin/true";
  Runner other(machine);
  EXPECT_EQ(TENON_ERROR_MISSING_LIBRARY, other.compile(kernel(""), {"k"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"/bin/true", "neither clang++"}));
}

TEST(Compiling, HeadersGivenAsTextAreFoundFirst) {
  Runner runner(fast);
  const char* names[] = {"dir/mine.h", "math.h"};
  const char* texts[] = {"#define ANSWER 42\n", "#define OURS 1\n"};
  const char* kernels[] = {"k"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = kernels, options.kernel_count = 1;
  options.header_names = names, options.header_sources = texts, options.header_count = 2;
  const std::string source = "#include \"dir/mine.h\"\n#include <math.h>\n" + kernel("p[0] = ANSWER + OURS;");
  tenon_program* made = nullptr;
  ASSERT_EQ(TENON_OK, tenon_program_create(runner.device(), source.data(), source.size(), &options, &made))
      << tenon_error_last_message() << Runner::last_log();
  ProgramPtr program(made);
}

}  // namespace
