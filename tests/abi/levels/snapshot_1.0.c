/* The types and functions of ABI level 1.0: with debug information, what abidiff compares today's headers with.
 *
 * Derived from the headers by abi/generate.py. Once the level is released this file is never written again. */
#include <stdint.h>

#define ABSENT __builtin_trap();

typedef struct tenon_blob tenon_blob;
typedef struct tenon_api tenon_api;
typedef struct tenon_error tenon_error;
typedef struct tenon_context tenon_context;
typedef struct tenon_device tenon_device;
typedef struct tenon_stream tenon_stream;
typedef struct tenon_event tenon_event;
typedef struct tenon_array tenon_array;
typedef struct tenon_texture tenon_texture;
typedef struct tenon_buffer tenon_buffer;
struct DLManagedTensor;
struct DLManagedTensorVersioned;
typedef struct tenon_program tenon_program;
typedef struct tenon_kernel tenon_kernel;
typedef struct tenon_call tenon_call;
typedef struct tenon_compilation tenon_compilation;
typedef struct tenon_elementwise tenon_elementwise;
typedef struct tenon_reduction tenon_reduction;
typedef struct tenon_scan tenon_scan;
typedef struct tenon_graph tenon_graph;
typedef struct tenon_package tenon_package;
typedef struct tenon_operation tenon_operation;
typedef struct tenon_allocator tenon_allocator;
typedef struct tenon_context_options tenon_context_options;
typedef struct tenon_device_info tenon_device_info;
typedef struct tenon_memory_info tenon_memory_info;
typedef struct tenon_stream_options tenon_stream_options;
typedef struct tenon_arg tenon_arg;
typedef struct tenon_array_info tenon_array_info;
typedef struct tenon_program_options tenon_program_options;
typedef struct tenon_parameter_info tenon_parameter_info;
typedef struct tenon_kernel_info tenon_kernel_info;
typedef struct tenon_launch tenon_launch;
typedef struct tenon_program_input tenon_program_input;
typedef struct tenon_texture_options tenon_texture_options;
typedef struct tenon_texture_info tenon_texture_info;
typedef struct tenon_random_options tenon_random_options;
typedef struct tenon_moving_options tenon_moving_options;
typedef struct tenon_pad_options tenon_pad_options;
typedef struct tenon_take_options tenon_take_options;
typedef struct tenon_range_options tenon_range_options;
typedef struct tenon_diagonal_options tenon_diagonal_options;
typedef struct tenon_sort_options tenon_sort_options;
typedef struct tenon_top_k_options tenon_top_k_options;
typedef struct tenon_search_options tenon_search_options;
typedef struct tenon_unique_options tenon_unique_options;
typedef struct tenon_bincount_options tenon_bincount_options;
typedef struct tenon_cache_info tenon_cache_info;
typedef struct tenon_cache_tally tenon_cache_tally;
typedef struct tenon_generated_options tenon_generated_options;
typedef struct tenon_step tenon_step;
typedef struct tenon_graph_node_info tenon_graph_node_info;
typedef struct tenon_compute_options tenon_compute_options;
typedef struct tenon_reduce_options tenon_reduce_options;
typedef struct tenon_accumulate_options tenon_accumulate_options;
typedef struct tenon_gemm_options tenon_gemm_options;
typedef struct tenon_svd_options tenon_svd_options;
typedef struct tenon_blas_options tenon_blas_options;
typedef struct tenon_solve_options tenon_solve_options;
typedef struct tenon_lu_options tenon_lu_options;
typedef struct tenon_cholesky_options tenon_cholesky_options;
typedef struct tenon_qr_options tenon_qr_options;
typedef struct tenon_rank_options tenon_rank_options;
typedef struct tenon_ldl_options tenon_ldl_options;
typedef struct tenon_eigh_options tenon_eigh_options;
typedef struct tenon_eig_options tenon_eig_options;
typedef struct tenon_norm_options tenon_norm_options;
typedef struct tenon_power_options tenon_power_options;
typedef struct tenon_fft_options tenon_fft_options;
typedef struct tenon_dct_options tenon_dct_options;
typedef struct tenon_convolve_options tenon_convolve_options;
typedef struct tenon_shift_options tenon_shift_options;
typedef struct tenon_frequencies_options tenon_frequencies_options;
typedef struct tenon_package_options tenon_package_options;
typedef struct tenon_operation_info tenon_operation_info;
typedef struct tenon_operation_parameter_info tenon_operation_parameter_info;
typedef struct tenon_measure_options tenon_measure_options;
typedef struct tenon_host_call tenon_host_call;
typedef struct tenon_host_function tenon_host_function;
typedef struct tenon_registry tenon_registry;

typedef void (*tenon_log_fn)(void* user, int32_t level, const char* message);
typedef void (*tenon_destroy_fn)(void* user);
typedef int32_t (*tenon_allocate_fn)(void* user, int32_t device_kind, int32_t device_index, uint64_t bytes,
                                     uint64_t stream, void** out_data);
typedef void (*tenon_deallocate_fn)(void* user, int32_t device_kind, int32_t device_index, void* data, uint64_t bytes,
                                    uint64_t stream);
typedef void (*tenon_stream_fn)(void* user);
typedef int32_t (*tenon_current_stream_fn)(int32_t device_type, int32_t device_id, void** out_stream);
typedef int32_t (*tenon_interrupt_fn)(void* user);
typedef int32_t (*tenon_host_fn)(void* user, const tenon_host_call* call);
typedef int32_t (*tenon_registry_add_fn)(void* user, const char* contract, const tenon_host_function* functions,
                                         int32_t count);
typedef int32_t (*tenon_plugin_init_fn)(const tenon_api* api, tenon_registry* registry);

struct tenon_allocator {
  uint32_t struct_size;
  uint32_t reserved;
  tenon_allocate_fn allocate;
  tenon_deallocate_fn deallocate;
  void* user;
  tenon_destroy_fn destroy;
};

struct tenon_context_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* cache_directory;
  uint64_t cache_limit_bytes;
  int32_t cache_mode;
  int32_t log_level;
  tenon_log_fn log;
  void* log_user;
  tenon_destroy_fn log_destroy;
  double kernel_timeout_seconds;
  uint64_t memory_limit_bytes;
  const char* plugin_path;
  const char* tuning_directory;
  const tenon_allocator* allocator;
};

struct tenon_device_info {
  uint32_t struct_size;
  int32_t kind;
  int32_t index;
  int32_t compute_major;
  int32_t compute_minor;
  int32_t multiprocessors;
  int32_t warp_size;
  int32_t max_threads_per_block;
  int32_t max_block[3];
  int32_t max_grid[3];
  uint64_t shared_per_block;
  uint64_t shared_per_block_max;
  uint64_t total_memory;
  uint64_t free_memory;
  uint64_t l2_bytes;
  int32_t max_threads_per_multiprocessor;
  int32_t driver_version;
};

struct tenon_memory_info {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t used;
  uint64_t used_peak;
  uint64_t held;
  uint64_t limit;
  uint64_t allocations;
};

struct tenon_stream_options {
  uint32_t struct_size;
  int32_t priority;
};

struct tenon_arg {
  uint32_t kind;
  uint32_t dtype;
  uint64_t size;
  union {
    tenon_array* array;
    tenon_texture* texture;
    const void* pointer;
    const void* bytes;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    float c64[2];
    double c128[2];
  } value;
};

struct tenon_array_info {
  uint32_t struct_size;
  uint32_t dtype;
  int32_t rank;
  uint32_t flags;
  void* data;
  const int64_t* shape;
  const int64_t* strides;
  int64_t size;
  uint64_t bytes;
  int32_t device_kind;
  int32_t device_index;
  int32_t memory_kind;
  int32_t reserved;
};

struct tenon_program_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* name;
  const char* const* kernels;
  int32_t kernel_count;
  int32_t header_count;
  const char* const* header_names;
  const char* const* header_sources;
  const char* const* options;
  int32_t option_count;
  int32_t mode;
  const char* architecture;
  const char* const* globals;
  int32_t global_count;
  uint32_t reserved;
  double time_limit;
};

struct tenon_parameter_info {
  uint32_t struct_size;
  int32_t kind;
  uint32_t dtype;
  uint32_t read_only;
  uint32_t size;
  uint32_t alignment;
  uint32_t element_size;
  uint32_t reserved;
};

struct tenon_kernel_info {
  uint32_t struct_size;
  int32_t max_threads_per_block;
  int32_t registers;
  uint32_t execution;
  uint64_t shared_bytes;
  uint64_t constant_bytes;
  uint64_t local_bytes;
  uint64_t dynamic_shared_bytes;
  int32_t ptx_version;
  int32_t binary_version;
  int32_t cache_mode_ca;
  int32_t shared_carveout;
};

struct tenon_launch {
  uint32_t struct_size;
  uint32_t flags;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3];
  uint32_t shared_bytes;
};

struct tenon_program_input {
  uint32_t struct_size;
  int32_t kind;
  const void* data;
  uint64_t size;
  const char* name;
};

struct tenon_texture_options {
  uint32_t struct_size;
  int32_t dimensions;
  int32_t channels;
  int32_t layered;
  int32_t cube;
  int32_t normalized_coordinates;
  int32_t normalized_reads;
  int32_t surface;
  int32_t gather;
  int32_t share;
  int32_t filter;
  int32_t address_x;
  int32_t address_y;
  int32_t address_z;
  float border[4];
};

struct tenon_texture_info {
  uint32_t struct_size;
  uint32_t dtype;
  int32_t dimensions;
  int32_t channels;
  int32_t layered;
  int32_t cube;
  int32_t surface;
  int32_t shared;
  int64_t width;
  int64_t height;
  int64_t depth;
  int64_t layers;
  uint64_t texture_object;
  uint64_t surface_object;
};

struct tenon_random_options {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t key;
  uint64_t offset;
  uint64_t stream;
  double a;
  double b;
  int64_t low;
  uint64_t count;
};

struct tenon_moving_options {
  uint32_t struct_size;
  uint32_t reserved;
};

struct tenon_pad_options {
  uint32_t struct_size;
  int32_t mode;
  const tenon_arg* value;
};

struct tenon_take_options {
  uint32_t struct_size;
  int32_t along;
  int32_t operation;
  int32_t reserved;
};

struct tenon_range_options {
  uint32_t struct_size;
  int32_t has_last;
  int64_t first;
  int64_t integer_step;
  double start;
  double step;
  double last;
};

struct tenon_diagonal_options {
  uint32_t struct_size;
  int32_t upper;
  int64_t diagonal;
};

struct tenon_sort_options {
  uint32_t struct_size;
  int32_t descending;
};

struct tenon_top_k_options {
  uint32_t struct_size;
  int32_t smallest;
};

struct tenon_search_options {
  uint32_t struct_size;
  int32_t right;
};

struct tenon_unique_options {
  uint32_t struct_size;
  int32_t nan_distinct;
};

struct tenon_bincount_options {
  uint32_t struct_size;
  uint32_t reserved;
};

struct tenon_cache_info {
  uint32_t struct_size;
  int32_t mode;
  const char* directory;
  uint64_t limit_bytes;
  uint64_t entries;
  uint64_t bytes;
  uint64_t process_hits;
  uint64_t disk_hits;
  uint64_t misses;
  uint64_t compiled;
  uint64_t failed;
  uint64_t waits;
  uint64_t damaged;
  uint64_t written;
  uint64_t not_written;
  uint64_t evicted;
};

struct tenon_cache_tally {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t entries;
  uint64_t bytes;
  uint64_t damaged;
  uint64_t kept;
};

struct tenon_generated_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* name;
  const char* preamble;
  const char* const* options;
  int32_t option_count;
  int32_t mode;
  const char* accumulator;
};

struct tenon_step {
  int32_t kind;
  int32_t function;
  int32_t x;
  int32_t y;
  int32_t z;
  uint32_t dtype;
};

struct tenon_graph_node_info {
  uint32_t struct_size;
  int32_t kind;
  const char* name;
  int32_t parameter_count;
  int32_t reserved;
};

struct tenon_compute_options {
  uint32_t struct_size;
  uint32_t flags;
};

struct tenon_reduce_options {
  uint32_t struct_size;
  uint32_t flags;
  const int32_t* axes;
  int32_t axis_count;
  int32_t keep_axes;
  uint32_t dtype;
  int32_t no_axes;
  double correction;
};

struct tenon_accumulate_options {
  uint32_t struct_size;
  uint32_t flags;
  int32_t axis;
  int32_t reserved;
  uint32_t dtype;
  int32_t exclusive;
};

struct tenon_gemm_options {
  uint32_t struct_size;
  int32_t compute;
  int32_t* out_packed;
  int32_t op_a;
  int32_t op_b;
  const tenon_array* bias;
  int32_t epilogue;
  int32_t tune;
};

struct tenon_svd_options {
  uint32_t struct_size;
  int32_t mode;
  int32_t driver;
  int32_t reserved;
  int64_t k;
  double tolerance;
  int32_t* out_driver;
};

struct tenon_blas_options {
  uint32_t struct_size;
  int32_t op;
  int32_t upper;
  int32_t right;
  int32_t hermitian;
  int32_t unit_diagonal;
  int32_t conjugate;
  int32_t op_b;
  int64_t below;
  int32_t* out_packed;
};

struct tenon_solve_options {
  uint32_t struct_size;
  int32_t kind;
  int32_t op;
  int32_t unit_diagonal;
};

struct tenon_lu_options {
  uint32_t struct_size;
  int32_t op;
  int32_t reserved;
};

struct tenon_cholesky_options {
  uint32_t struct_size;
  int32_t upper;
  int32_t reserved;
};

struct tenon_qr_options {
  uint32_t struct_size;
  int32_t mode;
  int32_t reserved;
};

struct tenon_rank_options {
  uint32_t struct_size;
  int32_t reserved;
  double rcond;
};

struct tenon_ldl_options {
  uint32_t struct_size;
  int32_t upper;
  int32_t hermitian;
  int32_t reserved;
};

struct tenon_eigh_options {
  uint32_t struct_size;
  int32_t upper;
  int64_t first;
  int64_t count;
  double low;
  double high;
  int32_t by_value;
  int32_t reserved;
};

struct tenon_eig_options {
  uint32_t struct_size;
  int32_t reserved;
};

struct tenon_norm_options {
  uint32_t struct_size;
  int32_t kind;
  int32_t reserved;
};

struct tenon_power_options {
  uint32_t struct_size;
  int32_t reserved;
};

struct tenon_fft_options {
  uint32_t struct_size;
  int32_t direction;
  int32_t norm;
  int32_t reserved;
  int64_t real_length;
};

struct tenon_dct_options {
  uint32_t struct_size;
  int32_t type;
  int32_t sine;
  int32_t direction;
  int32_t norm;
  int32_t reserved;
};

struct tenon_convolve_options {
  uint32_t struct_size;
  int32_t mode;
  int32_t correlate;
  int32_t reserved;
};

struct tenon_shift_options {
  uint32_t struct_size;
  int32_t inverse;
  int32_t reserved;
};

struct tenon_frequencies_options {
  uint32_t struct_size;
  int32_t half;
  int32_t reserved;
};

struct tenon_package_options {
  uint32_t struct_size;
  uint32_t flags;
  const char* sha256;
  const char* const* trusted_keys;
  int32_t trusted_key_count;
  uint32_t reserved;
};

struct tenon_operation_info {
  uint32_t struct_size;
  uint32_t flags;
  int32_t parameter_count;
  int32_t output_count;
  int32_t tunable_count;
  int32_t test_count;
};

struct tenon_operation_parameter_info {
  uint32_t struct_size;
  int32_t role;
  uint32_t flags;
  uint32_t dtype;
  int32_t placeholder;
  int32_t reserved;
  const char* name;
  const char* doc;
};

struct tenon_measure_options {
  uint32_t struct_size;
  int32_t given_count;
  const char* const* given_names;
  const char* const* given_values;
  const char* types;
  double seconds;
};

struct tenon_host_call {
  uint32_t struct_size;
  int32_t count;
  const tenon_arg* args;
  tenon_stream* stream;
};

struct tenon_host_function {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;
  tenon_host_fn function;
  void* user;
  tenon_destroy_fn destroy;
};

struct tenon_registry {
  uint32_t struct_size;
  uint32_t reserved;
  void* user;
  tenon_registry_add_fn add;
};

int32_t tenon_blob_data(const tenon_blob* blob, const void** out_data, uint64_t* out_size) { ABSENT }
int32_t tenon_blob_retain(const tenon_blob* blob) { ABSENT }
void tenon_blob_release(tenon_blob* blob) { ABSENT }
uint32_t tenon_version(void) { ABSENT }
const tenon_api* tenon_get_api(uint32_t level) { ABSENT }
const char* tenon_build_info(void) { ABSENT }
const char* tenon_status_name(int32_t status) { ABSENT }
int32_t tenon_error_last(tenon_error** out_error) { ABSENT }
void tenon_error_clear(void) { ABSENT }
const char* tenon_error_last_message(void) { ABSENT }
int32_t tenon_error_status(const tenon_error* error, int32_t* out_status) { ABSENT }
int32_t tenon_error_message(const tenon_error* error, const char** out_text) { ABSENT }
int32_t tenon_error_native(const tenon_error* error, const char** out_call, int64_t* out_code) { ABSENT }
int32_t tenon_error_log(const tenon_error* error, const char** out_text) { ABSENT }
int32_t tenon_error_retain(const tenon_error* error) { ABSENT }
void tenon_error_release(tenon_error* error) { ABSENT }
const char* tenon_dtype_name(uint32_t dtype) { ABSENT }
int32_t tenon_dtype_bits(uint32_t dtype, uint32_t* out_bits) { ABSENT }
int32_t tenon_context_default(tenon_context** out_context) { ABSENT }
int32_t tenon_context_create(const tenon_context_options* options, tenon_context** out_context) { ABSENT }
int32_t tenon_context_retain(const tenon_context* context) { ABSENT }
void tenon_context_release(tenon_context* context) { ABSENT }
int32_t tenon_context_device_count(tenon_context* context, int32_t* out_count) { ABSENT }
int32_t tenon_context_device_at(tenon_context* context, int32_t index, tenon_device** out_device) { ABSENT }
int32_t tenon_context_device(tenon_context* context, const char* name, tenon_device** out_device) { ABSENT }
int32_t tenon_context_report(tenon_context* context, tenon_blob** out_report) { ABSENT }
int32_t tenon_device_get_info(const tenon_device* device, tenon_device_info* out_info) { ABSENT }
int32_t tenon_device_name(const tenon_device* device, const char** out_name) { ABSENT }
int32_t tenon_device_description(const tenon_device* device, const char** out_text) { ABSENT }
int32_t tenon_device_toolkit(const tenon_device* device, const char** out_text) { ABSENT }
int32_t tenon_device_synchronize(tenon_device* device) { ABSENT }
int32_t tenon_device_retain(const tenon_device* device) { ABSENT }
void tenon_device_release(tenon_device* device) { ABSENT }
int32_t tenon_device_get_memory_info(const tenon_device* device, tenon_memory_info* out_info) { ABSENT }
int32_t tenon_device_trim_memory(tenon_device* device, uint64_t keep_bytes) { ABSENT }
int32_t tenon_stream_create(tenon_device* device, const tenon_stream_options* options,
                            tenon_stream** out_stream) { ABSENT }
int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                          tenon_stream** out_stream) { ABSENT }
int32_t tenon_stream_default(tenon_device* device, tenon_stream** out_stream) { ABSENT }
int32_t tenon_stream_native(const tenon_stream* stream, uint64_t* out_native) { ABSENT }
int32_t tenon_stream_device(const tenon_stream* stream, tenon_device** out_device) { ABSENT }
int32_t tenon_stream_synchronize(tenon_stream* stream) { ABSENT }
int32_t tenon_stream_query(tenon_stream* stream) { ABSENT }
int32_t tenon_stream_wait_event(tenon_stream* stream, tenon_event* event) { ABSENT }
int32_t tenon_stream_retain(const tenon_stream* stream) { ABSENT }
void tenon_stream_release(tenon_stream* stream) { ABSENT }
int32_t tenon_event_create(tenon_device* device, uint32_t flags, tenon_event** out_event) { ABSENT }
int32_t tenon_event_record(tenon_event* event, tenon_stream* stream) { ABSENT }
int32_t tenon_event_synchronize(tenon_event* event) { ABSENT }
int32_t tenon_event_query(tenon_event* event) { ABSENT }
int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, double* out_seconds) { ABSENT }
int32_t tenon_event_retain(const tenon_event* event) { ABSENT }
void tenon_event_release(tenon_event* event) { ABSENT }
int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, int32_t kind, tenon_stream* stream,
                            tenon_buffer** out_buffer) { ABSENT }
int32_t tenon_buffer_wrap(tenon_device* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only,
                          tenon_stream* stream, tenon_destroy_fn destroy, void* user,
                          tenon_buffer** out_buffer) { ABSENT }
int32_t tenon_buffer_data(const tenon_buffer* buffer, void** out_data, uint64_t* out_bytes) { ABSENT }
int32_t tenon_buffer_retain(const tenon_buffer* buffer) { ABSENT }
void tenon_buffer_release(tenon_buffer* buffer) { ABSENT }
int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                           tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                          tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                              const void* data, uint64_t bytes, tenon_stream* stream,
                              tenon_array** out_array) { ABSENT }
int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank, const int64_t* shape,
                                const int64_t* strides, uint64_t byte_offset, tenon_array** out_array) { ABSENT }
int32_t tenon_array_retain(const tenon_array* array) { ABSENT }
void tenon_array_release(tenon_array* array) { ABSENT }
int32_t tenon_array_get_info(const tenon_array* array, tenon_array_info* out_info) { ABSENT }
int32_t tenon_array_device(const tenon_array* array, tenon_device** out_device) { ABSENT }
int32_t tenon_array_buffer(const tenon_array* array, tenon_buffer** out_buffer) { ABSENT }
int32_t tenon_array_reshape(const tenon_array* array, int32_t rank, const int64_t* shape,
                            tenon_array** out_array) { ABSENT }
int32_t tenon_array_transpose(const tenon_array* array, int32_t rank, const int32_t* axes,
                              tenon_array** out_array) { ABSENT }
int32_t tenon_array_slice(const tenon_array* array, int32_t rank, const int64_t* starts, const int64_t* stops,
                          const int64_t* steps, tenon_array** out_array) { ABSENT }
int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index, tenon_array** out_array) { ABSENT }
int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank, const int64_t* shape,
                              tenon_array** out_array) { ABSENT }
int32_t tenon_array_view(const tenon_array* array, uint32_t dtype, tenon_array** out_array) { ABSENT }
int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source, tenon_stream* stream) { ABSENT }
int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, tenon_stream* stream) { ABSENT }
int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, tenon_device* device, tenon_stream* stream,
                            tenon_array** out_array) { ABSENT }
int32_t tenon_array_to_host(const tenon_array* array, void* data, uint64_t bytes, tenon_stream* stream) { ABSENT }
int32_t tenon_array_set_from_host(tenon_array* array, const void* data, uint64_t bytes, tenon_stream* stream) { ABSENT }
int32_t tenon_array_from_dlpack(tenon_context* context, struct DLManagedTensor* tensor, int32_t read_only,
                                tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_array_from_dlpack_versioned(tenon_context* context, struct DLManagedTensorVersioned* tensor,
                                          tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_array_to_dlpack(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                              struct DLManagedTensor** out_tensor) { ABSENT }
int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                                        struct DLManagedTensorVersioned** out_tensor) { ABSENT }
int32_t tenon_program_create(tenon_device* device, const char* source, uint64_t size,
                             const tenon_program_options* options, tenon_program** out_program) { ABSENT }
int32_t tenon_program_log(const tenon_program* program, const char** out_text) { ABSENT }
int32_t tenon_program_image(const tenon_program* program, int32_t kind, tenon_blob** out_image) { ABSENT }
int32_t tenon_program_kernel(tenon_program* program, const char* name, tenon_kernel** out_kernel) { ABSENT }
int32_t tenon_program_retain(const tenon_program* program) { ABSENT }
void tenon_program_release(tenon_program* program) { ABSENT }
int32_t tenon_kernel_parameter_count(const tenon_kernel* kernel, int32_t* out_count) { ABSENT }
int32_t tenon_kernel_get_parameter_info(const tenon_kernel* kernel, int32_t index,
                                        tenon_parameter_info* out_info) { ABSENT }
int32_t tenon_kernel_name(const tenon_kernel* kernel, const char** out_name) { ABSENT }
int32_t tenon_kernel_get_info(tenon_kernel* kernel, tenon_kernel_info* out_info) { ABSENT }
int32_t tenon_kernel_retain(const tenon_kernel* kernel) { ABSENT }
void tenon_kernel_release(tenon_kernel* kernel) { ABSENT }
int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                            tenon_stream* stream) { ABSENT }
int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                          tenon_call** out_call) { ABSENT }
int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg) { ABSENT }
int32_t tenon_call_launch(tenon_call* call, tenon_stream* stream) { ABSENT }
int32_t tenon_call_clone(const tenon_call* call, tenon_call** out_call) { ABSENT }
int32_t tenon_call_retain(const tenon_call* call) { ABSENT }
void tenon_call_release(tenon_call* call) { ABSENT }
int32_t tenon_gemm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                   const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* options, tenon_stream* stream, tenon_array** out_u,
                  tenon_array** out_s, tenon_array** out_vh) { ABSENT }
int32_t tenon_fft(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_fft_options* options,
                  tenon_stream* stream, tenon_array** out_destination) { ABSENT }
int32_t tenon_elementwise_create(const char* inputs, const char* outputs, const char* operation,
                                 const tenon_generated_options* options, tenon_elementwise** out_elementwise) { ABSENT }
int32_t tenon_elementwise_call(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count,
                               tenon_stream* stream) { ABSENT }
int32_t tenon_elementwise_output(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count, int32_t index,
                                 tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_elementwise_retain(const tenon_elementwise* elementwise) { ABSENT }
void tenon_elementwise_release(tenon_elementwise* elementwise) { ABSENT }
int32_t tenon_reduction_create(const char* inputs, const char* output, const char* map, const char* reduce,
                               const char* post, const char* identity, const tenon_generated_options* options,
                               tenon_reduction** out_reduction) { ABSENT }
int32_t tenon_reduction_call(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                             int32_t axis_count, tenon_stream* stream) { ABSENT }
int32_t tenon_reduction_output(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                               int32_t axis_count, int32_t keep_axes, tenon_stream* stream,
                               tenon_array** out_array) { ABSENT }
int32_t tenon_reduction_retain(const tenon_reduction* reduction) { ABSENT }
void tenon_reduction_release(tenon_reduction* reduction) { ABSENT }
int32_t tenon_scan_create(const char* inputs, const char* output, const char* map, const char* combine,
                          const char* identity, int32_t exclusive, const tenon_generated_options* options,
                          tenon_scan** out_scan) { ABSENT }
int32_t tenon_scan_call(tenon_scan* scan, const tenon_arg* args, int32_t count, int32_t axis,
                        tenon_stream* stream) { ABSENT }
int32_t tenon_scan_output(tenon_scan* scan, const tenon_arg* args, int32_t count, tenon_stream* stream,
                          tenon_array** out_array) { ABSENT }
int32_t tenon_scan_retain(const tenon_scan* scan) { ABSENT }
void tenon_scan_release(tenon_scan* scan) { ABSENT }
int32_t tenon_program_global(tenon_program* program, const char* name, tenon_array** out_array) { ABSENT }
int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                               int32_t* out_blocks_per_multiprocessor) { ABSENT }
int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, uint32_t* out_block,
                             uint32_t* out_min_grid) { ABSENT }
int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch) { ABSENT }
int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                          tenon_stream* stream, double* out_seconds) { ABSENT }
int32_t tenon_compilation_start(tenon_device* device, const char* source, uint64_t size,
                                const tenon_program_options* options, tenon_compilation** out_compilation) { ABSENT }
int32_t tenon_compilation_query(tenon_compilation* compilation) { ABSENT }
int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds, tenon_program** out_program) { ABSENT }
int32_t tenon_compilation_cancel(tenon_compilation* compilation) { ABSENT }
int32_t tenon_compilation_retain(const tenon_compilation* compilation) { ABSENT }
void tenon_compilation_release(tenon_compilation* compilation) { ABSENT }
int32_t tenon_graph_create(tenon_device* device, tenon_graph** out_graph) { ABSENT }
int32_t tenon_graph_begin(tenon_graph* graph, tenon_stream** out_stream) { ABSENT }
int32_t tenon_graph_end(tenon_graph* graph) { ABSENT }
int32_t tenon_graph_clear(tenon_graph* graph) { ABSENT }
int32_t tenon_graph_launch(tenon_graph* graph, tenon_stream* stream) { ABSENT }
int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg) { ABSENT }
int32_t tenon_graph_node_count(const tenon_graph* graph, int32_t* out_count) { ABSENT }
int32_t tenon_graph_get_node_info(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info) { ABSENT }
int32_t tenon_graph_get_parameter_info(const tenon_graph* graph, int32_t node, int32_t index,
                                       tenon_parameter_info* out_info) { ABSENT }
int32_t tenon_graph_retain(const tenon_graph* graph) { ABSENT }
void tenon_graph_release(tenon_graph* graph) { ABSENT }
int32_t tenon_package_load(tenon_context* context, const char* path, const tenon_package_options* options,
                           tenon_package** out_package) { ABSENT }
int32_t tenon_package_load_memory(tenon_context* context, const void* bytes, uint64_t size, const char* name,
                                  const tenon_package_options* options, tenon_package** out_package) { ABSENT }
int32_t tenon_package_check(tenon_context* context, const char* path, const tenon_package_options* options,
                            tenon_blob** out_report) { ABSENT }
int32_t tenon_package_find(tenon_context* context, const char* name, const char* range,
                           tenon_package** out_package) { ABSENT }
int32_t tenon_package_list(tenon_context* context, tenon_blob** out_list) { ABSENT }
int32_t tenon_package_unload(tenon_package* package) { ABSENT }
int32_t tenon_package_reload(tenon_package* package, tenon_package** out_package) { ABSENT }
int32_t tenon_package_describe(const tenon_package* package, tenon_blob** out_description) { ABSENT }
int32_t tenon_package_operation(tenon_package* package, const char* name, tenon_operation** out_operation) { ABSENT }
int32_t tenon_package_file(const tenon_package* package, const char* path, tenon_blob** out_text) { ABSENT }
int32_t tenon_package_retain(const tenon_package* package) { ABSENT }
void tenon_package_release(tenon_package* package) { ABSENT }
int32_t tenon_operation_find(tenon_context* context, const char* name, const char* range,
                             tenon_operation** out_operation) { ABSENT }
int32_t tenon_operation_describe(const tenon_operation* operation, tenon_blob** out_description) { ABSENT }
int32_t tenon_operation_get_info(const tenon_operation* operation, tenon_operation_info* out_info) { ABSENT }
int32_t tenon_operation_get_parameter_info(const tenon_operation* operation, int32_t index,
                                           tenon_operation_parameter_info* out_info) { ABSENT }
int32_t tenon_operation_gradient(const tenon_operation* operation, tenon_operation** out_gradient) { ABSENT }
int32_t tenon_operation_package(const tenon_operation* operation, tenon_package** out_package) { ABSENT }
int32_t tenon_operation_retain(const tenon_operation* operation) { ABSENT }
void tenon_operation_release(tenon_operation* operation) { ABSENT }
int32_t tenon_dot(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_dot) { ABSENT }
int32_t tenon_einsum(const char* subscripts, const tenon_array* const* operands, int32_t count,
                     const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum) { ABSENT }
int32_t tenon_solve(const tenon_array* a, const tenon_array* b, const tenon_solve_options* options,
                    tenon_stream* stream, tenon_array** out_x) { ABSENT }
int32_t tenon_lu(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_lu,
                 tenon_array** out_pivots) { ABSENT }
int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b,
                       const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_x) { ABSENT }
int32_t tenon_cholesky(const tenon_array* a, const tenon_cholesky_options* options, tenon_stream* stream,
                       tenon_array** out_factor) { ABSENT }
int32_t tenon_cholesky_solve(const tenon_array* factor, const tenon_array* b, const tenon_cholesky_options* options,
                             tenon_stream* stream, tenon_array** out_x) { ABSENT }
int32_t tenon_qr(const tenon_array* a, const tenon_qr_options* options, tenon_stream* stream, tenon_array** out_q,
                 tenon_array** out_r) { ABSENT }
int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, const tenon_rank_options* options, tenon_stream* stream,
                    tenon_array** out_x, tenon_array** out_rank, tenon_array** out_s) { ABSENT }
int32_t tenon_inverse(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                      tenon_array** out_inverse) { ABSENT }
int32_t tenon_pinv(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                   tenon_array** out_inverse) { ABSENT }
int32_t tenon_matrix_rank(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                          tenon_array** out_rank) { ABSENT }
int32_t tenon_det(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                  tenon_array** out_det) { ABSENT }
int32_t tenon_slogdet(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                      tenon_array** out_sign, tenon_array** out_log) { ABSENT }
int32_t tenon_eigh(const tenon_array* a, const tenon_eigh_options* options, tenon_stream* stream, tenon_array** out_w,
                   tenon_array** out_v) { ABSENT }
int32_t tenon_eig(const tenon_array* a, const tenon_eig_options* options, tenon_stream* stream, tenon_array** out_w,
                  tenon_array** out_left, tenon_array** out_right) { ABSENT }
int32_t tenon_norm(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                   tenon_array** out_norm) { ABSENT }
int32_t tenon_cond(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                   tenon_array** out_cond) { ABSENT }
int32_t tenon_matrix_power(const tenon_array* a, int64_t n, const tenon_power_options* options, tenon_stream* stream,
                           tenon_array** out_power) { ABSENT }
int32_t tenon_expm(const tenon_array* a, const tenon_power_options* options, tenon_stream* stream,
                   tenon_array** out_exponential) { ABSENT }
int32_t tenon_operation_call(tenon_operation* operation, const tenon_arg* args, int32_t count,
                             tenon_stream* stream) { ABSENT }
int32_t tenon_operation_output(tenon_operation* operation, const tenon_arg* args, int32_t count, int32_t index,
                               tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_operation_prepare(tenon_operation* operation, const tenon_arg* args, int32_t count) { ABSENT }
int32_t tenon_package_prepare(tenon_package* package, tenon_device* device) { ABSENT }
int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name, int64_t value) { ABSENT }
int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name, int64_t* out_value) { ABSENT }
int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device, tenon_blob** out_report) { ABSENT }
int32_t tenon_operation_bind(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream,
                             tenon_call** out_call) { ABSENT }
int32_t tenon_program_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                           const tenon_program_options* options, tenon_program** out_program) { ABSENT }
int32_t tenon_compilation_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                               const tenon_program_options* options, tenon_compilation** out_compilation) { ABSENT }
int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index, const char** out_name) { ABSENT }
int32_t tenon_cache_get_info(tenon_context* context, tenon_cache_info* out_info) { ABSENT }
int32_t tenon_cache_list(tenon_context* context, tenon_blob** out_list) { ABSENT }
int32_t tenon_cache_verify(tenon_context* context, int32_t remove, tenon_cache_tally* out_tally) { ABSENT }
int32_t tenon_cache_export(tenon_context* context, const char* path, tenon_cache_tally* out_tally) { ABSENT }
int32_t tenon_cache_import(tenon_context* context, const char* path, tenon_cache_tally* out_tally) { ABSENT }
int32_t tenon_cache_clear(tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                          tenon_cache_tally* out_tally) { ABSENT }
int32_t tenon_kron(const tenon_array* a, const tenon_array* b, const tenon_gemm_options* options, tenon_stream* stream,
                   tenon_array** out_product) { ABSENT }
int32_t tenon_ldl(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_ld,
                  tenon_array** out_pivots) { ABSENT }
int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                        const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_x) { ABSENT }
int32_t tenon_program_compile(const char* architecture, const char* source, uint64_t size,
                              const tenon_program_options* options, int32_t kind, tenon_blob** out_image,
                              tenon_blob** out_log) { ABSENT }
int32_t tenon_package_pack(const char* path, const tenon_package_options* options, tenon_blob** out_archive) { ABSENT }
int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options,
                                tenon_blob** out_report) { ABSENT }
int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options,
                             tenon_blob** out_report) { ABSENT }
int32_t tenon_dct(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options,
                  tenon_stream* stream, tenon_array** out_destination) { ABSENT }
int32_t tenon_signing_key_create(tenon_blob** out_secret) { ABSENT }
int32_t tenon_signing_key_public(const char* secret, tenon_blob** out_public) { ABSENT }
int32_t tenon_package_sign(const char* path, const char* secret, const tenon_package_options* options,
                           tenon_blob** out_signature) { ABSENT }
int32_t tenon_plugin_load(tenon_context* context, const char* path, const tenon_package_options* options,
                          tenon_package** out_package) { ABSENT }
int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b,
                        int32_t count, const tenon_gemm_options* options, tenon_stream* stream,
                        tenon_array** out_sum) { ABSENT }
int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                          int32_t axis_count, const tenon_fft_options* options) { ABSENT }
int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                          int32_t axis_count, const tenon_dct_options* options) { ABSENT }
int32_t tenon_convolve(const tenon_array* a, const tenon_array* b, const int32_t* axes, int32_t axis_count,
                       const tenon_convolve_options* options, tenon_stream* stream, tenon_array** out_result) { ABSENT }
int32_t tenon_fft_shift(const tenon_array* x, const int32_t* axes, int32_t axis_count,
                        const tenon_shift_options* options, tenon_stream* stream, tenon_array** out_shifted) { ABSENT }
int32_t tenon_fft_frequencies(tenon_device* device, uint32_t dtype, int64_t n, double spacing,
                              const tenon_frequencies_options* options, tenon_stream* stream,
                              tenon_array** out_frequencies) { ABSENT }
int32_t tenon_fft_fast_length(int64_t n, int64_t* out_length) { ABSENT }
int32_t tenon_gemv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_ger(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_a) { ABSENT }
int32_t tenon_axpy(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_scal(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_nrm2(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_norm) { ABSENT }
int32_t tenon_syrk(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_symm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_trmm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_trsm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x) { ABSENT }
int32_t tenon_gemm_grouped(int64_t count, const tenon_arg* alpha, const tenon_array* const* a,
                           const tenon_array* const* b, const tenon_arg* beta, const tenon_gemm_options* options,
                           tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_error_batch_index(const tenon_error* error, int64_t* out_index) { ABSENT }
int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current) { ABSENT }
int32_t tenon_interrupt_set(tenon_interrupt_fn interrupt, void* user) { ABSENT }
int32_t tenon_handle_kind(const void* handle, int32_t* out_kind) { ABSENT }
int32_t tenon_retain(const void* handle) { ABSENT }
void tenon_release(void* handle) { ABSENT }
int32_t tenon_same(const void* a, const void* b, int32_t* out_same) { ABSENT }
int32_t tenon_cpu_threads_set(int32_t threads) { ABSENT }
int32_t tenon_cpu_threads_get(int32_t* out_threads) { ABSENT }
int32_t tenon_event_device(const tenon_event* event, tenon_device** out_device) { ABSENT }
int32_t tenon_buffer_device(const tenon_buffer* buffer, tenon_device** out_device) { ABSENT }
int32_t tenon_program_device(const tenon_program* program, tenon_device** out_device) { ABSENT }
int32_t tenon_kernel_program(const tenon_kernel* kernel, tenon_program** out_program) { ABSENT }
int32_t tenon_kernel_device(const tenon_kernel* kernel, tenon_device** out_device) { ABSENT }
int32_t tenon_call_kernel(const tenon_call* call, tenon_kernel** out_kernel) { ABSENT }
int32_t tenon_graph_device(const tenon_graph* graph, tenon_device** out_device) { ABSENT }
int32_t tenon_symv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_syr(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_a) { ABSENT }
int32_t tenon_trmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_y) { ABSENT }
int32_t tenon_trsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x) { ABSENT }
int32_t tenon_unary(int32_t function, const tenon_arg* x, const tenon_compute_options* options, tenon_stream* stream,
                    tenon_array** out_result) { ABSENT }
int32_t tenon_binary(int32_t function, const tenon_arg* x, const tenon_arg* y, const tenon_compute_options* options,
                     tenon_stream* stream, tenon_array** out_result) { ABSENT }
int32_t tenon_select(const tenon_arg* condition, const tenon_arg* x, const tenon_arg* y,
                     const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result) { ABSENT }
int32_t tenon_clip(const tenon_arg* x, const tenon_arg* low, const tenon_arg* high,
                   const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result) { ABSENT }
int32_t tenon_cast(const tenon_arg* x, uint32_t dtype, const tenon_compute_options* options, tenon_stream* stream,
                   tenon_array** out_result) { ABSENT }
int32_t tenon_reduce(int32_t function, const tenon_arg* x, const tenon_reduce_options* options, tenon_stream* stream,
                     tenon_array** out_result) { ABSENT }
int32_t tenon_accumulate(int32_t function, const tenon_arg* x, const tenon_accumulate_options* options,
                         tenon_stream* stream, tenon_array** out_result) { ABSENT }
int32_t tenon_result_type(const tenon_arg* args, int32_t count, uint32_t* out_dtype) { ABSENT }
int32_t tenon_random(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, int32_t distribution,
                     const tenon_random_options* options, tenon_stream* stream, tenon_array** out_numbers) { ABSENT }
int32_t tenon_random_blocks(uint32_t dtype, int64_t count, int32_t distribution, uint64_t* out_blocks) { ABSENT }
int32_t tenon_random_split(uint64_t key, int64_t count, uint64_t* out_keys) { ABSENT }
int32_t tenon_random_permutation(tenon_device* device, int64_t n, const tenon_random_options* options,
                                 tenon_stream* stream, tenon_array** out_order) { ABSENT }
int32_t tenon_concat(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                     tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_stack(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                    tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_tile(const tenon_array* x, int32_t rank, const int64_t* repeats, const tenon_moving_options* options,
                   tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_repeat(const tenon_array* x, int64_t count, int32_t axis, const tenon_moving_options* options,
                     tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_roll(const tenon_array* x, const int64_t* shifts, const int32_t* axes, int32_t count,
                   const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_pad(const tenon_array* x, int32_t rank, const int64_t* before, const int64_t* after,
                  const tenon_pad_options* options, tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_take(const tenon_array* x, const tenon_array* const* indices, const int32_t* axes, int32_t count,
                   const tenon_take_options* options, tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_scatter(tenon_array* x, const tenon_array* values, const tenon_array* const* indices, const int32_t* axes,
                      int32_t count, const tenon_take_options* options, tenon_stream* stream) { ABSENT }
int32_t tenon_nonzero(const tenon_array* x, const tenon_moving_options* options, tenon_stream* stream,
                      tenon_array** out_indices) { ABSENT }
int32_t tenon_compress(const tenon_array* x, const tenon_array* mask, int32_t axis, const tenon_moving_options* options,
                       tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_range(tenon_device* device, uint32_t dtype, int64_t count, const tenon_range_options* options,
                    tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_eye(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns,
                  const tenon_diagonal_options* options, tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_triangle(const tenon_array* x, const tenon_diagonal_options* options, tenon_stream* stream,
                       tenon_array** out_array) { ABSENT }
int32_t tenon_sort(const tenon_array* x, int32_t axis, const tenon_sort_options* options, tenon_stream* stream,
                   tenon_array** out_values, tenon_array** out_indices) { ABSENT }
int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis, const tenon_top_k_options* options,
                    tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices) { ABSENT }
int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted, const tenon_search_options* options,
                            tenon_stream* stream, tenon_array** out_places) { ABSENT }
int32_t tenon_unique(const tenon_array* x, const tenon_unique_options* options, tenon_stream* stream,
                     tenon_array** out_values, tenon_array** out_indices, tenon_array** out_inverse,
                     tenon_array** out_counts) { ABSENT }
int32_t tenon_bincount(const tenon_array* x, const tenon_array* weights, int64_t length,
                       const tenon_bincount_options* options, tenon_stream* stream, tenon_array** out_counts) { ABSENT }
int32_t tenon_device_allocator(tenon_device* device, tenon_allocator* out_allocator) { ABSENT }
int32_t tenon_stream_call_host(tenon_stream* stream, tenon_stream_fn function, tenon_destroy_fn destroy,
                               void* user) { ABSENT }
int32_t tenon_event_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                         tenon_event** out_event) { ABSENT }
int32_t tenon_event_native(const tenon_event* event, uint64_t* out_native) { ABSENT }
int32_t tenon_buffer_create_shared(tenon_device* device, uint64_t bytes, tenon_buffer** out_buffer) { ABSENT }
int32_t tenon_buffer_share(const tenon_buffer* buffer, tenon_blob** out_key) { ABSENT }
int32_t tenon_buffer_open(tenon_device* device, const void* key, uint64_t size, tenon_buffer** out_buffer) { ABSENT }
int32_t tenon_array_use(tenon_array* array, int32_t access, tenon_stream* stream) { ABSENT }
int32_t tenon_call_set_args(tenon_call* call, const tenon_arg* args, int32_t count) { ABSENT }
int32_t tenon_call_set_launch(tenon_call* call, const tenon_launch* launch) { ABSENT }
int32_t tenon_graph_set_args(tenon_graph* graph, int32_t node, const tenon_arg* args, int32_t count) { ABSENT }
int32_t tenon_graph_set_launch(tenon_graph* graph, int32_t node, const tenon_launch* launch) { ABSENT }
int32_t tenon_graph_last_node(const tenon_stream* stream, int32_t* out_node) { ABSENT }
int32_t tenon_asum(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_sum) { ABSENT }
int32_t tenon_iamax(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                    tenon_array** out_index) { ABSENT }
int32_t tenon_iamin(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                    tenon_array** out_index) { ABSENT }
int32_t tenon_swap(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x, tenon_array** out_y) { ABSENT }
int32_t tenon_rot(const tenon_arg* c, const tenon_arg* s, const tenon_array* x, const tenon_array* y,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x,
                  tenon_array** out_y) { ABSENT }
int32_t tenon_rotg(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_c, tenon_array** out_s, tenon_array** out_r) { ABSENT }
int32_t tenon_syr2(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_a) { ABSENT }
int32_t tenon_gbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_sbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) { ABSENT }
int32_t tenon_syr2k(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                    const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_geam(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) { ABSENT }
int32_t tenon_device_limit_memory(tenon_device* device, uint64_t bytes) { ABSENT }
int32_t tenon_rotm(const tenon_array* x, const tenon_array* y, const tenon_array* h, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_x, tenon_array** out_y) { ABSENT }
int32_t tenon_rotmg(const tenon_array* d1, const tenon_array* d2, const tenon_array* x1, const tenon_array* y1,
                    const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_d1, tenon_array** out_d2,
                    tenon_array** out_x1, tenon_array** out_h) { ABSENT }
int32_t tenon_tbmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_y) { ABSENT }
int32_t tenon_tbsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x) { ABSENT }
int32_t tenon_elementwise_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                  int32_t step_count, const int32_t* outputs, int32_t output_count,
                                  const tenon_generated_options* options,
                                  tenon_elementwise** out_elementwise) { ABSENT }
int32_t tenon_texture_create(const tenon_array* source, const tenon_texture_options* options, tenon_stream* stream,
                             tenon_texture** out_texture) { ABSENT }
int32_t tenon_texture_update(tenon_texture* texture, const tenon_array* source, tenon_stream* stream) { ABSENT }
int32_t tenon_texture_read(const tenon_texture* texture, tenon_stream* stream, tenon_array** out_array) { ABSENT }
int32_t tenon_texture_get_info(const tenon_texture* texture, tenon_texture_info* out_info) { ABSENT }
int32_t tenon_texture_device(const tenon_texture* texture, tenon_device** out_device) { ABSENT }
int32_t tenon_texture_retain(const tenon_texture* texture) { ABSENT }
void tenon_texture_release(tenon_texture* texture) { ABSENT }
int32_t tenon_kernel_prefer_shared(tenon_kernel* kernel, int32_t percent) { ABSENT }
