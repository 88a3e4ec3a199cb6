// tenon/cxx/functions.hpp: options, classes of handles, and all functions of the C headers in C++.
// Derived from the headers (abi/README.md).
//
// The C headers document every function; the comment above a declaration names the C function. Parameters are its
// inputs, options and stream; its outputs are returned, several as a std::tuple. A parameter of type `into` takes the
// array that receives a result. Write options with designated initialisers (C++20), or set their fields one by one:
// tenon::svd(a, {.mode = tenon::svd_mode::economy}).
#ifndef TENON_CXX_FUNCTIONS_HPP
#define TENON_CXX_FUNCTIONS_HPP

#include <tenon/cxx/argument.hpp>
#include <tenon/cxx/core.hpp>
#include <tenon/cxx/members.hpp>

#include <array>

namespace tenon {
inline namespace TENON_CXX_MODE {

template <>
struct handle_traits<tenon_blob> {
  static int32_t retain(tenon_blob* object) noexcept { return tenon_blob_retain(object); }
  static void release(tenon_blob* object) noexcept { tenon_blob_release(object); }
};
template <>
struct handle_traits<tenon_context> {
  static int32_t retain(tenon_context* object) noexcept { return tenon_context_retain(object); }
  static void release(tenon_context* object) noexcept { tenon_context_release(object); }
};
template <>
struct handle_traits<tenon_device> {
  static int32_t retain(tenon_device* object) noexcept { return tenon_device_retain(object); }
  static void release(tenon_device* object) noexcept { tenon_device_release(object); }
};
template <>
struct handle_traits<tenon_stream> {
  static int32_t retain(tenon_stream* object) noexcept { return tenon_stream_retain(object); }
  static void release(tenon_stream* object) noexcept { tenon_stream_release(object); }
};
template <>
struct handle_traits<tenon_event> {
  static int32_t retain(tenon_event* object) noexcept { return tenon_event_retain(object); }
  static void release(tenon_event* object) noexcept { tenon_event_release(object); }
};
template <>
struct handle_traits<tenon_array> {
  static int32_t retain(tenon_array* object) noexcept { return tenon_array_retain(object); }
  static void release(tenon_array* object) noexcept { tenon_array_release(object); }
};
template <>
struct handle_traits<tenon_texture> {
  static int32_t retain(tenon_texture* object) noexcept { return tenon_texture_retain(object); }
  static void release(tenon_texture* object) noexcept { tenon_texture_release(object); }
};
template <>
struct handle_traits<tenon_buffer> {
  static int32_t retain(tenon_buffer* object) noexcept { return tenon_buffer_retain(object); }
  static void release(tenon_buffer* object) noexcept { tenon_buffer_release(object); }
};
template <>
struct handle_traits<tenon_program> {
  static int32_t retain(tenon_program* object) noexcept { return tenon_program_retain(object); }
  static void release(tenon_program* object) noexcept { tenon_program_release(object); }
};
template <>
struct handle_traits<tenon_kernel> {
  static int32_t retain(tenon_kernel* object) noexcept { return tenon_kernel_retain(object); }
  static void release(tenon_kernel* object) noexcept { tenon_kernel_release(object); }
};
template <>
struct handle_traits<tenon_call> {
  static int32_t retain(tenon_call* object) noexcept { return tenon_call_retain(object); }
  static void release(tenon_call* object) noexcept { tenon_call_release(object); }
};
template <>
struct handle_traits<tenon_compilation> {
  static int32_t retain(tenon_compilation* object) noexcept { return tenon_compilation_retain(object); }
  static void release(tenon_compilation* object) noexcept { tenon_compilation_release(object); }
};
template <>
struct handle_traits<tenon_elementwise> {
  static int32_t retain(tenon_elementwise* object) noexcept { return tenon_elementwise_retain(object); }
  static void release(tenon_elementwise* object) noexcept { tenon_elementwise_release(object); }
};
template <>
struct handle_traits<tenon_reduction> {
  static int32_t retain(tenon_reduction* object) noexcept { return tenon_reduction_retain(object); }
  static void release(tenon_reduction* object) noexcept { tenon_reduction_release(object); }
};
template <>
struct handle_traits<tenon_scan> {
  static int32_t retain(tenon_scan* object) noexcept { return tenon_scan_retain(object); }
  static void release(tenon_scan* object) noexcept { tenon_scan_release(object); }
};
template <>
struct handle_traits<tenon_graph> {
  static int32_t retain(tenon_graph* object) noexcept { return tenon_graph_retain(object); }
  static void release(tenon_graph* object) noexcept { tenon_graph_release(object); }
};
template <>
struct handle_traits<tenon_package> {
  static int32_t retain(tenon_package* object) noexcept { return tenon_package_retain(object); }
  static void release(tenon_package* object) noexcept { tenon_package_release(object); }
};
template <>
struct handle_traits<tenon_operation> {
  static int32_t retain(tenon_operation* object) noexcept { return tenon_operation_retain(object); }
  static void release(tenon_operation* object) noexcept { tenon_operation_release(object); }
};

class blob;
class context;
class device;
class stream;
class event;
class dynamic_array;
class texture;
class buffer;
class program;
class kernel;
class call;
class compilation;
class elementwise;
class reduction;
class scan;
class graph;
class package;
class operation;

// tenon_allocator
struct allocator {
  tenon_allocate_fn allocate{};
  tenon_deallocate_fn deallocate{};
  void* user{};
  tenon_destroy_fn destroy{};

  tenon_allocator c() const {
    tenon_allocator made{};
    made.struct_size = sizeof(made);
    made.allocate = allocate;
    made.deallocate = deallocate;
    made.user = user;
    made.destroy = destroy;
    return made;
  }
};

// tenon_context_options
struct context_options {
  tenon::context_flags flags{};
  const char* cache_directory{};
  uint64_t cache_limit_bytes{};
  tenon::cache_kind cache_mode{};
  tenon::log_kind log_level{};
  tenon_log_fn log{};
  void* log_user{};
  tenon_destroy_fn log_destroy{};
  double kernel_timeout_seconds{};
  uint64_t memory_limit_bytes{};
  const char* plugin_path{};
  const char* tuning_directory{};
  const tenon_allocator* allocator{};

  tenon_context_options c() const {
    tenon_context_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.cache_directory = cache_directory;
    made.cache_limit_bytes = cache_limit_bytes;
    made.cache_mode = static_cast<int32_t>(cache_mode);
    made.log_level = static_cast<int32_t>(log_level);
    made.log = log;
    made.log_user = log_user;
    made.log_destroy = log_destroy;
    made.kernel_timeout_seconds = kernel_timeout_seconds;
    made.memory_limit_bytes = memory_limit_bytes;
    made.plugin_path = plugin_path;
    made.tuning_directory = tuning_directory;
    made.allocator = allocator;
    return made;
  }
};

// tenon_stream_options
struct stream_options {
  int32_t priority{};

  tenon_stream_options c() const {
    tenon_stream_options made{};
    made.struct_size = sizeof(made);
    made.priority = priority;
    return made;
  }
};

// tenon_program_options
struct program_options {
  tenon::program_flags flags{};
  const char* name{};
  std::vector<const char*> kernels{};
  std::vector<const char*> header_names{};
  std::vector<const char*> header_sources{};
  std::vector<const char*> options{};
  tenon::program_mode mode{};
  const char* architecture{};
  std::vector<const char*> globals{};
  double time_limit{};

  tenon_program_options c() const {
    tenon_program_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.name = name;
    made.kernels = kernels.data();
    made.kernel_count = static_cast<int32_t>(kernels.size());
    made.header_names = header_names.data();
    made.header_count = detail::count_of<int32_t>({header_names.size(), header_sources.size()});
    made.header_sources = header_sources.data();
    made.options = options.data();
    made.option_count = static_cast<int32_t>(options.size());
    made.mode = static_cast<int32_t>(mode);
    made.architecture = architecture;
    made.globals = globals.data();
    made.global_count = static_cast<int32_t>(globals.size());
    made.time_limit = time_limit;
    return made;
  }
};

// tenon_launch
struct launch {
  tenon::launch_flags flags{};
  std::array<uint32_t, 3> grid{};
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> cluster{};
  uint32_t shared_bytes{};

  tenon_launch c() const {
    tenon_launch made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.grid[0] = grid[0];
    made.grid[1] = grid[1];
    made.grid[2] = grid[2];
    made.block[0] = block[0];
    made.block[1] = block[1];
    made.block[2] = block[2];
    made.cluster[0] = cluster[0];
    made.cluster[1] = cluster[1];
    made.cluster[2] = cluster[2];
    made.shared_bytes = shared_bytes;
    return made;
  }
};

// tenon_texture_options
struct texture_options {
  int32_t dimensions{};
  int32_t channels{};
  bool layered{};
  bool cube{};
  bool normalized_coordinates{};
  bool normalized_reads{};
  bool surface{};
  bool gather{};
  bool share{};
  tenon::filter_kind filter{};
  tenon::address_kind address_x{};
  tenon::address_kind address_y{};
  tenon::address_kind address_z{};
  std::array<float, 4> border{};

  tenon_texture_options c() const {
    tenon_texture_options made{};
    made.struct_size = sizeof(made);
    made.dimensions = dimensions;
    made.channels = channels;
    made.layered = layered ? 1 : 0;
    made.cube = cube ? 1 : 0;
    made.normalized_coordinates = normalized_coordinates ? 1 : 0;
    made.normalized_reads = normalized_reads ? 1 : 0;
    made.surface = surface ? 1 : 0;
    made.gather = gather ? 1 : 0;
    made.share = share ? 1 : 0;
    made.filter = static_cast<int32_t>(filter);
    made.address_x = static_cast<int32_t>(address_x);
    made.address_y = static_cast<int32_t>(address_y);
    made.address_z = static_cast<int32_t>(address_z);
    made.border[0] = border[0];
    made.border[1] = border[1];
    made.border[2] = border[2];
    made.border[3] = border[3];
    return made;
  }
};

// tenon_random_options
struct random_options {
  uint64_t key{};
  uint64_t offset{};
  uint64_t stream{};
  double a{};
  double b{};
  int64_t low{};
  uint64_t count{};

  tenon_random_options c() const {
    tenon_random_options made{};
    made.struct_size = sizeof(made);
    made.key = key;
    made.offset = offset;
    made.stream = stream;
    made.a = a;
    made.b = b;
    made.low = low;
    made.count = count;
    return made;
  }
};

// tenon_moving_options
struct moving_options {

  tenon_moving_options c() const {
    tenon_moving_options made{};
    made.struct_size = sizeof(made);
    return made;
  }
};

// tenon_pad_options
struct pad_options {
  tenon::pad_kind mode{};
  const tenon_arg* value{};
  int64_t stat_length{};

  tenon_pad_options c() const {
    tenon_pad_options made{};
    made.struct_size = sizeof(made);
    made.mode = static_cast<int32_t>(mode);
    made.value = value;
    made.stat_length = stat_length;
    return made;
  }
};

// tenon_take_options
struct take_options {
  bool along{};
  tenon::scatter_kind operation{};

  tenon_take_options c() const {
    tenon_take_options made{};
    made.struct_size = sizeof(made);
    made.along = along ? 1 : 0;
    made.operation = static_cast<int32_t>(operation);
    return made;
  }
};

// tenon_range_options
struct range_options {
  bool has_last{};
  int64_t first{};
  int64_t integer_step{};
  double start{};
  double step{};
  double last{};

  tenon_range_options c() const {
    tenon_range_options made{};
    made.struct_size = sizeof(made);
    made.has_last = has_last ? 1 : 0;
    made.first = first;
    made.integer_step = integer_step;
    made.start = start;
    made.step = step;
    made.last = last;
    return made;
  }
};

// tenon_diagonal_options
struct diagonal_options {
  bool upper{};
  int64_t diagonal{};

  tenon_diagonal_options c() const {
    tenon_diagonal_options made{};
    made.struct_size = sizeof(made);
    made.upper = upper ? 1 : 0;
    made.diagonal = diagonal;
    return made;
  }
};

// tenon_sort_options
struct sort_options {
  bool descending{};

  tenon_sort_options c() const {
    tenon_sort_options made{};
    made.struct_size = sizeof(made);
    made.descending = descending ? 1 : 0;
    return made;
  }
};

// tenon_top_k_options
struct top_k_options {
  bool smallest{};

  tenon_top_k_options c() const {
    tenon_top_k_options made{};
    made.struct_size = sizeof(made);
    made.smallest = smallest ? 1 : 0;
    return made;
  }
};

// tenon_search_options
struct search_options {
  bool right{};

  tenon_search_options c() const {
    tenon_search_options made{};
    made.struct_size = sizeof(made);
    made.right = right ? 1 : 0;
    return made;
  }
};

// tenon_interpolate_options
struct interpolate_options {
  bool has_below{};
  bool has_above{};
  double below{};
  double above{};

  tenon_interpolate_options c() const {
    tenon_interpolate_options made{};
    made.struct_size = sizeof(made);
    made.has_below = has_below ? 1 : 0;
    made.has_above = has_above ? 1 : 0;
    made.below = below;
    made.above = above;
    return made;
  }
};

// tenon_unique_options
struct unique_options {
  bool nan_distinct{};

  tenon_unique_options c() const {
    tenon_unique_options made{};
    made.struct_size = sizeof(made);
    made.nan_distinct = nan_distinct ? 1 : 0;
    return made;
  }
};

// tenon_bincount_options
struct bincount_options {

  tenon_bincount_options c() const {
    tenon_bincount_options made{};
    made.struct_size = sizeof(made);
    return made;
  }
};

// tenon_quantile_options
struct quantile_options {
  tenon::quantile_kind method{};
  std::vector<int32_t> axes{};
  bool keep_axes{};
  bool ignore_nan{};

  tenon_quantile_options c() const {
    tenon_quantile_options made{};
    made.struct_size = sizeof(made);
    made.method = static_cast<int32_t>(method);
    made.axes = axes.data();
    made.axis_count = static_cast<int32_t>(axes.size());
    made.keep_axes = keep_axes ? 1 : 0;
    made.ignore_nan = ignore_nan ? 1 : 0;
    return made;
  }
};

// tenon_generated_options
struct generated_options {
  tenon::program_flags flags{};
  const char* name{};
  const char* preamble{};
  std::vector<const char*> options{};
  tenon::program_mode mode{};
  const char* accumulator{};

  tenon_generated_options c() const {
    tenon_generated_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.name = name;
    made.preamble = preamble;
    made.options = options.data();
    made.option_count = static_cast<int32_t>(options.size());
    made.mode = static_cast<int32_t>(mode);
    made.accumulator = accumulator;
    return made;
  }
};

// tenon_compute_options
struct compute_options {
  tenon::apply_flags flags{};

  tenon_compute_options c() const {
    tenon_compute_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    return made;
  }
};

// tenon_reduce_options
struct reduce_options {
  tenon::apply_flags flags{};
  std::vector<int32_t> axes{};
  bool keep_axes{};
  tenon::dtype dtype{};
  bool no_axes{};
  double correction{};
  bool ignore_nan{};

  tenon_reduce_options c() const {
    tenon_reduce_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.axes = axes.data();
    made.axis_count = static_cast<int32_t>(axes.size());
    made.keep_axes = keep_axes ? 1 : 0;
    made.dtype = static_cast<uint32_t>(dtype);
    made.no_axes = no_axes ? 1 : 0;
    made.correction = correction;
    made.ignore_nan = ignore_nan ? 1 : 0;
    return made;
  }
};

// tenon_accumulate_options
struct accumulate_options {
  tenon::apply_flags flags{};
  int32_t axis{};
  tenon::dtype dtype{};
  bool exclusive{};

  tenon_accumulate_options c() const {
    tenon_accumulate_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.axis = axis;
    made.dtype = static_cast<uint32_t>(dtype);
    made.exclusive = exclusive ? 1 : 0;
    return made;
  }
};

// tenon_segment_options
struct segment_options {
  tenon::segments_kind segments{};
  int32_t axis{};
  bool exclusive{};
  tenon::dtype dtype{};
  int64_t count{};

  tenon_segment_options c() const {
    tenon_segment_options made{};
    made.struct_size = sizeof(made);
    made.segments = static_cast<int32_t>(segments);
    made.axis = axis;
    made.exclusive = exclusive ? 1 : 0;
    made.dtype = static_cast<uint32_t>(dtype);
    made.count = count;
    return made;
  }
};

// tenon_gemm_options
struct gemm_options {
  tenon::compute_kind compute{};
  int32_t* out_packed{};
  tenon::op op_a{};
  tenon::op op_b{};
  ref<tenon_array> bias{};
  tenon::epilogue_kind epilogue{};
  bool tune{};

  tenon_gemm_options c() const {
    tenon_gemm_options made{};
    made.struct_size = sizeof(made);
    made.compute = static_cast<int32_t>(compute);
    made.out_packed = out_packed;
    made.op_a = static_cast<int32_t>(op_a);
    made.op_b = static_cast<int32_t>(op_b);
    made.bias = bias.get();
    made.epilogue = static_cast<int32_t>(epilogue);
    made.tune = tune ? 1 : 0;
    return made;
  }
};

// tenon_svd_options
struct svd_options {
  tenon::svd_mode mode{};
  tenon::svd_driver driver{};
  int64_t k{};
  double tolerance{};
  int32_t* out_driver{};

  tenon_svd_options c() const {
    tenon_svd_options made{};
    made.struct_size = sizeof(made);
    made.mode = static_cast<int32_t>(mode);
    made.driver = static_cast<int32_t>(driver);
    made.k = k;
    made.tolerance = tolerance;
    made.out_driver = out_driver;
    return made;
  }
};

// tenon_blas_options
struct blas_options {
  tenon::op op{};
  bool upper{};
  bool right{};
  bool hermitian{};
  bool unit_diagonal{};
  bool conjugate{};
  tenon::op op_b{};
  int64_t below{};
  int32_t* out_packed{};

  tenon_blas_options c() const {
    tenon_blas_options made{};
    made.struct_size = sizeof(made);
    made.op = static_cast<int32_t>(op);
    made.upper = upper ? 1 : 0;
    made.right = right ? 1 : 0;
    made.hermitian = hermitian ? 1 : 0;
    made.unit_diagonal = unit_diagonal ? 1 : 0;
    made.conjugate = conjugate ? 1 : 0;
    made.op_b = static_cast<int32_t>(op_b);
    made.below = below;
    made.out_packed = out_packed;
    return made;
  }
};

// tenon_solve_options
struct solve_options {
  tenon::solve_kind kind{};
  tenon::op op{};
  bool unit_diagonal{};

  tenon_solve_options c() const {
    tenon_solve_options made{};
    made.struct_size = sizeof(made);
    made.kind = static_cast<int32_t>(kind);
    made.op = static_cast<int32_t>(op);
    made.unit_diagonal = unit_diagonal ? 1 : 0;
    return made;
  }
};

// tenon_lu_options
struct lu_options {
  tenon::op op{};

  tenon_lu_options c() const {
    tenon_lu_options made{};
    made.struct_size = sizeof(made);
    made.op = static_cast<int32_t>(op);
    return made;
  }
};

// tenon_cholesky_options
struct cholesky_options {
  bool upper{};

  tenon_cholesky_options c() const {
    tenon_cholesky_options made{};
    made.struct_size = sizeof(made);
    made.upper = upper ? 1 : 0;
    return made;
  }
};

// tenon_qr_options
struct qr_options {
  tenon::qr_kind mode{};

  tenon_qr_options c() const {
    tenon_qr_options made{};
    made.struct_size = sizeof(made);
    made.mode = static_cast<int32_t>(mode);
    return made;
  }
};

// tenon_rank_options
struct rank_options {
  double rcond{};

  tenon_rank_options c() const {
    tenon_rank_options made{};
    made.struct_size = sizeof(made);
    made.rcond = rcond;
    return made;
  }
};

// tenon_ldl_options
struct ldl_options {
  bool upper{};
  bool hermitian{};

  tenon_ldl_options c() const {
    tenon_ldl_options made{};
    made.struct_size = sizeof(made);
    made.upper = upper ? 1 : 0;
    made.hermitian = hermitian ? 1 : 0;
    return made;
  }
};

// tenon_eigh_options
struct eigh_options {
  bool upper{};
  int64_t first{};
  int64_t count{};
  double low{};
  double high{};
  bool by_value{};

  tenon_eigh_options c() const {
    tenon_eigh_options made{};
    made.struct_size = sizeof(made);
    made.upper = upper ? 1 : 0;
    made.first = first;
    made.count = count;
    made.low = low;
    made.high = high;
    made.by_value = by_value ? 1 : 0;
    return made;
  }
};

// tenon_eig_options
struct eig_options {

  tenon_eig_options c() const {
    tenon_eig_options made{};
    made.struct_size = sizeof(made);
    return made;
  }
};

// tenon_norm_options
struct norm_options {
  tenon::norm_kind kind{};

  tenon_norm_options c() const {
    tenon_norm_options made{};
    made.struct_size = sizeof(made);
    made.kind = static_cast<int32_t>(kind);
    return made;
  }
};

// tenon_power_options
struct power_options {

  tenon_power_options c() const {
    tenon_power_options made{};
    made.struct_size = sizeof(made);
    return made;
  }
};

// tenon_fft_options
struct fft_options {
  tenon::fft_direction direction{};
  tenon::fft_norm norm{};
  int64_t real_length{};

  tenon_fft_options c() const {
    tenon_fft_options made{};
    made.struct_size = sizeof(made);
    made.direction = static_cast<int32_t>(direction);
    made.norm = static_cast<int32_t>(norm);
    made.real_length = real_length;
    return made;
  }
};

// tenon_dct_options
struct dct_options {
  int32_t type{};
  bool sine{};
  tenon::fft_direction direction{};
  tenon::fft_norm norm{};

  tenon_dct_options c() const {
    tenon_dct_options made{};
    made.struct_size = sizeof(made);
    made.type = type;
    made.sine = sine ? 1 : 0;
    made.direction = static_cast<int32_t>(direction);
    made.norm = static_cast<int32_t>(norm);
    return made;
  }
};

// tenon_convolve_options
struct convolve_options {
  tenon::convolve_kind mode{};
  bool correlate{};

  tenon_convolve_options c() const {
    tenon_convolve_options made{};
    made.struct_size = sizeof(made);
    made.mode = static_cast<int32_t>(mode);
    made.correlate = correlate ? 1 : 0;
    return made;
  }
};

// tenon_shift_options
struct shift_options {
  bool inverse{};

  tenon_shift_options c() const {
    tenon_shift_options made{};
    made.struct_size = sizeof(made);
    made.inverse = inverse ? 1 : 0;
    return made;
  }
};

// tenon_frequencies_options
struct frequencies_options {
  bool half{};

  tenon_frequencies_options c() const {
    tenon_frequencies_options made{};
    made.struct_size = sizeof(made);
    made.half = half ? 1 : 0;
    return made;
  }
};

// tenon_sparse_options
struct sparse_options {
  uint32_t index_dtype{};
  bool trusted{};

  tenon_sparse_options c() const {
    tenon_sparse_options made{};
    made.struct_size = sizeof(made);
    made.index_dtype = index_dtype;
    made.trusted = trusted ? 1 : 0;
    return made;
  }
};

// tenon_sparse_product_options
struct sparse_product_options {
  bool transposed{};
  bool conjugated{};
  bool own{};
  bool trusted{};
  const tenon_arg* alpha{};
  const tenon_arg* beta{};

  tenon_sparse_product_options c() const {
    tenon_sparse_product_options made{};
    made.struct_size = sizeof(made);
    made.transposed = transposed ? 1 : 0;
    made.conjugated = conjugated ? 1 : 0;
    made.own = own ? 1 : 0;
    made.trusted = trusted ? 1 : 0;
    made.alpha = alpha;
    made.beta = beta;
    return made;
  }
};

// tenon_package_options
struct package_options {
  tenon::package_flags flags{};
  const char* sha256{};
  std::vector<const char*> trusted_keys{};

  tenon_package_options c() const {
    tenon_package_options made{};
    made.struct_size = sizeof(made);
    made.flags = static_cast<uint32_t>(flags);
    made.sha256 = sha256;
    made.trusted_keys = trusted_keys.data();
    made.trusted_key_count = static_cast<int32_t>(trusted_keys.size());
    return made;
  }
};

// tenon_measure_options
struct measure_options {
  std::vector<const char*> given_names{};
  std::vector<const char*> given_values{};
  const char* types{};
  double seconds{};

  tenon_measure_options c() const {
    tenon_measure_options made{};
    made.struct_size = sizeof(made);
    made.given_names = given_names.data();
    made.given_count = detail::count_of<int32_t>({given_names.size(), given_values.size()});
    made.given_values = given_values.data();
    made.types = types;
    made.seconds = seconds;
    return made;
  }
};


// tenon_blob
class blob : public handle<tenon_blob>, public detail::blob_members<blob> {
 public:
  using adopting = handle<tenon_blob>::owned;
  using handle<tenon_blob>::handle;
  blob(adopting, tenon_blob* object) noexcept : handle<tenon_blob>(adopting{}, object) {}
  // tenon_blob_data (abi.h)
  outcome<std::tuple<const void*, uint64_t>> data() const;
};

// tenon_context
class context : public handle<tenon_context> {
 public:
  using adopting = handle<tenon_context>::owned;
  using handle<tenon_context>::handle;
  context(adopting, tenon_context* object) noexcept : handle<tenon_context>(adopting{}, object) {}
  // tenon_context_default (context.h)
  static outcome<tenon::context> default_();
  // tenon_context_create (context.h)
  static outcome<tenon::context> create(const tenon::context_options& options = {});
  // tenon_context_device_count (context.h)
  outcome<int32_t> device_count() const;
  // tenon_context_device_at (context.h)
  outcome<tenon::device> device_at(int32_t index) const;
  // tenon_context_device (context.h)
  outcome<tenon::device> device(text name) const;
  // tenon_context_report (context.h)
  outcome<tenon::blob> report() const;
};

// tenon_device
class device : public handle<tenon_device> {
 public:
  using adopting = handle<tenon_device>::owned;
  using handle<tenon_device>::handle;
  device(adopting, tenon_device* object) noexcept : handle<tenon_device>(adopting{}, object) {}
  // tenon_device_get_info (context.h)
  outcome<tenon_device_info> get_info() const;
  // tenon_device_name (context.h)
  outcome<const char*> name() const;
  // tenon_device_description (context.h)
  outcome<const char*> description() const;
  // tenon_device_toolkit (context.h)
  outcome<const char*> toolkit() const;
  // tenon_device_synchronize (context.h)
  outcome<void> synchronize() const;
  // tenon_device_get_memory_info (context.h)
  outcome<tenon_memory_info> get_memory_info() const;
  // tenon_device_trim_memory (context.h)
  outcome<void> trim_memory(uint64_t keep_bytes) const;
  // tenon_device_allocator (context.h)
  outcome<tenon_allocator> allocator() const;
  // tenon_device_limit_memory (context.h)
  outcome<void> limit_memory(uint64_t bytes) const;
  // tenon_device_use_allocator (context.h)
  outcome<void> use_allocator(const tenon::allocator& allocator) const;
};

// tenon_stream
class stream : public handle<tenon_stream>, public detail::stream_members<stream> {
 public:
  using adopting = handle<tenon_stream>::owned;
  using handle<tenon_stream>::handle;
  stream(adopting, tenon_stream* object) noexcept : handle<tenon_stream>(adopting{}, object) {}
  // tenon_stream_create (stream.h)
  static outcome<tenon::stream> create(ref<tenon_device> device, const tenon::stream_options& options = {});
  // tenon_stream_wrap (stream.h)
  static outcome<tenon::stream> wrap(
      ref<tenon_device> device, uint64_t native, tenon_destroy_fn destroy = {}, void* user = {});
  // tenon_stream_default (stream.h)
  static outcome<tenon::stream> default_(ref<tenon_device> device);
  // tenon_stream_native (stream.h)
  outcome<uint64_t> native() const;
  // tenon_stream_device (stream.h)
  outcome<tenon::device> device() const;
  // tenon_stream_synchronize (stream.h)
  outcome<void> synchronize() const;
  // tenon_stream_query (stream.h)
  outcome<bool> query() const;
  // tenon_stream_wait_event (stream.h)
  outcome<void> wait_event(ref<tenon_event> event) const;
  // tenon_stream_call_host (stream.h)
  outcome<void> call_host(tenon_stream_fn function, tenon_destroy_fn destroy = {}, void* user = {}) const;
};

// tenon_event
class event : public handle<tenon_event> {
 public:
  using adopting = handle<tenon_event>::owned;
  using handle<tenon_event>::handle;
  event(adopting, tenon_event* object) noexcept : handle<tenon_event>(adopting{}, object) {}
  // tenon_event_create (stream.h)
  static outcome<tenon::event> create(ref<tenon_device> device, tenon::event_flags flags);
  // tenon_event_record (stream.h)
  outcome<void> record(ref<tenon_stream> stream = {}) const;
  // tenon_event_synchronize (stream.h)
  outcome<void> synchronize() const;
  // tenon_event_query (stream.h)
  outcome<bool> query() const;
  // tenon_event_elapsed (stream.h)
  outcome<double> elapsed(ref<tenon_event> end) const;
  // tenon_event_device (stream.h)
  outcome<tenon::device> device() const;
  // tenon_event_wrap (stream.h)
  static outcome<tenon::event> wrap(
      ref<tenon_device> device, uint64_t native, tenon_destroy_fn destroy = {}, void* user = {});
  // tenon_event_native (stream.h)
  outcome<uint64_t> native() const;
};

// tenon_array
class dynamic_array : public handle<tenon_array>, public detail::array_members<dynamic_array> {
 public:
  using adopting = handle<tenon_array>::owned;
  using handle<tenon_array>::handle;
  dynamic_array(adopting, tenon_array* object) noexcept : handle<tenon_array>(adopting{}, object) {}
  // tenon_array_create (array.h)
  static outcome<tenon::dynamic_array> create(
      ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape = {}, ref<tenon_stream> stream = {});
  // tenon_array_zeros (array.h)
  static outcome<tenon::dynamic_array> zeros(
      ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape = {}, ref<tenon_stream> stream = {});
  // tenon_array_from_host (array.h)
  static outcome<tenon::dynamic_array> from_host(
      ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape = {}, bytes data = {},
      ref<tenon_stream> stream = {});
  // tenon_array_from_buffer (array.h)
  static outcome<tenon::dynamic_array> from_buffer(
      ref<tenon_buffer> buffer, tenon::dtype dtype, list<const int64_t> shape, list<const int64_t> strides,
      uint64_t byte_offset);
  // tenon_array_get_info (array.h)
  outcome<tenon_array_info> get_info() const;
  // tenon_array_device (array.h)
  outcome<tenon::device> device() const;
  // tenon_array_buffer (array.h)
  outcome<tenon::buffer> buffer() const;
  // tenon_array_reshape (array.h)
  outcome<tenon::dynamic_array> reshape(list<const int64_t> shape = {}) const;
  // tenon_array_transpose (array.h)
  outcome<tenon::dynamic_array> transpose(list<const int32_t> axes = {}) const;
  // tenon_array_slice (array.h)
  outcome<tenon::dynamic_array> slice(
      list<const int64_t> starts = {}, list<const int64_t> stops = {}, list<const int64_t> steps = {}) const;
  // tenon_array_index (array.h)
  outcome<tenon::dynamic_array> index(int32_t axis, int64_t index) const;
  // tenon_array_broadcast (array.h)
  outcome<tenon::dynamic_array> broadcast(list<const int64_t> shape = {}) const;
  // tenon_array_view (array.h)
  outcome<tenon::dynamic_array> view(tenon::dtype dtype) const;
  // tenon_array_copy (array.h)
  outcome<void> copy(ref<tenon_array> source, ref<tenon_stream> stream = {}) const;
  // tenon_array_fill (array.h)
  outcome<void> fill(const operand& value, ref<tenon_stream> stream = {}) const;
  // tenon_array_convert (array.h)
  outcome<tenon::dynamic_array> convert(
      tenon::dtype dtype, ref<tenon_device> device = {}, ref<tenon_stream> stream = {}) const;
  // tenon_array_to_host (array.h)
  outcome<void> to_host(writable_bytes data = {}, ref<tenon_stream> stream = {}) const;
  // tenon_array_set_from_host (array.h)
  outcome<void> set_from_host(bytes data = {}, ref<tenon_stream> stream = {}) const;
  // tenon_array_from_dlpack (dlpack.h)
  static outcome<tenon::dynamic_array> from_dlpack(
      ref<tenon_context> context, struct DLManagedTensor* tensor, bool read_only, ref<tenon_stream> stream = {});
  // tenon_array_from_dlpack_versioned (dlpack.h)
  static outcome<tenon::dynamic_array> from_dlpack_versioned(
      ref<tenon_context> context, struct DLManagedTensorVersioned* tensor, ref<tenon_stream> stream = {});
  // tenon_array_to_dlpack (dlpack.h)
  outcome<struct DLManagedTensor*> to_dlpack(tenon::dlpack_flags flags, ref<tenon_stream> stream = {}) const;
  // tenon_array_to_dlpack_versioned (dlpack.h)
  outcome<struct DLManagedTensorVersioned*> to_dlpack_versioned(
      tenon::dlpack_flags flags, ref<tenon_stream> stream = {}) const;
  // tenon_array_follow (dlpack.h)
  outcome<void> follow(tenon_current_stream_fn current) const;
  // tenon_array_use (array.h)
  outcome<void> use(tenon::access_kind access, ref<tenon_stream> stream = {}) const;
};

// tenon_texture
class texture : public handle<tenon_texture> {
 public:
  using adopting = handle<tenon_texture>::owned;
  using handle<tenon_texture>::handle;
  texture(adopting, tenon_texture* object) noexcept : handle<tenon_texture>(adopting{}, object) {}
  // tenon_texture_create (texture.h)
  static outcome<tenon::texture> create(
      ref<tenon_array> source, const tenon::texture_options& options = {}, ref<tenon_stream> stream = {});
  // tenon_texture_update (texture.h)
  outcome<void> update(ref<tenon_array> source, ref<tenon_stream> stream = {}) const;
  // tenon_texture_read (texture.h)
  outcome<tenon::dynamic_array> read(ref<tenon_stream> stream = {}, const into& array = {}) const;
  // tenon_texture_get_info (texture.h)
  outcome<tenon_texture_info> get_info() const;
  // tenon_texture_device (texture.h)
  outcome<tenon::device> device() const;
};

// tenon_buffer
class buffer : public handle<tenon_buffer> {
 public:
  using adopting = handle<tenon_buffer>::owned;
  using handle<tenon_buffer>::handle;
  buffer(adopting, tenon_buffer* object) noexcept : handle<tenon_buffer>(adopting{}, object) {}
  // tenon_buffer_create (array.h)
  static outcome<tenon::buffer> create(
      ref<tenon_device> device, uint64_t bytes, tenon::memory_kind kind, ref<tenon_stream> stream = {});
  // tenon_buffer_wrap (array.h)
  static outcome<tenon::buffer> wrap(
      ref<tenon_device> device, writable_bytes data, tenon::memory_kind kind, bool read_only,
      ref<tenon_stream> stream = {}, tenon_destroy_fn destroy = {}, void* user = {});
  // tenon_buffer_data (array.h)
  outcome<std::tuple<void*, uint64_t>> data() const;
  // tenon_buffer_device (array.h)
  outcome<tenon::device> device() const;
  // tenon_buffer_create_shared (array.h)
  static outcome<tenon::buffer> create_shared(ref<tenon_device> device, uint64_t bytes);
  // tenon_buffer_share (array.h)
  outcome<tenon::blob> share() const;
  // tenon_buffer_open (array.h)
  static outcome<tenon::buffer> open(ref<tenon_device> device, bytes key);
};

// tenon_program
class program : public handle<tenon_program> {
 public:
  using adopting = handle<tenon_program>::owned;
  using handle<tenon_program>::handle;
  program(adopting, tenon_program* object) noexcept : handle<tenon_program>(adopting{}, object) {}
  // tenon_program_create (kernel.h)
  static outcome<tenon::program> create(
      ref<tenon_device> device, std::string_view source, const tenon::program_options& options = {});
  // tenon_program_log (kernel.h)
  outcome<const char*> log() const;
  // tenon_program_image (kernel.h)
  outcome<tenon::blob> image(tenon::image_kind kind) const;
  // tenon_program_kernel (kernel.h)
  outcome<tenon::kernel> kernel(text name) const;
  // tenon_program_global (kernel.h)
  outcome<tenon::dynamic_array> global(text name) const;
  // tenon_program_link (program.h)
  static outcome<tenon::program> link(
      ref<tenon_device> device, list<const tenon_program_input> inputs, const tenon::program_options& options = {});
  // tenon_program_compile (program.h)
  static outcome<std::tuple<tenon::blob, tenon::blob>> compile(
      text architecture, std::string_view source, const tenon::program_options& options, tenon::image_kind kind);
  // tenon_program_device (kernel.h)
  outcome<tenon::device> device() const;
};

// tenon_kernel
class kernel : public handle<tenon_kernel>, public detail::kernel_members<kernel> {
 public:
  using adopting = handle<tenon_kernel>::owned;
  using handle<tenon_kernel>::handle;
  kernel(adopting, tenon_kernel* object) noexcept : handle<tenon_kernel>(adopting{}, object) {}
  // tenon_kernel_parameter_count (kernel.h)
  outcome<int32_t> parameter_count() const;
  // tenon_kernel_get_parameter_info (kernel.h)
  outcome<tenon_parameter_info> get_parameter_info(int32_t index) const;
  // tenon_kernel_name (kernel.h)
  outcome<const char*> name() const;
  // tenon_kernel_get_info (kernel.h)
  outcome<tenon_kernel_info> get_info() const;
  // tenon_kernel_launch (kernel.h)
  outcome<void> launch(
      const tenon::launch& launch, list<const tenon_arg> args = {}, ref<tenon_stream> stream = {}) const;
  // tenon_kernel_occupancy (kernel.h)
  outcome<int32_t> occupancy(uint32_t block_threads, uint64_t shared_bytes) const;
  // tenon_kernel_suggest (kernel.h)
  outcome<std::tuple<uint32_t, uint32_t>> suggest(uint64_t shared_bytes) const;
  // tenon_kernel_time (kernel.h)
  outcome<double> time(
      const tenon::launch& launch, list<const tenon_arg> args = {}, ref<tenon_stream> stream = {}) const;
  // tenon_kernel_parameter_name (kernel.h)
  outcome<const char*> parameter_name(int32_t index) const;
  // tenon_kernel_program (kernel.h)
  outcome<tenon::program> program() const;
  // tenon_kernel_device (kernel.h)
  outcome<tenon::device> device() const;
  // tenon_kernel_prefer_shared (kernel.h)
  outcome<void> prefer_shared(int32_t percent) const;
};

// tenon_call
class call : public handle<tenon_call> {
 public:
  using adopting = handle<tenon_call>::owned;
  using handle<tenon_call>::handle;
  call(adopting, tenon_call* object) noexcept : handle<tenon_call>(adopting{}, object) {}
  // tenon_call_create (kernel.h)
  static outcome<tenon::call> create(
      ref<tenon_kernel> kernel, const tenon::launch& launch, list<const tenon_arg> args = {});
  // tenon_call_set (kernel.h)
  outcome<void> set(int32_t index, const operand& arg) const;
  // tenon_call_launch (kernel.h)
  outcome<void> launch(ref<tenon_stream> stream = {}) const;
  // tenon_call_clone (kernel.h)
  outcome<tenon::call> clone() const;
  // tenon_call_kernel (kernel.h)
  outcome<tenon::kernel> kernel() const;
  // tenon_call_set_args (kernel.h)
  outcome<void> set_args(list<const tenon_arg> args = {}) const;
  // tenon_call_set_launch (kernel.h)
  outcome<void> set_launch(const tenon::launch& launch) const;
};

// tenon_compilation
class compilation : public handle<tenon_compilation> {
 public:
  using adopting = handle<tenon_compilation>::owned;
  using handle<tenon_compilation>::handle;
  compilation(adopting, tenon_compilation* object) noexcept : handle<tenon_compilation>(adopting{}, object) {}
  // tenon_compilation_start (program.h)
  static outcome<tenon::compilation> start(
      ref<tenon_device> device, std::string_view source, const tenon::program_options& options = {});
  // tenon_compilation_query (program.h)
  outcome<bool> query() const;
  // tenon_compilation_wait (program.h)
  outcome<tenon::program> wait(double seconds) const;
  // tenon_compilation_cancel (program.h)
  outcome<void> cancel() const;
  // tenon_compilation_link (program.h)
  static outcome<tenon::compilation> link(
      ref<tenon_device> device, list<const tenon_program_input> inputs, const tenon::program_options& options = {});
};

// tenon_elementwise
class elementwise : public handle<tenon_elementwise> {
 public:
  using adopting = handle<tenon_elementwise>::owned;
  using handle<tenon_elementwise>::handle;
  elementwise(adopting, tenon_elementwise* object) noexcept : handle<tenon_elementwise>(adopting{}, object) {}
  // tenon_elementwise_create (generated.h)
  static outcome<tenon::elementwise> create(
      text inputs, text outputs, text operation, const tenon::generated_options& options = {});
  // tenon_elementwise_call (generated.h)
  outcome<void> call(list<const tenon_arg> args, ref<tenon_stream> stream = {}) const;
  // tenon_elementwise_output (generated.h)
  outcome<tenon::dynamic_array> output(list<const tenon_arg> args, int32_t index, ref<tenon_stream> stream = {}) const;
  // tenon_elementwise_compose (generated.h)
  static outcome<tenon::elementwise> compose(
      list<const uint32_t> inputs, list<const tenon_step> steps, list<const int32_t> outputs,
      const tenon::generated_options& options = {});
};

// tenon_reduction
class reduction : public handle<tenon_reduction> {
 public:
  using adopting = handle<tenon_reduction>::owned;
  using handle<tenon_reduction>::handle;
  reduction(adopting, tenon_reduction* object) noexcept : handle<tenon_reduction>(adopting{}, object) {}
  // tenon_reduction_create (generated.h)
  static outcome<tenon::reduction> create(
      text inputs, text output, text map, text reduce, text post, text identity = {},
      const tenon::generated_options& options = {});
  // tenon_reduction_call (generated.h)
  outcome<void> call(list<const tenon_arg> args, list<const int32_t> axes = {}, ref<tenon_stream> stream = {}) const;
  // tenon_reduction_output (generated.h)
  outcome<tenon::dynamic_array> output(
      list<const tenon_arg> args, list<const int32_t> axes, bool keep_axes, ref<tenon_stream> stream = {}) const;
  // tenon_reduction_compose (generated.h)
  static outcome<tenon::reduction> compose(
      list<const uint32_t> inputs, list<const tenon_step> steps, int32_t value, tenon::fn function,
      const tenon::generated_options& options = {});
};

// tenon_scan
class scan : public handle<tenon_scan> {
 public:
  using adopting = handle<tenon_scan>::owned;
  using handle<tenon_scan>::handle;
  scan(adopting, tenon_scan* object) noexcept : handle<tenon_scan>(adopting{}, object) {}
  // tenon_scan_create (generated.h)
  static outcome<tenon::scan> create(
      text inputs, text output, text map, text combine, text identity, bool exclusive,
      const tenon::generated_options& options = {});
  // tenon_scan_call (generated.h)
  outcome<void> call(list<const tenon_arg> args, int32_t axis, ref<tenon_stream> stream = {}) const;
  // tenon_scan_output (generated.h)
  outcome<tenon::dynamic_array> output(list<const tenon_arg> args, ref<tenon_stream> stream = {}) const;
  // tenon_scan_compose (generated.h)
  static outcome<tenon::scan> compose(
      list<const uint32_t> inputs, list<const tenon_step> steps, int32_t value, tenon::fn function, bool exclusive,
      const tenon::generated_options& options = {});
};

// tenon_graph
class graph : public handle<tenon_graph> {
 public:
  using adopting = handle<tenon_graph>::owned;
  using handle<tenon_graph>::handle;
  graph(adopting, tenon_graph* object) noexcept : handle<tenon_graph>(adopting{}, object) {}
  // tenon_graph_create (graph.h)
  static outcome<tenon::graph> create(ref<tenon_device> device);
  // tenon_graph_begin (graph.h)
  outcome<tenon::stream> begin() const;
  // tenon_graph_end (graph.h)
  outcome<void> end() const;
  // tenon_graph_clear (graph.h)
  outcome<void> clear() const;
  // tenon_graph_launch (graph.h)
  outcome<void> launch(ref<tenon_stream> stream = {}) const;
  // tenon_graph_set (graph.h)
  outcome<void> set(int32_t node, int32_t index, const operand& arg) const;
  // tenon_graph_node_count (graph.h)
  outcome<int32_t> node_count() const;
  // tenon_graph_get_node_info (graph.h)
  outcome<tenon_graph_node_info> get_node_info(int32_t node) const;
  // tenon_graph_get_parameter_info (graph.h)
  outcome<tenon_parameter_info> get_parameter_info(int32_t node, int32_t index) const;
  // tenon_graph_device (graph.h)
  outcome<tenon::device> device() const;
  // tenon_graph_set_args (graph.h)
  outcome<void> set_args(int32_t node, list<const tenon_arg> args = {}) const;
  // tenon_graph_set_launch (graph.h)
  outcome<void> set_launch(int32_t node, const tenon::launch& launch) const;
  // tenon_graph_last_node (graph.h)
  static outcome<int32_t> last_node(ref<tenon_stream> stream);
};

// tenon_package
class package : public handle<tenon_package> {
 public:
  using adopting = handle<tenon_package>::owned;
  using handle<tenon_package>::handle;
  package(adopting, tenon_package* object) noexcept : handle<tenon_package>(adopting{}, object) {}
  // tenon_package_load (plugin.h)
  static outcome<tenon::package> load(
      ref<tenon_context> context, text path, const tenon::package_options& options = {});
  // tenon_package_load_memory (plugin.h)
  static outcome<tenon::package> load_memory(
      ref<tenon_context> context, bytes bytes, text name, const tenon::package_options& options = {});
  // tenon_package_check (plugin.h)
  static outcome<tenon::blob> check(ref<tenon_context> context, text path, const tenon::package_options& options = {});
  // tenon_package_find (plugin.h)
  static outcome<tenon::package> find(ref<tenon_context> context, text name, text range = {});
  // tenon_package_list (plugin.h)
  static outcome<tenon::blob> list(ref<tenon_context> context = {});
  // tenon_package_unload (plugin.h)
  outcome<void> unload() const;
  // tenon_package_reload (plugin.h)
  outcome<tenon::package> reload() const;
  // tenon_package_describe (plugin.h)
  outcome<tenon::blob> describe() const;
  // tenon_package_operation (plugin.h)
  outcome<tenon::operation> operation(text name) const;
  // tenon_package_file (plugin.h)
  outcome<tenon::blob> file(text path) const;
  // tenon_package_prepare (plugin.h)
  outcome<void> prepare(ref<tenon_device> device) const;
  // tenon_package_pack (plugin.h)
  static outcome<tenon::blob> pack(text path, const tenon::package_options& options = {});
  // tenon_package_sign (plugin.h)
  static outcome<tenon::blob> sign(text path, text secret, const tenon::package_options& options = {});
};

// tenon_operation
class operation : public handle<tenon_operation>, public detail::operation_members<operation> {
 public:
  using adopting = handle<tenon_operation>::owned;
  using handle<tenon_operation>::handle;
  operation(adopting, tenon_operation* object) noexcept : handle<tenon_operation>(adopting{}, object) {}
  // tenon_operation_find (plugin.h)
  static outcome<tenon::operation> find(ref<tenon_context> context, text name, text range = {});
  // tenon_operation_describe (plugin.h)
  outcome<tenon::blob> describe() const;
  // tenon_operation_get_info (plugin.h)
  outcome<tenon_operation_info> get_info() const;
  // tenon_operation_get_parameter_info (plugin.h)
  outcome<tenon_operation_parameter_info> get_parameter_info(int32_t index) const;
  // tenon_operation_gradient (plugin.h)
  outcome<tenon::operation> gradient() const;
  // tenon_operation_package (plugin.h)
  outcome<tenon::package> package() const;
  // tenon_operation_call (plugin.h)
  outcome<void> call(list<const tenon_arg> args = {}, ref<tenon_stream> stream = {}) const;
  // tenon_operation_output (plugin.h)
  outcome<tenon::dynamic_array> output(list<const tenon_arg> args, int32_t index, ref<tenon_stream> stream = {}) const;
  // tenon_operation_prepare (plugin.h)
  outcome<void> prepare(list<const tenon_arg> args = {}) const;
  // tenon_operation_set_tunable (plugin.h)
  outcome<void> set_tunable(text name, int64_t value) const;
  // tenon_operation_get_tunable (plugin.h)
  outcome<int64_t> get_tunable(text name) const;
  // tenon_operation_test (plugin.h)
  outcome<tenon::blob> test(ref<tenon_device> device) const;
  // tenon_operation_bind (plugin.h)
  outcome<tenon::call> bind(list<const tenon_arg> args = {}, ref<tenon_stream> stream = {}) const;
  // tenon_operation_measure (plugin.h)
  outcome<tenon::blob> measure(ref<tenon_device> device, const tenon::measure_options& options = {}) const;
  // tenon_operation_tune (plugin.h)
  outcome<tenon::blob> tune(ref<tenon_device> device, const tenon::measure_options& options = {}) const;
};

inline outcome<std::tuple<const void*, uint64_t>> blob::data() const {
  const void* data_out{};
  uint64_t size_out{};
  const int32_t code = tenon_blob_data(this->get(), &data_out, &size_out);
  return detail::finish(code, [&] {
    return std::make_tuple(data_out, size_out);
  });
}
inline outcome<tenon::context> context::default_() {
  tenon_context* context_out = nullptr;
  const int32_t code = tenon_context_default(&context_out);
  return detail::finish(code, [&] { return adopt<tenon::context>(context_out); });
}
inline outcome<tenon::context> context::create(const tenon::context_options& options) {
  const tenon_context_options options_c = options.c();
  tenon_context* context_out = nullptr;
  const int32_t code = tenon_context_create(&options_c, &context_out);
  return detail::finish(code, [&] { return adopt<tenon::context>(context_out); });
}
inline outcome<int32_t> context::device_count() const {
  int32_t count_out{};
  const int32_t code = tenon_context_device_count(this->get(), &count_out);
  return detail::finish(code, [&] { return count_out; });
}
inline outcome<tenon::device> context::device_at(int32_t index) const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_context_device_at(this->get(), index, &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::device> context::device(text name) const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_context_device(this->get(), name.get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::blob> context::report() const {
  tenon_blob* report_out = nullptr;
  const int32_t code = tenon_context_report(this->get(), &report_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(report_out); });
}
inline outcome<tenon_device_info> device::get_info() const {
  tenon_device_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_device_get_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<const char*> device::name() const {
  const char* name_out{};
  const int32_t code = tenon_device_name(this->get(), &name_out);
  return detail::finish(code, [&] { return name_out; });
}
inline outcome<const char*> device::description() const {
  const char* text_out{};
  const int32_t code = tenon_device_description(this->get(), &text_out);
  return detail::finish(code, [&] { return text_out; });
}
inline outcome<const char*> device::toolkit() const {
  const char* text_out{};
  const int32_t code = tenon_device_toolkit(this->get(), &text_out);
  return detail::finish(code, [&] { return text_out; });
}
inline outcome<void> device::synchronize() const {
  return detail::finish(tenon_device_synchronize(this->get()));
}
inline outcome<tenon_memory_info> device::get_memory_info() const {
  tenon_memory_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_device_get_memory_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<void> device::trim_memory(uint64_t keep_bytes) const {
  return detail::finish(tenon_device_trim_memory(this->get(), keep_bytes));
}
inline outcome<tenon_allocator> device::allocator() const {
  tenon_allocator allocator_out{};
  allocator_out.struct_size = sizeof(allocator_out);
  const int32_t code = tenon_device_allocator(this->get(), &allocator_out);
  return detail::finish(code, [&] { return allocator_out; });
}
inline outcome<void> device::limit_memory(uint64_t bytes) const {
  return detail::finish(tenon_device_limit_memory(this->get(), bytes));
}
inline outcome<void> device::use_allocator(const tenon::allocator& allocator) const {
  const tenon_allocator allocator_c = allocator.c();
  return detail::finish(tenon_device_use_allocator(this->get(), &allocator_c));
}
inline outcome<tenon::stream> stream::create(ref<tenon_device> device, const tenon::stream_options& options) {
  const tenon_stream_options options_c = options.c();
  tenon_stream* stream_out = nullptr;
  const int32_t code = tenon_stream_create(device.get(), &options_c, &stream_out);
  return detail::finish(code, [&] { return adopt<tenon::stream>(stream_out); });
}
inline outcome<tenon::stream> stream::wrap(
    ref<tenon_device> device, uint64_t native, tenon_destroy_fn destroy, void* user) {
  tenon_stream* stream_out = nullptr;
  const int32_t code = tenon_stream_wrap(device.get(), native, destroy, user, &stream_out);
  return detail::finish(code, [&] { return adopt<tenon::stream>(stream_out); });
}
inline outcome<tenon::stream> stream::default_(ref<tenon_device> device) {
  tenon_stream* stream_out = nullptr;
  const int32_t code = tenon_stream_default(device.get(), &stream_out);
  return detail::finish(code, [&] { return adopt<tenon::stream>(stream_out); });
}
inline outcome<uint64_t> stream::native() const {
  uint64_t native_out{};
  const int32_t code = tenon_stream_native(this->get(), &native_out);
  return detail::finish(code, [&] { return native_out; });
}
inline outcome<tenon::device> stream::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_stream_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<void> stream::synchronize() const {
  return detail::finish(tenon_stream_synchronize(this->get()));
}
inline outcome<bool> stream::query() const {
  return detail::finish_query(tenon_stream_query(this->get()));
}
inline outcome<void> stream::wait_event(ref<tenon_event> event) const {
  return detail::finish(tenon_stream_wait_event(this->get(), event.get()));
}
inline outcome<void> stream::call_host(tenon_stream_fn function, tenon_destroy_fn destroy, void* user) const {
  return detail::finish(tenon_stream_call_host(this->get(), function, destroy, user));
}
inline outcome<tenon::event> event::create(ref<tenon_device> device, tenon::event_flags flags) {
  tenon_event* event_out = nullptr;
  const int32_t code = tenon_event_create(device.get(), static_cast<uint32_t>(flags), &event_out);
  return detail::finish(code, [&] { return adopt<tenon::event>(event_out); });
}
inline outcome<void> event::record(ref<tenon_stream> stream) const {
  return detail::finish(tenon_event_record(this->get(), stream.get()));
}
inline outcome<void> event::synchronize() const {
  return detail::finish(tenon_event_synchronize(this->get()));
}
inline outcome<bool> event::query() const {
  return detail::finish_query(tenon_event_query(this->get()));
}
inline outcome<double> event::elapsed(ref<tenon_event> end) const {
  double seconds_out{};
  const int32_t code = tenon_event_elapsed(this->get(), end.get(), &seconds_out);
  return detail::finish(code, [&] { return seconds_out; });
}
inline outcome<tenon::device> event::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_event_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::event> event::wrap(
    ref<tenon_device> device, uint64_t native, tenon_destroy_fn destroy, void* user) {
  tenon_event* event_out = nullptr;
  const int32_t code = tenon_event_wrap(device.get(), native, destroy, user, &event_out);
  return detail::finish(code, [&] { return adopt<tenon::event>(event_out); });
}
inline outcome<uint64_t> event::native() const {
  uint64_t native_out{};
  const int32_t code = tenon_event_native(this->get(), &native_out);
  return detail::finish(code, [&] { return native_out; });
}
inline outcome<tenon::dynamic_array> dynamic_array::create(
    ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape, ref<tenon_stream> stream) {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_create(
      device.get(), static_cast<uint32_t>(dtype), detail::number<int32_t>(shape.size()), shape.data(), stream.get(),
      &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::zeros(
    ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape, ref<tenon_stream> stream) {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_zeros(
      device.get(), static_cast<uint32_t>(dtype), detail::number<int32_t>(shape.size()), shape.data(), stream.get(),
      &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::from_host(
    ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape, bytes data, ref<tenon_stream> stream) {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_from_host(
      device.get(), static_cast<uint32_t>(dtype), detail::number<int32_t>(shape.size()), shape.data(), data.data(),
      detail::number<uint64_t>(data.size()), stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::from_buffer(
    ref<tenon_buffer> buffer, tenon::dtype dtype, list<const int64_t> shape, list<const int64_t> strides,
    uint64_t byte_offset) {
  if (!detail::agree({shape.size(), strides.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "array_from_buffer: shape and strides must be of one length");
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_from_buffer(
      buffer.get(), static_cast<uint32_t>(dtype),
      detail::number<int32_t>(detail::common({shape.size(), strides.size()})), shape.data(), strides.data(),
      byte_offset, &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon_array_info> dynamic_array::get_info() const {
  tenon_array_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_array_get_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon::device> dynamic_array::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_array_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::buffer> dynamic_array::buffer() const {
  tenon_buffer* buffer_out = nullptr;
  const int32_t code = tenon_array_buffer(this->get(), &buffer_out);
  return detail::finish(code, [&] { return adopt<tenon::buffer>(buffer_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::reshape(list<const int64_t> shape) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_reshape(
      this->get(), detail::number<int32_t>(shape.size()), shape.data(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::transpose(list<const int32_t> axes) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_transpose(
      this->get(), detail::number<int32_t>(axes.size()), axes.data(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::slice(
    list<const int64_t> starts, list<const int64_t> stops, list<const int64_t> steps) const {
  if (!detail::agree({starts.size(), stops.size(), steps.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "array_slice: starts and stops and steps must be of one length");
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_slice(
      this->get(), detail::number<int32_t>(detail::common({starts.size(), stops.size(), steps.size()})), starts.data(),
      stops.data(), steps.data(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::index(int32_t axis, int64_t index) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_index(this->get(), axis, index, &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::broadcast(list<const int64_t> shape) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_broadcast(
      this->get(), detail::number<int32_t>(shape.size()), shape.data(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::view(tenon::dtype dtype) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_view(this->get(), static_cast<uint32_t>(dtype), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<void> dynamic_array::copy(ref<tenon_array> source, ref<tenon_stream> stream) const {
  return detail::finish(tenon_array_copy(this->get(), source.get(), stream.get()));
}
inline outcome<void> dynamic_array::fill(const operand& value, ref<tenon_stream> stream) const {
  return detail::finish(tenon_array_fill(this->get(), value.get(), stream.get()));
}
inline outcome<tenon::dynamic_array> dynamic_array::convert(
    tenon::dtype dtype, ref<tenon_device> device, ref<tenon_stream> stream) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_convert(
      this->get(), static_cast<uint32_t>(dtype), device.get(), stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<void> dynamic_array::to_host(writable_bytes data, ref<tenon_stream> stream) const {
  return detail::finish(tenon_array_to_host(
      this->get(), data.data(), detail::number<uint64_t>(data.size()), stream.get()));
}
inline outcome<void> dynamic_array::set_from_host(bytes data, ref<tenon_stream> stream) const {
  return detail::finish(tenon_array_set_from_host(
      this->get(), data.data(), detail::number<uint64_t>(data.size()), stream.get()));
}
inline outcome<tenon::dynamic_array> dynamic_array::from_dlpack(
    ref<tenon_context> context, struct DLManagedTensor* tensor, bool read_only, ref<tenon_stream> stream) {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_from_dlpack(context.get(), tensor, read_only ? 1 : 0, stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::dynamic_array> dynamic_array::from_dlpack_versioned(
    ref<tenon_context> context, struct DLManagedTensorVersioned* tensor, ref<tenon_stream> stream) {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_array_from_dlpack_versioned(context.get(), tensor, stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<struct DLManagedTensor*> dynamic_array::to_dlpack(
    tenon::dlpack_flags flags, ref<tenon_stream> stream) const {
  struct DLManagedTensor* tensor_out{};
  const int32_t code = tenon_array_to_dlpack(this->get(), static_cast<uint32_t>(flags), stream.get(), &tensor_out);
  return detail::finish(code, [&] { return tensor_out; });
}
inline outcome<struct DLManagedTensorVersioned*> dynamic_array::to_dlpack_versioned(
    tenon::dlpack_flags flags, ref<tenon_stream> stream) const {
  struct DLManagedTensorVersioned* tensor_out{};
  const int32_t code = tenon_array_to_dlpack_versioned(
      this->get(), static_cast<uint32_t>(flags), stream.get(), &tensor_out);
  return detail::finish(code, [&] { return tensor_out; });
}
inline outcome<void> dynamic_array::follow(tenon_current_stream_fn current) const {
  return detail::finish(tenon_array_follow(this->get(), current));
}
inline outcome<void> dynamic_array::use(tenon::access_kind access, ref<tenon_stream> stream) const {
  return detail::finish(tenon_array_use(this->get(), static_cast<int32_t>(access), stream.get()));
}
inline outcome<tenon::texture> texture::create(
    ref<tenon_array> source, const tenon::texture_options& options, ref<tenon_stream> stream) {
  const tenon_texture_options options_c = options.c();
  tenon_texture* texture_out = nullptr;
  const int32_t code = tenon_texture_create(source.get(), &options_c, stream.get(), &texture_out);
  return detail::finish(code, [&] { return adopt<tenon::texture>(texture_out); });
}
inline outcome<void> texture::update(ref<tenon_array> source, ref<tenon_stream> stream) const {
  return detail::finish(tenon_texture_update(this->get(), source.get(), stream.get()));
}
inline outcome<tenon::dynamic_array> texture::read(ref<tenon_stream> stream, const into& array) const {
  tenon_array* array_out = array.get();
  const int32_t code = tenon_texture_read(this->get(), stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
inline outcome<tenon_texture_info> texture::get_info() const {
  tenon_texture_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_texture_get_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon::device> texture::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_texture_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::buffer> buffer::create(
    ref<tenon_device> device, uint64_t bytes, tenon::memory_kind kind, ref<tenon_stream> stream) {
  tenon_buffer* buffer_out = nullptr;
  const int32_t code = tenon_buffer_create(device.get(), bytes, static_cast<int32_t>(kind), stream.get(), &buffer_out);
  return detail::finish(code, [&] { return adopt<tenon::buffer>(buffer_out); });
}
inline outcome<tenon::buffer> buffer::wrap(
    ref<tenon_device> device, writable_bytes data, tenon::memory_kind kind, bool read_only, ref<tenon_stream> stream,
    tenon_destroy_fn destroy, void* user) {
  tenon_buffer* buffer_out = nullptr;
  const int32_t code = tenon_buffer_wrap(
      device.get(), data.data(), detail::number<uint64_t>(data.size()), static_cast<int32_t>(kind), read_only ? 1 : 0,
      stream.get(), destroy, user, &buffer_out);
  return detail::finish(code, [&] { return adopt<tenon::buffer>(buffer_out); });
}
inline outcome<std::tuple<void*, uint64_t>> buffer::data() const {
  void* data_out{};
  uint64_t bytes_out{};
  const int32_t code = tenon_buffer_data(this->get(), &data_out, &bytes_out);
  return detail::finish(code, [&] {
    return std::make_tuple(data_out, bytes_out);
  });
}
inline outcome<tenon::device> buffer::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_buffer_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<tenon::buffer> buffer::create_shared(ref<tenon_device> device, uint64_t bytes) {
  tenon_buffer* buffer_out = nullptr;
  const int32_t code = tenon_buffer_create_shared(device.get(), bytes, &buffer_out);
  return detail::finish(code, [&] { return adopt<tenon::buffer>(buffer_out); });
}
inline outcome<tenon::blob> buffer::share() const {
  tenon_blob* key_out = nullptr;
  const int32_t code = tenon_buffer_share(this->get(), &key_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(key_out); });
}
inline outcome<tenon::buffer> buffer::open(ref<tenon_device> device, bytes key) {
  tenon_buffer* buffer_out = nullptr;
  const int32_t code = tenon_buffer_open(device.get(), key.data(), detail::number<uint64_t>(key.size()), &buffer_out);
  return detail::finish(code, [&] { return adopt<tenon::buffer>(buffer_out); });
}
inline outcome<tenon::program> program::create(
    ref<tenon_device> device, std::string_view source, const tenon::program_options& options) {
  const tenon_program_options options_c = options.c();
  tenon_program* program_out = nullptr;
  const int32_t code = tenon_program_create(
      device.get(), source.data(), detail::number<uint64_t>(source.size()), &options_c, &program_out);
  return detail::finish(code, [&] { return adopt<tenon::program>(program_out); });
}
inline outcome<const char*> program::log() const {
  const char* text_out{};
  const int32_t code = tenon_program_log(this->get(), &text_out);
  return detail::finish(code, [&] { return text_out; });
}
inline outcome<tenon::blob> program::image(tenon::image_kind kind) const {
  tenon_blob* image_out = nullptr;
  const int32_t code = tenon_program_image(this->get(), static_cast<int32_t>(kind), &image_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(image_out); });
}
inline outcome<tenon::kernel> program::kernel(text name) const {
  tenon_kernel* kernel_out = nullptr;
  const int32_t code = tenon_program_kernel(this->get(), name.get(), &kernel_out);
  return detail::finish(code, [&] { return adopt<tenon::kernel>(kernel_out); });
}
inline outcome<tenon::dynamic_array> program::global(text name) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_program_global(this->get(), name.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::program> program::link(
    ref<tenon_device> device, list<const tenon_program_input> inputs, const tenon::program_options& options) {
  const tenon_program_options options_c = options.c();
  tenon_program* program_out = nullptr;
  const int32_t code = tenon_program_link(
      device.get(), inputs.data(), detail::number<int32_t>(inputs.size()), &options_c, &program_out);
  return detail::finish(code, [&] { return adopt<tenon::program>(program_out); });
}
inline outcome<std::tuple<tenon::blob, tenon::blob>> program::compile(
    text architecture, std::string_view source, const tenon::program_options& options, tenon::image_kind kind) {
  const tenon_program_options options_c = options.c();
  tenon_blob* image_out = nullptr;
  tenon_blob* log_out = nullptr;
  const int32_t code = tenon_program_compile(
      architecture.get(), source.data(), detail::number<uint64_t>(source.size()), &options_c,
      static_cast<int32_t>(kind), &image_out, &log_out);
  return detail::finish(code, [&] {
    return std::make_tuple(adopt<tenon::blob>(image_out), adopt<tenon::blob>(log_out));
  });
}
inline outcome<tenon::device> program::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_program_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<int32_t> kernel::parameter_count() const {
  int32_t count_out{};
  const int32_t code = tenon_kernel_parameter_count(this->get(), &count_out);
  return detail::finish(code, [&] { return count_out; });
}
inline outcome<tenon_parameter_info> kernel::get_parameter_info(int32_t index) const {
  tenon_parameter_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_kernel_get_parameter_info(this->get(), index, &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<const char*> kernel::name() const {
  const char* name_out{};
  const int32_t code = tenon_kernel_name(this->get(), &name_out);
  return detail::finish(code, [&] { return name_out; });
}
inline outcome<tenon_kernel_info> kernel::get_info() const {
  tenon_kernel_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_kernel_get_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<void> kernel::launch(
    const tenon::launch& launch, list<const tenon_arg> args, ref<tenon_stream> stream) const {
  const tenon_launch launch_c = launch.c();
  return detail::finish(tenon_kernel_launch(
      this->get(), &launch_c, args.data(), detail::number<int32_t>(args.size()), stream.get()));
}
inline outcome<int32_t> kernel::occupancy(uint32_t block_threads, uint64_t shared_bytes) const {
  int32_t blocks_per_multiprocessor_out{};
  const int32_t code = tenon_kernel_occupancy(
      this->get(), block_threads, shared_bytes, &blocks_per_multiprocessor_out);
  return detail::finish(code, [&] { return blocks_per_multiprocessor_out; });
}
inline outcome<std::tuple<uint32_t, uint32_t>> kernel::suggest(uint64_t shared_bytes) const {
  uint32_t block_out{};
  uint32_t min_grid_out{};
  const int32_t code = tenon_kernel_suggest(this->get(), shared_bytes, &block_out, &min_grid_out);
  return detail::finish(code, [&] {
    return std::make_tuple(block_out, min_grid_out);
  });
}
inline outcome<double> kernel::time(
    const tenon::launch& launch, list<const tenon_arg> args, ref<tenon_stream> stream) const {
  const tenon_launch launch_c = launch.c();
  double seconds_out{};
  const int32_t code = tenon_kernel_time(
      this->get(), &launch_c, args.data(), detail::number<int32_t>(args.size()), stream.get(), &seconds_out);
  return detail::finish(code, [&] { return seconds_out; });
}
inline outcome<const char*> kernel::parameter_name(int32_t index) const {
  const char* name_out{};
  const int32_t code = tenon_kernel_parameter_name(this->get(), index, &name_out);
  return detail::finish(code, [&] { return name_out; });
}
inline outcome<tenon::program> kernel::program() const {
  tenon_program* program_out = nullptr;
  const int32_t code = tenon_kernel_program(this->get(), &program_out);
  return detail::finish(code, [&] { return adopt<tenon::program>(program_out); });
}
inline outcome<tenon::device> kernel::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_kernel_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<void> kernel::prefer_shared(int32_t percent) const {
  return detail::finish(tenon_kernel_prefer_shared(this->get(), percent));
}
inline outcome<tenon::call> call::create(
    ref<tenon_kernel> kernel, const tenon::launch& launch, list<const tenon_arg> args) {
  const tenon_launch launch_c = launch.c();
  tenon_call* call_out = nullptr;
  const int32_t code = tenon_call_create(
      kernel.get(), &launch_c, args.data(), detail::number<int32_t>(args.size()), &call_out);
  return detail::finish(code, [&] { return adopt<tenon::call>(call_out); });
}
inline outcome<void> call::set(int32_t index, const operand& arg) const {
  return detail::finish(tenon_call_set(this->get(), index, arg.get()));
}
inline outcome<void> call::launch(ref<tenon_stream> stream) const {
  return detail::finish(tenon_call_launch(this->get(), stream.get()));
}
inline outcome<tenon::call> call::clone() const {
  tenon_call* call_out = nullptr;
  const int32_t code = tenon_call_clone(this->get(), &call_out);
  return detail::finish(code, [&] { return adopt<tenon::call>(call_out); });
}
inline outcome<tenon::kernel> call::kernel() const {
  tenon_kernel* kernel_out = nullptr;
  const int32_t code = tenon_call_kernel(this->get(), &kernel_out);
  return detail::finish(code, [&] { return adopt<tenon::kernel>(kernel_out); });
}
inline outcome<void> call::set_args(list<const tenon_arg> args) const {
  return detail::finish(tenon_call_set_args(this->get(), args.data(), detail::number<int32_t>(args.size())));
}
inline outcome<void> call::set_launch(const tenon::launch& launch) const {
  const tenon_launch launch_c = launch.c();
  return detail::finish(tenon_call_set_launch(this->get(), &launch_c));
}
inline outcome<tenon::compilation> compilation::start(
    ref<tenon_device> device, std::string_view source, const tenon::program_options& options) {
  const tenon_program_options options_c = options.c();
  tenon_compilation* compilation_out = nullptr;
  const int32_t code = tenon_compilation_start(
      device.get(), source.data(), detail::number<uint64_t>(source.size()), &options_c, &compilation_out);
  return detail::finish(code, [&] { return adopt<tenon::compilation>(compilation_out); });
}
inline outcome<bool> compilation::query() const {
  return detail::finish_query(tenon_compilation_query(this->get()));
}
inline outcome<tenon::program> compilation::wait(double seconds) const {
  tenon_program* program_out = nullptr;
  const int32_t code = tenon_compilation_wait(this->get(), seconds, &program_out);
  return detail::finish(code, [&] { return adopt<tenon::program>(program_out); });
}
inline outcome<void> compilation::cancel() const {
  return detail::finish(tenon_compilation_cancel(this->get()));
}
inline outcome<tenon::compilation> compilation::link(
    ref<tenon_device> device, list<const tenon_program_input> inputs, const tenon::program_options& options) {
  const tenon_program_options options_c = options.c();
  tenon_compilation* compilation_out = nullptr;
  const int32_t code = tenon_compilation_link(
      device.get(), inputs.data(), detail::number<int32_t>(inputs.size()), &options_c, &compilation_out);
  return detail::finish(code, [&] { return adopt<tenon::compilation>(compilation_out); });
}
inline outcome<tenon::elementwise> elementwise::create(
    text inputs, text outputs, text operation, const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_elementwise* elementwise_out = nullptr;
  const int32_t code = tenon_elementwise_create(
      inputs.get(), outputs.get(), operation.get(), &options_c, &elementwise_out);
  return detail::finish(code, [&] { return adopt<tenon::elementwise>(elementwise_out); });
}
inline outcome<void> elementwise::call(list<const tenon_arg> args, ref<tenon_stream> stream) const {
  return detail::finish(tenon_elementwise_call(
      this->get(), args.data(), detail::number<int32_t>(args.size()), stream.get()));
}
inline outcome<tenon::dynamic_array> elementwise::output(
    list<const tenon_arg> args, int32_t index, ref<tenon_stream> stream) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_elementwise_output(
      this->get(), args.data(), detail::number<int32_t>(args.size()), index, stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::elementwise> elementwise::compose(
    list<const uint32_t> inputs, list<const tenon_step> steps, list<const int32_t> outputs,
    const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_elementwise* elementwise_out = nullptr;
  const int32_t code = tenon_elementwise_compose(
      inputs.data(), detail::number<int32_t>(inputs.size()), steps.data(), detail::number<int32_t>(steps.size()),
      outputs.data(), detail::number<int32_t>(outputs.size()), &options_c, &elementwise_out);
  return detail::finish(code, [&] { return adopt<tenon::elementwise>(elementwise_out); });
}
inline outcome<tenon::reduction> reduction::create(
    text inputs, text output, text map, text reduce, text post, text identity,
    const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_reduction* reduction_out = nullptr;
  const int32_t code = tenon_reduction_create(
      inputs.get(), output.get(), map.get(), reduce.get(), post.get(), identity.get(), &options_c, &reduction_out);
  return detail::finish(code, [&] { return adopt<tenon::reduction>(reduction_out); });
}
inline outcome<void> reduction::call(
    list<const tenon_arg> args, list<const int32_t> axes, ref<tenon_stream> stream) const {
  return detail::finish(tenon_reduction_call(
      this->get(), args.data(), detail::number<int32_t>(args.size()), axes.data(), detail::number<int32_t>(axes.size()),
      stream.get()));
}
inline outcome<tenon::dynamic_array> reduction::output(
    list<const tenon_arg> args, list<const int32_t> axes, bool keep_axes, ref<tenon_stream> stream) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_reduction_output(
      this->get(), args.data(), detail::number<int32_t>(args.size()), axes.data(), detail::number<int32_t>(axes.size()),
      keep_axes ? 1 : 0, stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::reduction> reduction::compose(
    list<const uint32_t> inputs, list<const tenon_step> steps, int32_t value, tenon::fn function,
    const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_reduction* reduction_out = nullptr;
  const int32_t code = tenon_reduction_compose(
      inputs.data(), detail::number<int32_t>(inputs.size()), steps.data(), detail::number<int32_t>(steps.size()), value,
      static_cast<int32_t>(function), &options_c, &reduction_out);
  return detail::finish(code, [&] { return adopt<tenon::reduction>(reduction_out); });
}
inline outcome<tenon::scan> scan::create(
    text inputs, text output, text map, text combine, text identity, bool exclusive,
    const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_scan* scan_out = nullptr;
  const int32_t code = tenon_scan_create(
      inputs.get(), output.get(), map.get(), combine.get(), identity.get(), exclusive ? 1 : 0, &options_c, &scan_out);
  return detail::finish(code, [&] { return adopt<tenon::scan>(scan_out); });
}
inline outcome<void> scan::call(list<const tenon_arg> args, int32_t axis, ref<tenon_stream> stream) const {
  return detail::finish(tenon_scan_call(
      this->get(), args.data(), detail::number<int32_t>(args.size()), axis, stream.get()));
}
inline outcome<tenon::dynamic_array> scan::output(list<const tenon_arg> args, ref<tenon_stream> stream) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_scan_output(
      this->get(), args.data(), detail::number<int32_t>(args.size()), stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<tenon::scan> scan::compose(
    list<const uint32_t> inputs, list<const tenon_step> steps, int32_t value, tenon::fn function, bool exclusive,
    const tenon::generated_options& options) {
  const tenon_generated_options options_c = options.c();
  tenon_scan* scan_out = nullptr;
  const int32_t code = tenon_scan_compose(
      inputs.data(), detail::number<int32_t>(inputs.size()), steps.data(), detail::number<int32_t>(steps.size()), value,
      static_cast<int32_t>(function), exclusive ? 1 : 0, &options_c, &scan_out);
  return detail::finish(code, [&] { return adopt<tenon::scan>(scan_out); });
}
inline outcome<tenon::graph> graph::create(ref<tenon_device> device) {
  tenon_graph* graph_out = nullptr;
  const int32_t code = tenon_graph_create(device.get(), &graph_out);
  return detail::finish(code, [&] { return adopt<tenon::graph>(graph_out); });
}
inline outcome<tenon::stream> graph::begin() const {
  tenon_stream* stream_out = nullptr;
  const int32_t code = tenon_graph_begin(this->get(), &stream_out);
  return detail::finish(code, [&] { return adopt<tenon::stream>(stream_out); });
}
inline outcome<void> graph::end() const {
  return detail::finish(tenon_graph_end(this->get()));
}
inline outcome<void> graph::clear() const {
  return detail::finish(tenon_graph_clear(this->get()));
}
inline outcome<void> graph::launch(ref<tenon_stream> stream) const {
  return detail::finish(tenon_graph_launch(this->get(), stream.get()));
}
inline outcome<void> graph::set(int32_t node, int32_t index, const operand& arg) const {
  return detail::finish(tenon_graph_set(this->get(), node, index, arg.get()));
}
inline outcome<int32_t> graph::node_count() const {
  int32_t count_out{};
  const int32_t code = tenon_graph_node_count(this->get(), &count_out);
  return detail::finish(code, [&] { return count_out; });
}
inline outcome<tenon_graph_node_info> graph::get_node_info(int32_t node) const {
  tenon_graph_node_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_graph_get_node_info(this->get(), node, &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon_parameter_info> graph::get_parameter_info(int32_t node, int32_t index) const {
  tenon_parameter_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_graph_get_parameter_info(this->get(), node, index, &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon::device> graph::device() const {
  tenon_device* device_out = nullptr;
  const int32_t code = tenon_graph_device(this->get(), &device_out);
  return detail::finish(code, [&] { return adopt<tenon::device>(device_out); });
}
inline outcome<void> graph::set_args(int32_t node, list<const tenon_arg> args) const {
  return detail::finish(tenon_graph_set_args(this->get(), node, args.data(), detail::number<int32_t>(args.size())));
}
inline outcome<void> graph::set_launch(int32_t node, const tenon::launch& launch) const {
  const tenon_launch launch_c = launch.c();
  return detail::finish(tenon_graph_set_launch(this->get(), node, &launch_c));
}
inline outcome<int32_t> graph::last_node(ref<tenon_stream> stream) {
  int32_t node_out{};
  const int32_t code = tenon_graph_last_node(stream.get(), &node_out);
  return detail::finish(code, [&] { return node_out; });
}
inline outcome<tenon::package> package::load(
    ref<tenon_context> context, text path, const tenon::package_options& options) {
  const tenon_package_options options_c = options.c();
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_package_load(context.get(), path.get(), &options_c, &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
inline outcome<tenon::package> package::load_memory(
    ref<tenon_context> context, bytes bytes, text name, const tenon::package_options& options) {
  const tenon_package_options options_c = options.c();
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_package_load_memory(
      context.get(), bytes.data(), detail::number<uint64_t>(bytes.size()), name.get(), &options_c, &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
inline outcome<tenon::blob> package::check(
    ref<tenon_context> context, text path, const tenon::package_options& options) {
  const tenon_package_options options_c = options.c();
  tenon_blob* report_out = nullptr;
  const int32_t code = tenon_package_check(context.get(), path.get(), &options_c, &report_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(report_out); });
}
inline outcome<tenon::package> package::find(ref<tenon_context> context, text name, text range) {
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_package_find(context.get(), name.get(), range.get(), &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
inline outcome<tenon::blob> package::list(ref<tenon_context> context) {
  tenon_blob* list_out = nullptr;
  const int32_t code = tenon_package_list(context.get(), &list_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(list_out); });
}
inline outcome<void> package::unload() const {
  return detail::finish(tenon_package_unload(this->get()));
}
inline outcome<tenon::package> package::reload() const {
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_package_reload(this->get(), &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
inline outcome<tenon::blob> package::describe() const {
  tenon_blob* description_out = nullptr;
  const int32_t code = tenon_package_describe(this->get(), &description_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(description_out); });
}
inline outcome<tenon::operation> package::operation(text name) const {
  tenon_operation* operation_out = nullptr;
  const int32_t code = tenon_package_operation(this->get(), name.get(), &operation_out);
  return detail::finish(code, [&] { return adopt<tenon::operation>(operation_out); });
}
inline outcome<tenon::blob> package::file(text path) const {
  tenon_blob* text_out = nullptr;
  const int32_t code = tenon_package_file(this->get(), path.get(), &text_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(text_out); });
}
inline outcome<void> package::prepare(ref<tenon_device> device) const {
  return detail::finish(tenon_package_prepare(this->get(), device.get()));
}
inline outcome<tenon::blob> package::pack(text path, const tenon::package_options& options) {
  const tenon_package_options options_c = options.c();
  tenon_blob* archive_out = nullptr;
  const int32_t code = tenon_package_pack(path.get(), &options_c, &archive_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(archive_out); });
}
inline outcome<tenon::blob> package::sign(text path, text secret, const tenon::package_options& options) {
  const tenon_package_options options_c = options.c();
  tenon_blob* signature_out = nullptr;
  const int32_t code = tenon_package_sign(path.get(), secret.get(), &options_c, &signature_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(signature_out); });
}
inline outcome<tenon::operation> operation::find(ref<tenon_context> context, text name, text range) {
  tenon_operation* operation_out = nullptr;
  const int32_t code = tenon_operation_find(context.get(), name.get(), range.get(), &operation_out);
  return detail::finish(code, [&] { return adopt<tenon::operation>(operation_out); });
}
inline outcome<tenon::blob> operation::describe() const {
  tenon_blob* description_out = nullptr;
  const int32_t code = tenon_operation_describe(this->get(), &description_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(description_out); });
}
inline outcome<tenon_operation_info> operation::get_info() const {
  tenon_operation_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_operation_get_info(this->get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon_operation_parameter_info> operation::get_parameter_info(int32_t index) const {
  tenon_operation_parameter_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_operation_get_parameter_info(this->get(), index, &info_out);
  return detail::finish(code, [&] { return info_out; });
}
inline outcome<tenon::operation> operation::gradient() const {
  tenon_operation* gradient_out = nullptr;
  const int32_t code = tenon_operation_gradient(this->get(), &gradient_out);
  return detail::finish(code, [&] { return adopt<tenon::operation>(gradient_out); });
}
inline outcome<tenon::package> operation::package() const {
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_operation_package(this->get(), &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
inline outcome<void> operation::call(list<const tenon_arg> args, ref<tenon_stream> stream) const {
  return detail::finish(tenon_operation_call(
      this->get(), args.data(), detail::number<int32_t>(args.size()), stream.get()));
}
inline outcome<tenon::dynamic_array> operation::output(
    list<const tenon_arg> args, int32_t index, ref<tenon_stream> stream) const {
  tenon_array* array_out = nullptr;
  const int32_t code = tenon_operation_output(
      this->get(), args.data(), detail::number<int32_t>(args.size()), index, stream.get(), &array_out);
  return detail::finish(code, [&] { return adopt<tenon::dynamic_array>(array_out); });
}
inline outcome<void> operation::prepare(list<const tenon_arg> args) const {
  return detail::finish(tenon_operation_prepare(this->get(), args.data(), detail::number<int32_t>(args.size())));
}
inline outcome<void> operation::set_tunable(text name, int64_t value) const {
  return detail::finish(tenon_operation_set_tunable(this->get(), name.get(), value));
}
inline outcome<int64_t> operation::get_tunable(text name) const {
  int64_t value_out{};
  const int32_t code = tenon_operation_get_tunable(this->get(), name.get(), &value_out);
  return detail::finish(code, [&] { return value_out; });
}
inline outcome<tenon::blob> operation::test(ref<tenon_device> device) const {
  tenon_blob* report_out = nullptr;
  const int32_t code = tenon_operation_test(this->get(), device.get(), &report_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(report_out); });
}
inline outcome<tenon::call> operation::bind(list<const tenon_arg> args, ref<tenon_stream> stream) const {
  tenon_call* call_out = nullptr;
  const int32_t code = tenon_operation_bind(
      this->get(), args.data(), detail::number<int32_t>(args.size()), stream.get(), &call_out);
  return detail::finish(code, [&] { return adopt<tenon::call>(call_out); });
}
inline outcome<tenon::blob> operation::measure(ref<tenon_device> device, const tenon::measure_options& options) const {
  const tenon_measure_options options_c = options.c();
  tenon_blob* report_out = nullptr;
  const int32_t code = tenon_operation_measure(this->get(), device.get(), &options_c, &report_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(report_out); });
}
inline outcome<tenon::blob> operation::tune(ref<tenon_device> device, const tenon::measure_options& options) const {
  const tenon_measure_options options_c = options.c();
  tenon_blob* report_out = nullptr;
  const int32_t code = tenon_operation_tune(this->get(), device.get(), &options_c, &report_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(report_out); });
}

// tenon_version (abi.h)
inline uint32_t version() {
  return tenon_version();
}
// tenon_build_info (abi.h)
inline const char* build_info() {
  return tenon_build_info();
}
// tenon_status_name (status.h)
inline const char* status_name(tenon::status status) {
  return tenon_status_name(static_cast<int32_t>(status));
}
// tenon_dtype_name (dtype.h)
inline const char* dtype_name(tenon::dtype dtype) {
  return tenon_dtype_name(static_cast<uint32_t>(dtype));
}
// tenon_dtype_bits (dtype.h)
inline outcome<uint32_t> dtype_bits(tenon::dtype dtype) {
  uint32_t bits_out{};
  const int32_t code = tenon_dtype_bits(static_cast<uint32_t>(dtype), &bits_out);
  return detail::finish(code, [&] { return bits_out; });
}
// tenon_gemm (linalg.h)
inline outcome<tenon::dynamic_array> gemm(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> b, const operand& beta = {},
    const tenon::gemm_options& options = {}, ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_gemm_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_gemm(alpha.get(), a.get(), b.get(), beta.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_svd (linalg.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> svd(
    ref<tenon_array> a, const tenon::svd_options& options = {}, ref<tenon_stream> stream = {}, const into& u = {},
    const into& s = {}, const into& vh = {}) {
  const tenon_svd_options options_c = options.c();
  tenon_array* u_out = u.get();
  tenon_array* s_out = s.get();
  tenon_array* vh_out = vh.get();
  const int32_t code = tenon_svd(
      a.get(), &options_c, stream.get(), u.wanted() ? &u_out : nullptr, &s_out, vh.wanted() ? &vh_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(u_out, u), detail::written<tenon::dynamic_array>(s_out, s),
        detail::written<tenon::dynamic_array>(vh_out, vh));
  });
}
// tenon_fft (fft.h)
inline outcome<tenon::dynamic_array> fft(
    ref<tenon_array> source, list<const int32_t> axes = {}, const tenon::fft_options& options = {},
    ref<tenon_stream> stream = {}, const into& destination = {}) {
  const tenon_fft_options options_c = options.c();
  tenon_array* destination_out = destination.get();
  const int32_t code = tenon_fft(
      source.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c, stream.get(), &destination_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(destination_out, destination); });
}
// tenon_launch_for (kernel.h)
inline outcome<void> launch_for(ref<tenon_kernel> kernel, uint64_t count, tenon_launch* launch) {
  return detail::finish(tenon_launch_for(kernel.get(), count, launch));
}
// tenon_dot (blas.h)
inline outcome<tenon::dynamic_array> dot(
    ref<tenon_array> x, ref<tenon_array> y, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& dot = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* dot_out = dot.get();
  const int32_t code = tenon_dot(x.get(), y.get(), &options_c, stream.get(), &dot_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(dot_out, dot); });
}
// tenon_einsum (linalg.h)
inline outcome<tenon::dynamic_array> einsum(
    text subscripts, const arrays& operands, const tenon::gemm_options& options = {}, ref<tenon_stream> stream = {},
    const into& sum = {}) {
  const tenon_gemm_options options_c = options.c();
  tenon_array* sum_out = sum.get();
  const int32_t code = tenon_einsum(
      subscripts.get(), operands.data(), detail::number<int32_t>(operands.size()), &options_c, stream.get(), &sum_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(sum_out, sum); });
}
// tenon_solve (solve.h)
inline outcome<tenon::dynamic_array> solve(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::solve_options& options = {}, ref<tenon_stream> stream = {},
    const into& x = {}) {
  const tenon_solve_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_solve(a.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_lu (solve.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> lu(
    ref<tenon_array> a, const tenon::lu_options& options = {}, ref<tenon_stream> stream = {}, const into& lu = {},
    const into& pivots = {}) {
  const tenon_lu_options options_c = options.c();
  tenon_array* lu_out = lu.get();
  tenon_array* pivots_out = pivots.get();
  const int32_t code = tenon_lu(a.get(), &options_c, stream.get(), &lu_out, &pivots_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(lu_out, lu), detail::written<tenon::dynamic_array>(pivots_out, pivots));
  });
}
// tenon_lu_solve (solve.h)
inline outcome<tenon::dynamic_array> lu_solve(
    ref<tenon_array> lu, ref<tenon_array> pivots, ref<tenon_array> b, const tenon::lu_options& options = {},
    ref<tenon_stream> stream = {}, const into& x = {}) {
  const tenon_lu_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_lu_solve(lu.get(), pivots.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_cholesky (solve.h)
inline outcome<tenon::dynamic_array> cholesky(
    ref<tenon_array> a, const tenon::cholesky_options& options = {}, ref<tenon_stream> stream = {},
    const into& factor = {}) {
  const tenon_cholesky_options options_c = options.c();
  tenon_array* factor_out = factor.get();
  const int32_t code = tenon_cholesky(a.get(), &options_c, stream.get(), &factor_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(factor_out, factor); });
}
// tenon_cholesky_solve (solve.h)
inline outcome<tenon::dynamic_array> cholesky_solve(
    ref<tenon_array> factor, ref<tenon_array> b, const tenon::cholesky_options& options = {},
    ref<tenon_stream> stream = {}, const into& x = {}) {
  const tenon_cholesky_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_cholesky_solve(factor.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_qr (solve.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> qr(
    ref<tenon_array> a, const tenon::qr_options& options = {}, ref<tenon_stream> stream = {}, const into& q = {},
    const into& r = {}) {
  const tenon_qr_options options_c = options.c();
  tenon_array* q_out = q.get();
  tenon_array* r_out = r.get();
  const int32_t code = tenon_qr(a.get(), &options_c, stream.get(), q.wanted() ? &q_out : nullptr, &r_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(q_out, q), detail::written<tenon::dynamic_array>(r_out, r));
  });
}
// tenon_lstsq (solve.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> lstsq(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::rank_options& options = {}, ref<tenon_stream> stream = {},
    const into& x = {}, const into& rank = {}, const into& s = {}) {
  const tenon_rank_options options_c = options.c();
  tenon_array* x_out = x.get();
  tenon_array* rank_out = rank.get();
  tenon_array* s_out = s.get();
  const int32_t code = tenon_lstsq(
      a.get(), b.get(), &options_c, stream.get(), &x_out, rank.wanted() ? &rank_out : nullptr,
      s.wanted() ? &s_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(x_out, x), detail::written<tenon::dynamic_array>(rank_out, rank),
        detail::written<tenon::dynamic_array>(s_out, s));
  });
}
// tenon_inverse (solve.h)
inline outcome<tenon::dynamic_array> inverse(
    ref<tenon_array> a, const tenon::lu_options& options = {}, ref<tenon_stream> stream = {},
    const into& inverse = {}) {
  const tenon_lu_options options_c = options.c();
  tenon_array* inverse_out = inverse.get();
  const int32_t code = tenon_inverse(a.get(), &options_c, stream.get(), &inverse_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(inverse_out, inverse); });
}
// tenon_pinv (solve.h)
inline outcome<tenon::dynamic_array> pinv(
    ref<tenon_array> a, const tenon::rank_options& options = {}, ref<tenon_stream> stream = {},
    const into& inverse = {}) {
  const tenon_rank_options options_c = options.c();
  tenon_array* inverse_out = inverse.get();
  const int32_t code = tenon_pinv(a.get(), &options_c, stream.get(), &inverse_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(inverse_out, inverse); });
}
// tenon_matrix_rank (solve.h)
inline outcome<tenon::dynamic_array> matrix_rank(
    ref<tenon_array> a, const tenon::rank_options& options = {}, ref<tenon_stream> stream = {}, const into& rank = {}) {
  const tenon_rank_options options_c = options.c();
  tenon_array* rank_out = rank.get();
  const int32_t code = tenon_matrix_rank(a.get(), &options_c, stream.get(), &rank_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(rank_out, rank); });
}
// tenon_det (solve.h)
inline outcome<tenon::dynamic_array> det(
    ref<tenon_array> a, const tenon::lu_options& options = {}, ref<tenon_stream> stream = {}, const into& det = {}) {
  const tenon_lu_options options_c = options.c();
  tenon_array* det_out = det.get();
  const int32_t code = tenon_det(a.get(), &options_c, stream.get(), &det_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(det_out, det); });
}
// tenon_slogdet (solve.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> slogdet(
    ref<tenon_array> a, const tenon::lu_options& options = {}, ref<tenon_stream> stream = {}, const into& sign = {},
    const into& log = {}) {
  const tenon_lu_options options_c = options.c();
  tenon_array* sign_out = sign.get();
  tenon_array* log_out = log.get();
  const int32_t code = tenon_slogdet(a.get(), &options_c, stream.get(), &sign_out, &log_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(sign_out, sign), detail::written<tenon::dynamic_array>(log_out, log));
  });
}
// tenon_eigh (eigen.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> eigh(
    ref<tenon_array> a, const tenon::eigh_options& options = {}, ref<tenon_stream> stream = {}, const into& w = {},
    const into& v = {}) {
  const tenon_eigh_options options_c = options.c();
  tenon_array* w_out = w.get();
  tenon_array* v_out = v.get();
  const int32_t code = tenon_eigh(a.get(), &options_c, stream.get(), &w_out, v.wanted() ? &v_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(w_out, w), detail::written<tenon::dynamic_array>(v_out, v));
  });
}
// tenon_eig (eigen.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> eig(
    ref<tenon_array> a, const tenon::eig_options& options = {}, ref<tenon_stream> stream = {}, const into& w = {},
    const into& left = {}, const into& right = {}) {
  const tenon_eig_options options_c = options.c();
  tenon_array* w_out = w.get();
  tenon_array* left_out = left.get();
  tenon_array* right_out = right.get();
  const int32_t code = tenon_eig(
      a.get(), &options_c, stream.get(), &w_out, left.wanted() ? &left_out : nullptr,
      right.wanted() ? &right_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(w_out, w), detail::written<tenon::dynamic_array>(left_out, left),
        detail::written<tenon::dynamic_array>(right_out, right));
  });
}
// tenon_norm (eigen.h)
inline outcome<tenon::dynamic_array> norm(
    ref<tenon_array> a, const tenon::norm_options& options = {}, ref<tenon_stream> stream = {}, const into& norm = {}) {
  const tenon_norm_options options_c = options.c();
  tenon_array* norm_out = norm.get();
  const int32_t code = tenon_norm(a.get(), &options_c, stream.get(), &norm_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(norm_out, norm); });
}
// tenon_cond (eigen.h)
inline outcome<tenon::dynamic_array> cond(
    ref<tenon_array> a, const tenon::norm_options& options = {}, ref<tenon_stream> stream = {}, const into& cond = {}) {
  const tenon_norm_options options_c = options.c();
  tenon_array* cond_out = cond.get();
  const int32_t code = tenon_cond(a.get(), &options_c, stream.get(), &cond_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(cond_out, cond); });
}
// tenon_matrix_power (eigen.h)
inline outcome<tenon::dynamic_array> matrix_power(
    ref<tenon_array> a, int64_t n, const tenon::power_options& options = {}, ref<tenon_stream> stream = {},
    const into& power = {}) {
  const tenon_power_options options_c = options.c();
  tenon_array* power_out = power.get();
  const int32_t code = tenon_matrix_power(a.get(), n, &options_c, stream.get(), &power_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(power_out, power); });
}
// tenon_expm (eigen.h)
inline outcome<tenon::dynamic_array> expm(
    ref<tenon_array> a, const tenon::power_options& options = {}, ref<tenon_stream> stream = {},
    const into& exponential = {}) {
  const tenon_power_options options_c = options.c();
  tenon_array* exponential_out = exponential.get();
  const int32_t code = tenon_expm(a.get(), &options_c, stream.get(), &exponential_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(exponential_out, exponential); });
}
// tenon_cache_get_info (cache.h)
inline outcome<tenon_cache_info> cache_get_info(ref<tenon_context> context = {}) {
  tenon_cache_info info_out{};
  info_out.struct_size = sizeof(info_out);
  const int32_t code = tenon_cache_get_info(context.get(), &info_out);
  return detail::finish(code, [&] { return info_out; });
}
// tenon_cache_list (cache.h)
inline outcome<tenon::blob> cache_list(ref<tenon_context> context = {}) {
  tenon_blob* list_out = nullptr;
  const int32_t code = tenon_cache_list(context.get(), &list_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(list_out); });
}
// tenon_cache_verify (cache.h)
inline outcome<tenon_cache_tally> cache_verify(ref<tenon_context> context, bool remove) {
  tenon_cache_tally tally_out{};
  tally_out.struct_size = sizeof(tally_out);
  const int32_t code = tenon_cache_verify(context.get(), remove ? 1 : 0, &tally_out);
  return detail::finish(code, [&] { return tally_out; });
}
// tenon_cache_export (cache.h)
inline outcome<tenon_cache_tally> cache_export(ref<tenon_context> context, text path) {
  tenon_cache_tally tally_out{};
  tally_out.struct_size = sizeof(tally_out);
  const int32_t code = tenon_cache_export(context.get(), path.get(), &tally_out);
  return detail::finish(code, [&] { return tally_out; });
}
// tenon_cache_import (cache.h)
inline outcome<tenon_cache_tally> cache_import(ref<tenon_context> context, text path) {
  tenon_cache_tally tally_out{};
  tally_out.struct_size = sizeof(tally_out);
  const int32_t code = tenon_cache_import(context.get(), path.get(), &tally_out);
  return detail::finish(code, [&] { return tally_out; });
}
// tenon_cache_clear (cache.h)
inline outcome<tenon_cache_tally> cache_clear(ref<tenon_context> context, double unused_seconds, uint64_t keep_bytes) {
  tenon_cache_tally tally_out{};
  tally_out.struct_size = sizeof(tally_out);
  const int32_t code = tenon_cache_clear(context.get(), unused_seconds, keep_bytes, &tally_out);
  return detail::finish(code, [&] { return tally_out; });
}
// tenon_kron (linalg.h)
inline outcome<tenon::dynamic_array> kron(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::gemm_options& options = {}, ref<tenon_stream> stream = {},
    const into& product = {}) {
  const tenon_gemm_options options_c = options.c();
  tenon_array* product_out = product.get();
  const int32_t code = tenon_kron(a.get(), b.get(), &options_c, stream.get(), &product_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(product_out, product); });
}
// tenon_ldl (solve.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> ldl(
    ref<tenon_array> a, const tenon::ldl_options& options = {}, ref<tenon_stream> stream = {}, const into& ld = {},
    const into& pivots = {}) {
  const tenon_ldl_options options_c = options.c();
  tenon_array* ld_out = ld.get();
  tenon_array* pivots_out = pivots.get();
  const int32_t code = tenon_ldl(a.get(), &options_c, stream.get(), &ld_out, &pivots_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(ld_out, ld), detail::written<tenon::dynamic_array>(pivots_out, pivots));
  });
}
// tenon_ldl_solve (solve.h)
inline outcome<tenon::dynamic_array> ldl_solve(
    ref<tenon_array> ld, ref<tenon_array> pivots, ref<tenon_array> b, const tenon::ldl_options& options = {},
    ref<tenon_stream> stream = {}, const into& x = {}) {
  const tenon_ldl_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_ldl_solve(ld.get(), pivots.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_dct (fft.h)
inline outcome<tenon::dynamic_array> dct(
    ref<tenon_array> source, list<const int32_t> axes = {}, const tenon::dct_options& options = {},
    ref<tenon_stream> stream = {}, const into& destination = {}) {
  const tenon_dct_options options_c = options.c();
  tenon_array* destination_out = destination.get();
  const int32_t code = tenon_dct(
      source.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c, stream.get(), &destination_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(destination_out, destination); });
}
// tenon_signing_key_create (plugin.h)
inline outcome<tenon::blob> signing_key_create() {
  tenon_blob* secret_out = nullptr;
  const int32_t code = tenon_signing_key_create(&secret_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(secret_out); });
}
// tenon_signing_key_public (plugin.h)
inline outcome<tenon::blob> signing_key_public(text secret) {
  tenon_blob* public_out = nullptr;
  const int32_t code = tenon_signing_key_public(secret.get(), &public_out);
  return detail::finish(code, [&] { return adopt<tenon::blob>(public_out); });
}
// tenon_plugin_load (plugin.h)
inline outcome<tenon::package> plugin_load(
    ref<tenon_context> context, text path, const tenon::package_options& options = {}) {
  const tenon_package_options options_c = options.c();
  tenon_package* package_out = nullptr;
  const int32_t code = tenon_plugin_load(context.get(), path.get(), &options_c, &package_out);
  return detail::finish(code, [&] { return adopt<tenon::package>(package_out); });
}
// tenon_tensordot (linalg.h)
inline outcome<tenon::dynamic_array> tensordot(
    ref<tenon_array> a, ref<tenon_array> b, list<const int32_t> axes_a = {}, list<const int32_t> axes_b = {},
    const tenon::gemm_options& options = {}, ref<tenon_stream> stream = {}, const into& sum = {}) {
  if (!detail::agree({axes_a.size(), axes_b.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "tensordot: axes_a and axes_b must be of one length");
  const tenon_gemm_options options_c = options.c();
  tenon_array* sum_out = sum.get();
  const int32_t code = tenon_tensordot(
      a.get(), b.get(), axes_a.data(), axes_b.data(),
      detail::number<int32_t>(detail::common({axes_a.size(), axes_b.size()})), &options_c, stream.get(), &sum_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(sum_out, sum); });
}
// tenon_fft_prepare (fft.h)
inline outcome<void> fft_prepare(
    ref<tenon_array> source, ref<tenon_array> destination, list<const int32_t> axes = {},
    const tenon::fft_options& options = {}) {
  const tenon_fft_options options_c = options.c();
  return detail::finish(tenon_fft_prepare(
      source.get(), destination.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c));
}
// tenon_dct_prepare (fft.h)
inline outcome<void> dct_prepare(
    ref<tenon_array> source, ref<tenon_array> destination, list<const int32_t> axes = {},
    const tenon::dct_options& options = {}) {
  const tenon_dct_options options_c = options.c();
  return detail::finish(tenon_dct_prepare(
      source.get(), destination.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c));
}
// tenon_convolve (signal.h)
inline outcome<tenon::dynamic_array> convolve(
    ref<tenon_array> a, ref<tenon_array> b, list<const int32_t> axes = {}, const tenon::convolve_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_convolve_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_convolve(
      a.get(), b.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_fft_shift (signal.h)
inline outcome<tenon::dynamic_array> fft_shift(
    ref<tenon_array> x, list<const int32_t> axes = {}, const tenon::shift_options& options = {},
    ref<tenon_stream> stream = {}, const into& shifted = {}) {
  const tenon_shift_options options_c = options.c();
  tenon_array* shifted_out = shifted.get();
  const int32_t code = tenon_fft_shift(
      x.get(), axes.data(), detail::number<int32_t>(axes.size()), &options_c, stream.get(), &shifted_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(shifted_out, shifted); });
}
// tenon_fft_frequencies (signal.h)
inline outcome<tenon::dynamic_array> fft_frequencies(
    ref<tenon_device> device, tenon::dtype dtype, int64_t n, double spacing,
    const tenon::frequencies_options& options = {}, ref<tenon_stream> stream = {}, const into& frequencies = {}) {
  const tenon_frequencies_options options_c = options.c();
  tenon_array* frequencies_out = frequencies.get();
  const int32_t code = tenon_fft_frequencies(
      device.get(), static_cast<uint32_t>(dtype), n, spacing, &options_c, stream.get(), &frequencies_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(frequencies_out, frequencies); });
}
// tenon_fft_fast_length (signal.h)
inline outcome<int64_t> fft_fast_length(int64_t n) {
  int64_t length_out{};
  const int32_t code = tenon_fft_fast_length(n, &length_out);
  return detail::finish(code, [&] { return length_out; });
}
// tenon_gemv (blas.h)
inline outcome<tenon::dynamic_array> gemv(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> x, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_gemv(alpha.get(), a.get(), x.get(), beta.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_ger (blas.h)
inline outcome<tenon::dynamic_array> ger(
    const operand& alpha, ref<tenon_array> x, ref<tenon_array> y, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& a = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* a_out = a.get();
  const int32_t code = tenon_ger(alpha.get(), x.get(), y.get(), &options_c, stream.get(), &a_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(a_out, a); });
}
// tenon_axpy (blas.h)
inline outcome<tenon::dynamic_array> axpy(
    const operand& alpha, ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_axpy(alpha.get(), x.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_scal (blas.h)
inline outcome<tenon::dynamic_array> scal(
    const operand& alpha, ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_scal(alpha.get(), x.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_nrm2 (blas.h)
inline outcome<tenon::dynamic_array> nrm2(
    ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& norm = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* norm_out = norm.get();
  const int32_t code = tenon_nrm2(x.get(), &options_c, stream.get(), &norm_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(norm_out, norm); });
}
// tenon_syrk (blas.h)
inline outcome<tenon::dynamic_array> syrk(
    const operand& alpha, ref<tenon_array> a, const operand& beta = {}, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_syrk(alpha.get(), a.get(), beta.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_symm (blas.h)
inline outcome<tenon::dynamic_array> symm(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> b, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_symm(alpha.get(), a.get(), b.get(), beta.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_trmm (blas.h)
inline outcome<tenon::dynamic_array> trmm(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> b, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_trmm(alpha.get(), a.get(), b.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_trsm (blas.h)
inline outcome<tenon::dynamic_array> trsm(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> b, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& x = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_trsm(alpha.get(), a.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_interrupt_set (kernel.h)
inline outcome<void> interrupt_set(tenon_interrupt_fn interrupt = {}, void* user = {}) {
  return detail::finish(tenon_interrupt_set(interrupt, user));
}
// tenon_cpu_threads_set (context.h)
inline outcome<void> cpu_threads_set(int32_t threads) {
  return detail::finish(tenon_cpu_threads_set(threads));
}
// tenon_cpu_threads_get (context.h)
inline outcome<int32_t> cpu_threads_get() {
  int32_t threads_out{};
  const int32_t code = tenon_cpu_threads_get(&threads_out);
  return detail::finish(code, [&] { return threads_out; });
}
// tenon_symv (blas.h)
inline outcome<tenon::dynamic_array> symv(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> x, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_symv(alpha.get(), a.get(), x.get(), beta.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_syr (blas.h)
inline outcome<tenon::dynamic_array> syr(
    const operand& alpha, ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& a = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* a_out = a.get();
  const int32_t code = tenon_syr(alpha.get(), x.get(), &options_c, stream.get(), &a_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(a_out, a); });
}
// tenon_trmv (blas.h)
inline outcome<tenon::dynamic_array> trmv(
    ref<tenon_array> a, ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_trmv(a.get(), x.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_trsv (blas.h)
inline outcome<tenon::dynamic_array> trsv(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& x = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_trsv(a.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_unary (compute.h)
inline outcome<tenon::dynamic_array> unary(
    tenon::fn function, const operand& x, const tenon::compute_options& options = {}, ref<tenon_stream> stream = {},
    const into& result = {}) {
  const tenon_compute_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_unary(static_cast<int32_t>(function), x.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_binary (compute.h)
inline outcome<tenon::dynamic_array> binary(
    tenon::fn function, const operand& x, const operand& y, const tenon::compute_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_compute_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_binary(
      static_cast<int32_t>(function), x.get(), y.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_select (compute.h)
inline outcome<tenon::dynamic_array> select(
    const operand& condition, const operand& x, const operand& y, const tenon::compute_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_compute_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_select(condition.get(), x.get(), y.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_clip (compute.h)
inline outcome<tenon::dynamic_array> clip(
    const operand& x, const operand& low = {}, const operand& high = {}, const tenon::compute_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_compute_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_clip(x.get(), low.get(), high.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_cast (compute.h)
inline outcome<tenon::dynamic_array> cast(
    const operand& x, tenon::dtype dtype, const tenon::compute_options& options = {}, ref<tenon_stream> stream = {},
    const into& result = {}) {
  const tenon_compute_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_cast(x.get(), static_cast<uint32_t>(dtype), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_reduce (compute.h)
inline outcome<tenon::dynamic_array> reduce(
    tenon::fn function, const operand& x, const tenon::reduce_options& options = {}, ref<tenon_stream> stream = {},
    const into& result = {}) {
  const tenon_reduce_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_reduce(static_cast<int32_t>(function), x.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_accumulate (compute.h)
inline outcome<tenon::dynamic_array> accumulate(
    tenon::fn function, const operand& x, const tenon::accumulate_options& options = {}, ref<tenon_stream> stream = {},
    const into& result = {}) {
  const tenon_accumulate_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_accumulate(
      static_cast<int32_t>(function), x.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_result_type (compute.h)
inline outcome<tenon::dtype> result_type(list<const tenon_arg> args) {
  uint32_t dtype_out{};
  const int32_t code = tenon_result_type(args.data(), detail::number<int32_t>(args.size()), &dtype_out);
  return detail::finish(code, [&] { return static_cast<tenon::dtype>(dtype_out); });
}
// tenon_random (random.h)
inline outcome<tenon::dynamic_array> random(
    ref<tenon_device> device, tenon::dtype dtype, list<const int64_t> shape, tenon::random_kind distribution,
    const tenon::random_options& options = {}, ref<tenon_stream> stream = {}, const into& numbers = {}) {
  const tenon_random_options options_c = options.c();
  tenon_array* numbers_out = numbers.get();
  const int32_t code = tenon_random(
      device.get(), static_cast<uint32_t>(dtype), detail::number<int32_t>(shape.size()), shape.data(),
      static_cast<int32_t>(distribution), &options_c, stream.get(), &numbers_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(numbers_out, numbers); });
}
// tenon_random_blocks (random.h)
inline outcome<uint64_t> random_blocks(tenon::dtype dtype, int64_t count, tenon::random_kind distribution) {
  uint64_t blocks_out{};
  const int32_t code = tenon_random_blocks(
      static_cast<uint32_t>(dtype), count, static_cast<int32_t>(distribution), &blocks_out);
  return detail::finish(code, [&] { return blocks_out; });
}
// tenon_random_permutation (random.h)
inline outcome<tenon::dynamic_array> random_permutation(
    ref<tenon_device> device, int64_t n, const tenon::random_options& options = {}, ref<tenon_stream> stream = {},
    const into& order = {}) {
  const tenon_random_options options_c = options.c();
  tenon_array* order_out = order.get();
  const int32_t code = tenon_random_permutation(device.get(), n, &options_c, stream.get(), &order_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(order_out, order); });
}
// tenon_concat (moving.h)
inline outcome<tenon::dynamic_array> concat(
    const arrays& arrays, int32_t axis, const tenon::moving_options& options = {}, ref<tenon_stream> stream = {},
    const into& array = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_concat(
      arrays.data(), detail::number<int32_t>(arrays.size()), axis, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_stack (moving.h)
inline outcome<tenon::dynamic_array> stack(
    const arrays& arrays, int32_t axis, const tenon::moving_options& options = {}, ref<tenon_stream> stream = {},
    const into& array = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_stack(
      arrays.data(), detail::number<int32_t>(arrays.size()), axis, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_tile (moving.h)
inline outcome<tenon::dynamic_array> tile(
    ref<tenon_array> x, list<const int64_t> repeats = {}, const tenon::moving_options& options = {},
    ref<tenon_stream> stream = {}, const into& array = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_tile(
      x.get(), detail::number<int32_t>(repeats.size()), repeats.data(), &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_repeat (moving.h)
inline outcome<tenon::dynamic_array> repeat(
    ref<tenon_array> x, int64_t count, int32_t axis, const tenon::moving_options& options = {},
    ref<tenon_stream> stream = {}, const into& array = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_repeat(x.get(), count, axis, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_roll (moving.h)
inline outcome<tenon::dynamic_array> roll(
    ref<tenon_array> x, list<const int64_t> shifts = {}, list<const int32_t> axes = {},
    const tenon::moving_options& options = {}, ref<tenon_stream> stream = {}, const into& array = {}) {
  if (!detail::agree({shifts.size(), axes.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "roll: shifts and axes must be of one length");
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_roll(
      x.get(), shifts.data(), axes.data(), detail::number<int32_t>(detail::common({shifts.size(), axes.size()})),
      &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_pad (moving.h)
inline outcome<tenon::dynamic_array> pad(
    ref<tenon_array> x, list<const int64_t> before = {}, list<const int64_t> after = {},
    const tenon::pad_options& options = {}, ref<tenon_stream> stream = {}, const into& array = {}) {
  if (!detail::agree({before.size(), after.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "pad: before and after must be of one length");
  const tenon_pad_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_pad(
      x.get(), detail::number<int32_t>(detail::common({before.size(), after.size()})), before.data(), after.data(),
      &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_take (moving.h)
inline outcome<tenon::dynamic_array> take(
    ref<tenon_array> x, const arrays& indices, list<const int32_t> axes, const tenon::take_options& options = {},
    ref<tenon_stream> stream = {}, const into& array = {}) {
  if (!detail::agree({indices.size(), axes.size()}))
    return detail::refuse<tenon::dynamic_array>(
        tenon::status::invalid_argument, "take: indices and axes must be of one length");
  const tenon_take_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_take(
      x.get(), indices.data(), axes.data(), detail::number<int32_t>(detail::common({indices.size(), axes.size()})),
      &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_scatter (moving.h)
inline outcome<void> scatter(
    ref<tenon_array> x, ref<tenon_array> values, const arrays& indices, list<const int32_t> axes,
    const tenon::take_options& options = {}, ref<tenon_stream> stream = {}) {
  if (!detail::agree({indices.size(), axes.size()}))
    return detail::refuse<void>(tenon::status::invalid_argument, "scatter: indices and axes must be of one length");
  const tenon_take_options options_c = options.c();
  return detail::finish(tenon_scatter(
      x.get(), values.get(), indices.data(), axes.data(),
      detail::number<int32_t>(detail::common({indices.size(), axes.size()})), &options_c, stream.get()));
}
// tenon_nonzero (moving.h)
inline outcome<tenon::dynamic_array> nonzero(
    ref<tenon_array> x, const tenon::moving_options& options = {}, ref<tenon_stream> stream = {},
    const into& indices = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* indices_out = indices.get();
  const int32_t code = tenon_nonzero(x.get(), &options_c, stream.get(), &indices_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(indices_out, indices); });
}
// tenon_compress (moving.h)
inline outcome<tenon::dynamic_array> compress(
    ref<tenon_array> x, ref<tenon_array> mask, int32_t axis, const tenon::moving_options& options = {},
    ref<tenon_stream> stream = {}, const into& array = {}) {
  const tenon_moving_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_compress(x.get(), mask.get(), axis, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_range (moving.h)
inline outcome<tenon::dynamic_array> range(
    ref<tenon_device> device, tenon::dtype dtype, int64_t count, const tenon::range_options& options = {},
    ref<tenon_stream> stream = {}, const into& array = {}) {
  const tenon_range_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_range(
      device.get(), static_cast<uint32_t>(dtype), count, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_eye (moving.h)
inline outcome<tenon::dynamic_array> eye(
    ref<tenon_device> device, tenon::dtype dtype, int64_t rows, int64_t columns,
    const tenon::diagonal_options& options = {}, ref<tenon_stream> stream = {}, const into& array = {}) {
  const tenon_diagonal_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_eye(
      device.get(), static_cast<uint32_t>(dtype), rows, columns, &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_triangle (moving.h)
inline outcome<tenon::dynamic_array> triangle(
    ref<tenon_array> x, const tenon::diagonal_options& options = {}, ref<tenon_stream> stream = {},
    const into& array = {}) {
  const tenon_diagonal_options options_c = options.c();
  tenon_array* array_out = array.get();
  const int32_t code = tenon_triangle(x.get(), &options_c, stream.get(), &array_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(array_out, array); });
}
// tenon_sort (select.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> sort(
    ref<tenon_array> x, int32_t axis, const tenon::sort_options& options = {}, ref<tenon_stream> stream = {},
    const into& values = {}, const into& indices = {}) {
  const tenon_sort_options options_c = options.c();
  tenon_array* values_out = values.get();
  tenon_array* indices_out = indices.get();
  const int32_t code = tenon_sort(
      x.get(), axis, &options_c, stream.get(), values.wanted() ? &values_out : nullptr,
      indices.wanted() ? &indices_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(values_out, values),
        detail::written<tenon::dynamic_array>(indices_out, indices));
  });
}
// tenon_top_k (select.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> top_k(
    ref<tenon_array> x, int64_t k, int32_t axis, const tenon::top_k_options& options = {},
    ref<tenon_stream> stream = {}, const into& values = {}, const into& indices = {}) {
  const tenon_top_k_options options_c = options.c();
  tenon_array* values_out = values.get();
  tenon_array* indices_out = indices.get();
  const int32_t code = tenon_top_k(
      x.get(), k, axis, &options_c, stream.get(), values.wanted() ? &values_out : nullptr,
      indices.wanted() ? &indices_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(values_out, values),
        detail::written<tenon::dynamic_array>(indices_out, indices));
  });
}
// tenon_search_sorted (select.h)
inline outcome<tenon::dynamic_array> search_sorted(
    ref<tenon_array> sorted, ref<tenon_array> wanted, const tenon::search_options& options = {},
    ref<tenon_stream> stream = {}, const into& places = {}) {
  const tenon_search_options options_c = options.c();
  tenon_array* places_out = places.get();
  const int32_t code = tenon_search_sorted(sorted.get(), wanted.get(), &options_c, stream.get(), &places_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(places_out, places); });
}
// tenon_unique (select.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> unique(
    ref<tenon_array> x, const tenon::unique_options& options = {}, ref<tenon_stream> stream = {},
    const into& values = {}, const into& indices = {}, const into& inverse = {}, const into& counts = {}) {
  const tenon_unique_options options_c = options.c();
  tenon_array* values_out = values.get();
  tenon_array* indices_out = indices.get();
  tenon_array* inverse_out = inverse.get();
  tenon_array* counts_out = counts.get();
  const int32_t code = tenon_unique(
      x.get(), &options_c, stream.get(), &values_out, indices.wanted() ? &indices_out : nullptr,
      inverse.wanted() ? &inverse_out : nullptr, counts.wanted() ? &counts_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(values_out, values),
        detail::written<tenon::dynamic_array>(indices_out, indices),
        detail::written<tenon::dynamic_array>(inverse_out, inverse),
        detail::written<tenon::dynamic_array>(counts_out, counts));
  });
}
// tenon_bincount (select.h)
inline outcome<tenon::dynamic_array> bincount(
    ref<tenon_array> x, ref<tenon_array> weights, int64_t length, const tenon::bincount_options& options = {},
    ref<tenon_stream> stream = {}, const into& counts = {}) {
  const tenon_bincount_options options_c = options.c();
  tenon_array* counts_out = counts.get();
  const int32_t code = tenon_bincount(x.get(), weights.get(), length, &options_c, stream.get(), &counts_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(counts_out, counts); });
}
// tenon_asum (blas.h)
inline outcome<tenon::dynamic_array> asum(
    ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& sum = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* sum_out = sum.get();
  const int32_t code = tenon_asum(x.get(), &options_c, stream.get(), &sum_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(sum_out, sum); });
}
// tenon_iamax (blas.h)
inline outcome<tenon::dynamic_array> iamax(
    ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& index = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* index_out = index.get();
  const int32_t code = tenon_iamax(x.get(), &options_c, stream.get(), &index_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(index_out, index); });
}
// tenon_iamin (blas.h)
inline outcome<tenon::dynamic_array> iamin(
    ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& index = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* index_out = index.get();
  const int32_t code = tenon_iamin(x.get(), &options_c, stream.get(), &index_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(index_out, index); });
}
// tenon_swap (blas.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> swap(
    ref<tenon_array> x, ref<tenon_array> y, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& out_x = {}, const into& out_y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* out_x_out = out_x.get();
  tenon_array* out_y_out = out_y.get();
  const int32_t code = tenon_swap(x.get(), y.get(), &options_c, stream.get(), &out_x_out, &out_y_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(out_x_out, out_x),
        detail::written<tenon::dynamic_array>(out_y_out, out_y));
  });
}
// tenon_rot (blas.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> rot(
    const operand& c, const operand& s, ref<tenon_array> x, ref<tenon_array> y, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& out_x = {}, const into& out_y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* out_x_out = out_x.get();
  tenon_array* out_y_out = out_y.get();
  const int32_t code = tenon_rot(c.get(), s.get(), x.get(), y.get(), &options_c, stream.get(), &out_x_out, &out_y_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(out_x_out, out_x),
        detail::written<tenon::dynamic_array>(out_y_out, out_y));
  });
}
// tenon_rotg (blas.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> rotg(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& c = {}, const into& s = {}, const into& r = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  tenon_array* s_out = s.get();
  tenon_array* r_out = r.get();
  const int32_t code = tenon_rotg(
      a.get(), b.get(), &options_c, stream.get(), c.wanted() ? &c_out : nullptr, s.wanted() ? &s_out : nullptr,
      r.wanted() ? &r_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(c_out, c), detail::written<tenon::dynamic_array>(s_out, s),
        detail::written<tenon::dynamic_array>(r_out, r));
  });
}
// tenon_syr2 (blas.h)
inline outcome<tenon::dynamic_array> syr2(
    const operand& alpha, ref<tenon_array> x, ref<tenon_array> y, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& a = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* a_out = a.get();
  const int32_t code = tenon_syr2(alpha.get(), x.get(), y.get(), &options_c, stream.get(), &a_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(a_out, a); });
}
// tenon_gbmv (blas.h)
inline outcome<tenon::dynamic_array> gbmv(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> x, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_gbmv(alpha.get(), a.get(), x.get(), beta.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_sbmv (blas.h)
inline outcome<tenon::dynamic_array> sbmv(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> x, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_sbmv(alpha.get(), a.get(), x.get(), beta.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_syr2k (blas.h)
inline outcome<tenon::dynamic_array> syr2k(
    const operand& alpha, ref<tenon_array> a, ref<tenon_array> b, const operand& beta = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_syr2k(alpha.get(), a.get(), b.get(), beta.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_geam (blas.h)
inline outcome<tenon::dynamic_array> geam(
    const operand& alpha, ref<tenon_array> a, const operand& beta = {}, ref<tenon_array> b = {},
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& c = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* c_out = c.get();
  const int32_t code = tenon_geam(alpha.get(), a.get(), beta.get(), b.get(), &options_c, stream.get(), &c_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(c_out, c); });
}
// tenon_rotm (blas.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array>> rotm(
    ref<tenon_array> x, ref<tenon_array> y, ref<tenon_array> h, const tenon::blas_options& options = {},
    ref<tenon_stream> stream = {}, const into& out_x = {}, const into& out_y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* out_x_out = out_x.get();
  tenon_array* out_y_out = out_y.get();
  const int32_t code = tenon_rotm(x.get(), y.get(), h.get(), &options_c, stream.get(), &out_x_out, &out_y_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(out_x_out, out_x),
        detail::written<tenon::dynamic_array>(out_y_out, out_y));
  });
}
// tenon_rotmg (blas.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> rotmg(
    ref<tenon_array> d1, ref<tenon_array> d2, ref<tenon_array> x1, ref<tenon_array> y1,
    const tenon::blas_options& options = {}, ref<tenon_stream> stream = {}, const into& out_d1 = {},
    const into& out_d2 = {}, const into& out_x1 = {}, const into& h = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* out_d1_out = out_d1.get();
  tenon_array* out_d2_out = out_d2.get();
  tenon_array* out_x1_out = out_x1.get();
  tenon_array* h_out = h.get();
  const int32_t code = tenon_rotmg(
      d1.get(), d2.get(), x1.get(), y1.get(), &options_c, stream.get(), out_d1.wanted() ? &out_d1_out : nullptr,
      out_d2.wanted() ? &out_d2_out : nullptr, out_x1.wanted() ? &out_x1_out : nullptr, h.wanted() ? &h_out : nullptr);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(out_d1_out, out_d1),
        detail::written<tenon::dynamic_array>(out_d2_out, out_d2),
        detail::written<tenon::dynamic_array>(out_x1_out, out_x1), detail::written<tenon::dynamic_array>(h_out, h));
  });
}
// tenon_tbmv (blas.h)
inline outcome<tenon::dynamic_array> tbmv(
    ref<tenon_array> a, ref<tenon_array> x, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& y = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_tbmv(a.get(), x.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}
// tenon_tbsv (blas.h)
inline outcome<tenon::dynamic_array> tbsv(
    ref<tenon_array> a, ref<tenon_array> b, const tenon::blas_options& options = {}, ref<tenon_stream> stream = {},
    const into& x = {}) {
  const tenon_blas_options options_c = options.c();
  tenon_array* x_out = x.get();
  const int32_t code = tenon_tbsv(a.get(), b.get(), &options_c, stream.get(), &x_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(x_out, x); });
}
// tenon_quantile (select.h)
inline outcome<tenon::dynamic_array> quantile(
    ref<tenon_array> x, list<const double> probabilities, const tenon::quantile_options& options = {},
    ref<tenon_stream> stream = {}, const into& quantiles = {}) {
  const tenon_quantile_options options_c = options.c();
  tenon_array* quantiles_out = quantiles.get();
  const int32_t code = tenon_quantile(
      x.get(), probabilities.data(), detail::number<int64_t>(probabilities.size()), &options_c, stream.get(),
      &quantiles_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(quantiles_out, quantiles); });
}
// tenon_segment_reduce (compute.h)
inline outcome<tenon::dynamic_array> segment_reduce(
    tenon::fn function, ref<tenon_array> x, ref<tenon_array> segments, const tenon::segment_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_segment_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_segment_reduce(
      static_cast<int32_t>(function), x.get(), segments.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_segment_scan (compute.h)
inline outcome<tenon::dynamic_array> segment_scan(
    tenon::fn function, ref<tenon_array> x, ref<tenon_array> segments, const tenon::segment_options& options = {},
    ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_segment_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_segment_scan(
      static_cast<int32_t>(function), x.get(), segments.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_segment_offsets (compute.h)
inline outcome<tenon::dynamic_array> segment_offsets(
    ref<tenon_array> segments, const tenon::segment_options& options, ref<tenon_stream> stream = {},
    const into& offsets = {}) {
  const tenon_segment_options options_c = options.c();
  tenon_array* offsets_out = offsets.get();
  const int32_t code = tenon_segment_offsets(segments.get(), &options_c, stream.get(), &offsets_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(offsets_out, offsets); });
}
// tenon_csr_from_coo (sparse.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> csr_from_coo(
    int64_t rows, int64_t columns, ref<tenon_array> row, ref<tenon_array> column, ref<tenon_array> values,
    const tenon::sparse_options& options = {}, ref<tenon_stream> stream = {}, const into& offsets = {},
    const into& out_columns = {}, const into& out_values = {}) {
  const tenon_sparse_options options_c = options.c();
  tenon_array* offsets_out = offsets.get();
  tenon_array* out_columns_out = out_columns.get();
  tenon_array* out_values_out = out_values.get();
  const int32_t code = tenon_csr_from_coo(
      rows, columns, row.get(), column.get(), values.get(), &options_c, stream.get(), &offsets_out, &out_columns_out,
      &out_values_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(offsets_out, offsets),
        detail::written<tenon::dynamic_array>(out_columns_out, out_columns),
        detail::written<tenon::dynamic_array>(out_values_out, out_values));
  });
}
// tenon_csr_from_dense (sparse.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> csr_from_dense(
    ref<tenon_array> x, const tenon::sparse_options& options = {}, ref<tenon_stream> stream = {},
    const into& offsets = {}, const into& columns = {}, const into& values = {}) {
  const tenon_sparse_options options_c = options.c();
  tenon_array* offsets_out = offsets.get();
  tenon_array* columns_out = columns.get();
  tenon_array* values_out = values.get();
  const int32_t code = tenon_csr_from_dense(
      x.get(), &options_c, stream.get(), &offsets_out, &columns_out, &values_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(offsets_out, offsets),
        detail::written<tenon::dynamic_array>(columns_out, columns),
        detail::written<tenon::dynamic_array>(values_out, values));
  });
}
// tenon_csr_rows (sparse.h)
inline outcome<tenon::dynamic_array> csr_rows(
    ref<tenon_array> offsets, int64_t count, const tenon::sparse_options& options = {}, ref<tenon_stream> stream = {},
    const into& rows = {}) {
  const tenon_sparse_options options_c = options.c();
  tenon_array* rows_out = rows.get();
  const int32_t code = tenon_csr_rows(offsets.get(), count, &options_c, stream.get(), &rows_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(rows_out, rows); });
}
// tenon_csr_to_dense (sparse.h)
inline outcome<tenon::dynamic_array> csr_to_dense(
    int64_t columns, ref<tenon_array> offsets, ref<tenon_array> indices, ref<tenon_array> values,
    const tenon::sparse_options& options = {}, ref<tenon_stream> stream = {}, const into& dense = {}) {
  const tenon_sparse_options options_c = options.c();
  tenon_array* dense_out = dense.get();
  const int32_t code = tenon_csr_to_dense(
      columns, offsets.get(), indices.get(), values.get(), &options_c, stream.get(), &dense_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(dense_out, dense); });
}
// tenon_csr_transpose (sparse.h)
inline outcome<std::tuple<tenon::dynamic_array, tenon::dynamic_array, tenon::dynamic_array>> csr_transpose(
    int64_t columns, ref<tenon_array> offsets, ref<tenon_array> indices, ref<tenon_array> values,
    const tenon::sparse_options& options = {}, ref<tenon_stream> stream = {}, const into& out_offsets = {},
    const into& out_columns = {}, const into& out_values = {}) {
  const tenon_sparse_options options_c = options.c();
  tenon_array* out_offsets_out = out_offsets.get();
  tenon_array* out_columns_out = out_columns.get();
  tenon_array* out_values_out = out_values.get();
  const int32_t code = tenon_csr_transpose(
      columns, offsets.get(), indices.get(), values.get(), &options_c, stream.get(), &out_offsets_out, &out_columns_out,
      &out_values_out);
  return detail::finish(code, [&] {
    return std::make_tuple(
        detail::written<tenon::dynamic_array>(out_offsets_out, out_offsets),
        detail::written<tenon::dynamic_array>(out_columns_out, out_columns),
        detail::written<tenon::dynamic_array>(out_values_out, out_values));
  });
}
// tenon_csr_multiply (sparse.h)
inline outcome<tenon::dynamic_array> csr_multiply(
    int64_t columns, ref<tenon_array> offsets, ref<tenon_array> indices, ref<tenon_array> values, ref<tenon_array> b,
    const tenon::sparse_product_options& options = {}, ref<tenon_stream> stream = {}, const into& result = {}) {
  const tenon_sparse_product_options options_c = options.c();
  tenon_array* result_out = result.get();
  const int32_t code = tenon_csr_multiply(
      columns, offsets.get(), indices.get(), values.get(), b.get(), &options_c, stream.get(), &result_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(result_out, result); });
}
// tenon_interpolate (select.h)
inline outcome<tenon::dynamic_array> interpolate(
    ref<tenon_array> x, ref<tenon_array> points, ref<tenon_array> values,
    const tenon::interpolate_options& options = {}, ref<tenon_stream> stream = {}, const into& y = {}) {
  const tenon_interpolate_options options_c = options.c();
  tenon_array* y_out = y.get();
  const int32_t code = tenon_interpolate(x.get(), points.get(), values.get(), &options_c, stream.get(), &y_out);
  return detail::finish(code, [&] { return detail::written<tenon::dynamic_array>(y_out, y); });
}

} // namespace TENON_CXX_MODE
} // namespace tenon
#endif
