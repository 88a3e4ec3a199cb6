// ops/own.hpp: Tenon's own numerical work other than linear algebra: compiled code on the CPU
// (core/problem/native.hpp), kernels of the same sources (src/device) elsewhere.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>
#include "core/array/array.hpp"
#include "core/array/copy.hpp"
#include "core/problem/native.hpp"
#include "core/device/recording.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// Does the device run kernels? Devices without code of their own do; with TENON_OWN_KERNELS=1 in the environment the
// CPU does too, which lets tests run the code that GPUs run.
bool by_kernels(const Device& device);
// The same, for work that the device's libraries do, too: TENON_OWN_KERNELS=0 gives it to them, which lets tests run
// their routines.
bool prefers_own(const Device& device);

// A kernel of these sources, such as "tenon_own::random_fill<...>" of kRandomKernels. Kernels that are used together
// are compiled together.
struct OwnKernel {
  const char* file;                // for messages: "tenon/random.cu"
  const char* texts[6];            // appended to kWorkText and kNumbersText; NULL: no more
  std::vector<std::string> names;  // of the program's kernels
  int32_t index = 0;               // the index of this kernel among them
};
// values: those of its parameters.
void launch_own(Device& device, const OwnKernel& kernel, const Geometry& geometry, const Values& values,
                Stream& stream);

// Launches a kernel with these values of its parameters.
template <class... T> void launch_own(Device& device, const OwnKernel& kernel, int64_t blocks, uint32_t threads,
                                      Stream& stream, T... values) {
  void* addresses[] = {&values...};
  const ValueShape shapes[] = {ValueShape{uint32_t(sizeof values)}...};
  Geometry geometry;
  geometry.grid[0] = uint32_t(blocks);
  geometry.block[0] = threads;
  launch_own(device, kernel, geometry, Values(addresses, shapes, sizeof...(values)), stream);
}

// Blocks of a kernel whose 256 threads stride over `count` elements.
int64_t striding_blocks(const Device& device, int64_t count);

// Operation::at(work, i) for every i below count, one thread each: an operation of order.cuh or select.cuh, such as
// "Search<float>", on a struct of work.hpp, such as "SearchWork".
OwnKernel each_kernel(const std::string& operation, const char* work_type);
template <class Work> void launch_each(Device& device, const std::string& operation, const char* work_type,
                                       const Work& work, int64_t count, Stream& stream) {
  launch_own(device, each_kernel(operation, work_type), striding_blocks(device, count), 256, stream, work, count);
}

// c = alpha a b + beta c of integers or bools, enqueued on the stream, which use() has ordered.
void launch_product(Device& device, Dtype dtype, const tenon_own::ProductWork& work, Stream& stream);

// The program of select.cu for masks and sums.
enum : int32_t { kSelectCount, kSelectSum, kSelectPlaces };
OwnKernel select_kernels(int32_t index);

// The C++ name of an element type in these sources; throws DTYPE ("`what` is ...") if they do not compute with it.
const char* element_name(Dtype dtype, const char* what);
// The same, and that of complex numbers.
const char* number_name(Dtype dtype, const char* what);
// Likewise, where elements are compared (order.cuh).
const char* ordered_name(Dtype dtype, const char* what);

// Orders the stream behind the other uses of these arrays, for work that reads and writes them; NULL ones are skipped.
void use(std::initializer_list<const Array*> read, std::initializer_list<const Array*> written, Stream& stream);

// The array that a routine for C-ordered results writes: the given one if it is C-ordered, else a new one to pass to
// Output::deliver.
Ref<Array> open_plain(const Output& out, Dtype dtype, Extents shape, Stream& stream,
                      std::initializer_list<Input> inputs);

}  // namespace tenon::ops
