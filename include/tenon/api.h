/* tenon/api.h: every function in one table, for plugins and for programs that open the library at run time.
 *
 * Derived from the headers (abi/README.md). Rows are only ever appended. The rows of
 * TENON_TARGET_LEVEL (abi.h) are declared here; TENON_HAS tells whether the table of the loaded library has a row. The
 * header that declares a function documents it.
 */
#ifndef TENON_API_H
#define TENON_API_H

#include <tenon/abi.h>
#include <tenon/status.h>
#include <tenon/handle.h>
#include <tenon/dtype.h>
#include <tenon/context.h>
#include <tenon/stream.h>
#include <tenon/argument.h>
#include <tenon/array.h>
#include <tenon/dlpack.h>
#include <tenon/kernel.h>
#include <tenon/program.h>
#include <tenon/texture.h>
#include <tenon/random.h>
#include <tenon/moving.h>
#include <tenon/select.h>
#include <tenon/cache.h>
#include <tenon/generated.h>
#include <tenon/graph.h>
#include <tenon/functions.h>
#include <tenon/compute.h>
#include <tenon/linalg.h>
#include <tenon/blas.h>
#include <tenon/solve.h>
#include <tenon/eigen.h>
#include <tenon/fft.h>
#include <tenon/signal.h>
#include <tenon/sparse.h>
#include <tenon/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tenon_api {
  uint32_t struct_size; /* bytes of the table of the library that is loaded */
  uint32_t abi_level;   /* TENON_ABI_LEVEL of that library */
  /* Level 1.0. */
  int32_t (*blob_data)(const tenon_blob* blob, const void** out_data, uint64_t* out_size);
  int32_t (*blob_retain)(const tenon_blob* blob);
  void (*blob_release)(tenon_blob* blob);
  uint32_t (*version)(void);
  const tenon_api* (*get_api)(uint32_t level);
  const char* (*build_info)(void);
  const char* (*status_name)(int32_t status);
  int32_t (*error_last)(tenon_error** out_error);
  void (*error_clear)(void);
  const char* (*error_last_message)(void);
  int32_t (*error_status)(const tenon_error* error, int32_t* out_status);
  int32_t (*error_message)(const tenon_error* error, const char** out_text);
  int32_t (*error_native)(const tenon_error* error, const char** out_call, int64_t* out_code);
  int32_t (*error_log)(const tenon_error* error, const char** out_text);
  int32_t (*error_retain)(const tenon_error* error);
  void (*error_release)(tenon_error* error);
  const char* (*dtype_name)(uint32_t dtype);
  int32_t (*dtype_bits)(uint32_t dtype, uint32_t* out_bits);
  int32_t (*context_default)(tenon_context** out_context);
  int32_t (*context_create)(const tenon_context_options* options, tenon_context** out_context);
  int32_t (*context_retain)(const tenon_context* context);
  void (*context_release)(tenon_context* context);
  int32_t (*context_device_count)(tenon_context* context, int32_t* out_count);
  int32_t (*context_device_at)(tenon_context* context, int32_t index, tenon_device** out_device);
  int32_t (*context_device)(tenon_context* context, const char* name, tenon_device** out_device);
  int32_t (*context_report)(tenon_context* context, tenon_blob** out_report);
  int32_t (*device_get_info)(const tenon_device* device, tenon_device_info* out_info);
  int32_t (*device_name)(const tenon_device* device, const char** out_name);
  int32_t (*device_description)(const tenon_device* device, const char** out_text);
  int32_t (*device_toolkit)(const tenon_device* device, const char** out_text);
  int32_t (*device_synchronize)(tenon_device* device);
  int32_t (*device_retain)(const tenon_device* device);
  void (*device_release)(tenon_device* device);
  int32_t (*device_get_memory_info)(const tenon_device* device, tenon_memory_info* out_info);
  int32_t (*device_trim_memory)(tenon_device* device, uint64_t keep_bytes);
  int32_t (*stream_create)(tenon_device* device, const tenon_stream_options* options, tenon_stream** out_stream);
  int32_t (*stream_wrap)(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                         tenon_stream** out_stream);
  int32_t (*stream_default)(tenon_device* device, tenon_stream** out_stream);
  int32_t (*stream_native)(const tenon_stream* stream, uint64_t* out_native);
  int32_t (*stream_device)(const tenon_stream* stream, tenon_device** out_device);
  int32_t (*stream_synchronize)(tenon_stream* stream);
  int32_t (*stream_query)(tenon_stream* stream);
  int32_t (*stream_wait_event)(tenon_stream* stream, tenon_event* event);
  int32_t (*stream_retain)(const tenon_stream* stream);
  void (*stream_release)(tenon_stream* stream);
  int32_t (*event_create)(tenon_device* device, uint32_t flags, tenon_event** out_event);
  int32_t (*event_record)(tenon_event* event, tenon_stream* stream);
  int32_t (*event_synchronize)(tenon_event* event);
  int32_t (*event_query)(tenon_event* event);
  int32_t (*event_elapsed)(tenon_event* start, tenon_event* end, double* out_seconds);
  int32_t (*event_retain)(const tenon_event* event);
  void (*event_release)(tenon_event* event);
  int32_t (*buffer_create)(tenon_device* device, uint64_t bytes, int32_t kind, tenon_stream* stream,
                           tenon_buffer** out_buffer);
  int32_t (*buffer_wrap)(tenon_device* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only,
                         tenon_stream* stream, tenon_destroy_fn destroy, void* user, tenon_buffer** out_buffer);
  int32_t (*buffer_data)(const tenon_buffer* buffer, void** out_data, uint64_t* out_bytes);
  int32_t (*buffer_retain)(const tenon_buffer* buffer);
  void (*buffer_release)(tenon_buffer* buffer);
  int32_t (*array_create)(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                          tenon_stream* stream, tenon_array** out_array);
  int32_t (*array_zeros)(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, tenon_stream* stream,
                         tenon_array** out_array);
  int32_t (*array_from_host)(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, const void* data,
                             uint64_t bytes, tenon_stream* stream, tenon_array** out_array);
  int32_t (*array_from_buffer)(tenon_buffer* buffer, uint32_t dtype, int32_t rank, const int64_t* shape,
                               const int64_t* strides, uint64_t byte_offset, tenon_array** out_array);
  int32_t (*array_retain)(const tenon_array* array);
  void (*array_release)(tenon_array* array);
  int32_t (*array_get_info)(const tenon_array* array, tenon_array_info* out_info);
  int32_t (*array_device)(const tenon_array* array, tenon_device** out_device);
  int32_t (*array_buffer)(const tenon_array* array, tenon_buffer** out_buffer);
  int32_t (*array_reshape)(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array);
  int32_t (*array_transpose)(const tenon_array* array, int32_t rank, const int32_t* axes, tenon_array** out_array);
  int32_t (*array_slice)(const tenon_array* array, int32_t rank, const int64_t* starts, const int64_t* stops,
                         const int64_t* steps, tenon_array** out_array);
  int32_t (*array_index)(const tenon_array* array, int32_t axis, int64_t index, tenon_array** out_array);
  int32_t (*array_broadcast)(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array);
  int32_t (*array_view)(const tenon_array* array, uint32_t dtype, tenon_array** out_array);
  int32_t (*array_copy)(tenon_array* destination, const tenon_array* source, tenon_stream* stream);
  int32_t (*array_fill)(tenon_array* array, const tenon_arg* value, tenon_stream* stream);
  int32_t (*array_convert)(const tenon_array* source, uint32_t dtype, tenon_device* device, tenon_stream* stream,
                           tenon_array** out_array);
  int32_t (*array_to_host)(const tenon_array* array, void* data, uint64_t bytes, tenon_stream* stream);
  int32_t (*array_set_from_host)(tenon_array* array, const void* data, uint64_t bytes, tenon_stream* stream);
  int32_t (*array_from_dlpack)(tenon_context* context, struct DLManagedTensor* tensor, int32_t read_only,
                               tenon_stream* stream, tenon_array** out_array);
  int32_t (*array_from_dlpack_versioned)(tenon_context* context, struct DLManagedTensorVersioned* tensor,
                                         tenon_stream* stream, tenon_array** out_array);
  int32_t (*array_to_dlpack)(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                             struct DLManagedTensor** out_tensor);
  int32_t (*array_to_dlpack_versioned)(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                                       struct DLManagedTensorVersioned** out_tensor);
  int32_t (*program_create)(tenon_device* device, const char* source, uint64_t size,
                            const tenon_program_options* options, tenon_program** out_program);
  int32_t (*program_log)(const tenon_program* program, const char** out_text);
  int32_t (*program_image)(const tenon_program* program, int32_t kind, tenon_blob** out_image);
  int32_t (*program_kernel)(tenon_program* program, const char* name, tenon_kernel** out_kernel);
  int32_t (*program_retain)(const tenon_program* program);
  void (*program_release)(tenon_program* program);
  int32_t (*kernel_parameter_count)(const tenon_kernel* kernel, int32_t* out_count);
  int32_t (*kernel_get_parameter_info)(const tenon_kernel* kernel, int32_t index, tenon_parameter_info* out_info);
  int32_t (*kernel_name)(const tenon_kernel* kernel, const char** out_name);
  int32_t (*kernel_get_info)(tenon_kernel* kernel, tenon_kernel_info* out_info);
  int32_t (*kernel_retain)(const tenon_kernel* kernel);
  void (*kernel_release)(tenon_kernel* kernel);
  int32_t (*kernel_launch)(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                           tenon_stream* stream);
  int32_t (*call_create)(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                         tenon_call** out_call);
  int32_t (*call_set)(tenon_call* call, int32_t index, const tenon_arg* arg);
  int32_t (*call_launch)(tenon_call* call, tenon_stream* stream);
  int32_t (*call_clone)(const tenon_call* call, tenon_call** out_call);
  int32_t (*call_retain)(const tenon_call* call);
  void (*call_release)(tenon_call* call);
  int32_t (*gemm)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                  const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_c);
  int32_t (*svd)(const tenon_array* a, const tenon_svd_options* options, tenon_stream* stream, tenon_array** out_u,
                 tenon_array** out_s, tenon_array** out_vh);
  int32_t (*fft)(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_fft_options* options,
                 tenon_stream* stream, tenon_array** out_destination);
  int32_t (*elementwise_create)(const char* inputs, const char* outputs, const char* operation,
                                const tenon_generated_options* options, tenon_elementwise** out_elementwise);
  int32_t (*elementwise_call)(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count,
                              tenon_stream* stream);
  int32_t (*elementwise_output)(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count, int32_t index,
                                tenon_stream* stream, tenon_array** out_array);
  int32_t (*elementwise_retain)(const tenon_elementwise* elementwise);
  void (*elementwise_release)(tenon_elementwise* elementwise);
  int32_t (*reduction_create)(const char* inputs, const char* output, const char* map, const char* reduce,
                              const char* post, const char* identity, const tenon_generated_options* options,
                              tenon_reduction** out_reduction);
  int32_t (*reduction_call)(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                            int32_t axis_count, tenon_stream* stream);
  int32_t (*reduction_output)(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                              int32_t axis_count, int32_t keep_axes, tenon_stream* stream, tenon_array** out_array);
  int32_t (*reduction_retain)(const tenon_reduction* reduction);
  void (*reduction_release)(tenon_reduction* reduction);
  int32_t (*scan_create)(const char* inputs, const char* output, const char* map, const char* combine,
                         const char* identity, int32_t exclusive, const tenon_generated_options* options,
                         tenon_scan** out_scan);
  int32_t (*scan_call)(tenon_scan* scan, const tenon_arg* args, int32_t count, int32_t axis, tenon_stream* stream);
  int32_t (*scan_output)(tenon_scan* scan, const tenon_arg* args, int32_t count, tenon_stream* stream,
                         tenon_array** out_array);
  int32_t (*scan_retain)(const tenon_scan* scan);
  void (*scan_release)(tenon_scan* scan);
  int32_t (*program_global)(tenon_program* program, const char* name, tenon_array** out_array);
  int32_t (*kernel_occupancy)(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                              int32_t* out_blocks_per_multiprocessor);
  int32_t (*kernel_suggest)(tenon_kernel* kernel, uint64_t shared_bytes, uint32_t* out_block, uint32_t* out_min_grid);
  int32_t (*launch_for)(tenon_kernel* kernel, uint64_t count, tenon_launch* launch);
  int32_t (*kernel_time)(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                         tenon_stream* stream, double* out_seconds);
  int32_t (*compilation_start)(tenon_device* device, const char* source, uint64_t size,
                               const tenon_program_options* options, tenon_compilation** out_compilation);
  int32_t (*compilation_query)(tenon_compilation* compilation);
  int32_t (*compilation_wait)(tenon_compilation* compilation, double seconds, tenon_program** out_program);
  int32_t (*compilation_cancel)(tenon_compilation* compilation);
  int32_t (*compilation_retain)(const tenon_compilation* compilation);
  void (*compilation_release)(tenon_compilation* compilation);
  int32_t (*graph_create)(tenon_device* device, tenon_graph** out_graph);
  int32_t (*graph_begin)(tenon_graph* graph, tenon_stream** out_stream);
  int32_t (*graph_end)(tenon_graph* graph);
  int32_t (*graph_clear)(tenon_graph* graph);
  int32_t (*graph_launch)(tenon_graph* graph, tenon_stream* stream);
  int32_t (*graph_set)(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg);
  int32_t (*graph_node_count)(const tenon_graph* graph, int32_t* out_count);
  int32_t (*graph_get_node_info)(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info);
  int32_t (*graph_get_parameter_info)(const tenon_graph* graph, int32_t node, int32_t index,
                                      tenon_parameter_info* out_info);
  int32_t (*graph_retain)(const tenon_graph* graph);
  void (*graph_release)(tenon_graph* graph);
  int32_t (*package_load)(tenon_context* context, const char* path, const tenon_package_options* options,
                          tenon_package** out_package);
  int32_t (*package_load_memory)(tenon_context* context, const void* bytes, uint64_t size, const char* name,
                                 const tenon_package_options* options, tenon_package** out_package);
  int32_t (*package_check)(tenon_context* context, const char* path, const tenon_package_options* options,
                           tenon_blob** out_report);
  int32_t (*package_find)(tenon_context* context, const char* name, const char* range, tenon_package** out_package);
  int32_t (*package_list)(tenon_context* context, tenon_blob** out_list);
  int32_t (*package_unload)(tenon_package* package);
  int32_t (*package_reload)(tenon_package* package, tenon_package** out_package);
  int32_t (*package_describe)(const tenon_package* package, tenon_blob** out_description);
  int32_t (*package_operation)(tenon_package* package, const char* name, tenon_operation** out_operation);
  int32_t (*package_file)(const tenon_package* package, const char* path, tenon_blob** out_text);
  int32_t (*package_retain)(const tenon_package* package);
  void (*package_release)(tenon_package* package);
  int32_t (*operation_find)(tenon_context* context, const char* name, const char* range,
                            tenon_operation** out_operation);
  int32_t (*operation_describe)(const tenon_operation* operation, tenon_blob** out_description);
  int32_t (*operation_get_info)(const tenon_operation* operation, tenon_operation_info* out_info);
  int32_t (*operation_get_parameter_info)(const tenon_operation* operation, int32_t index,
                                          tenon_operation_parameter_info* out_info);
  int32_t (*operation_gradient)(const tenon_operation* operation, tenon_operation** out_gradient);
  int32_t (*operation_package)(const tenon_operation* operation, tenon_package** out_package);
  int32_t (*operation_retain)(const tenon_operation* operation);
  void (*operation_release)(tenon_operation* operation);
  int32_t (*dot)(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                 tenon_array** out_dot);
  int32_t (*einsum)(const char* subscripts, const tenon_array* const* operands, int32_t count,
                    const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum);
  int32_t (*solve)(const tenon_array* a, const tenon_array* b, const tenon_solve_options* options, tenon_stream* stream,
                   tenon_array** out_x);
  int32_t (*lu)(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_lu,
                tenon_array** out_pivots);
  int32_t (*lu_solve)(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b,
                      const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_x);
  int32_t (*cholesky)(const tenon_array* a, const tenon_cholesky_options* options, tenon_stream* stream,
                      tenon_array** out_factor);
  int32_t (*cholesky_solve)(const tenon_array* factor, const tenon_array* b, const tenon_cholesky_options* options,
                            tenon_stream* stream, tenon_array** out_x);
  int32_t (*qr)(const tenon_array* a, const tenon_qr_options* options, tenon_stream* stream, tenon_array** out_q,
                tenon_array** out_r);
  int32_t (*lstsq)(const tenon_array* a, const tenon_array* b, const tenon_rank_options* options, tenon_stream* stream,
                   tenon_array** out_x, tenon_array** out_rank, tenon_array** out_s);
  int32_t (*inverse)(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                     tenon_array** out_inverse);
  int32_t (*pinv)(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                  tenon_array** out_inverse);
  int32_t (*matrix_rank)(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                         tenon_array** out_rank);
  int32_t (*det)(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_det);
  int32_t (*slogdet)(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                     tenon_array** out_sign, tenon_array** out_log);
  int32_t (*eigh)(const tenon_array* a, const tenon_eigh_options* options, tenon_stream* stream, tenon_array** out_w,
                  tenon_array** out_v);
  int32_t (*eig)(const tenon_array* a, const tenon_eig_options* options, tenon_stream* stream, tenon_array** out_w,
                 tenon_array** out_left, tenon_array** out_right);
  int32_t (*norm)(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                  tenon_array** out_norm);
  int32_t (*cond)(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                  tenon_array** out_cond);
  int32_t (*matrix_power)(const tenon_array* a, int64_t n, const tenon_power_options* options, tenon_stream* stream,
                          tenon_array** out_power);
  int32_t (*expm)(const tenon_array* a, const tenon_power_options* options, tenon_stream* stream,
                  tenon_array** out_exponential);
  int32_t (*operation_call)(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream);
  int32_t (*operation_output)(tenon_operation* operation, const tenon_arg* args, int32_t count, int32_t index,
                              tenon_stream* stream, tenon_array** out_array);
  int32_t (*operation_prepare)(tenon_operation* operation, const tenon_arg* args, int32_t count);
  int32_t (*package_prepare)(tenon_package* package, tenon_device* device);
  int32_t (*operation_set_tunable)(tenon_operation* operation, const char* name, int64_t value);
  int32_t (*operation_get_tunable)(const tenon_operation* operation, const char* name, int64_t* out_value);
  int32_t (*operation_test)(tenon_operation* operation, tenon_device* device, tenon_blob** out_report);
  int32_t (*operation_bind)(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream,
                            tenon_call** out_call);
  int32_t (*program_link)(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                          const tenon_program_options* options, tenon_program** out_program);
  int32_t (*compilation_link)(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                              const tenon_program_options* options, tenon_compilation** out_compilation);
  int32_t (*kernel_parameter_name)(const tenon_kernel* kernel, int32_t index, const char** out_name);
  int32_t (*cache_get_info)(tenon_context* context, tenon_cache_info* out_info);
  int32_t (*cache_list)(tenon_context* context, tenon_blob** out_list);
  int32_t (*cache_verify)(tenon_context* context, int32_t remove, tenon_cache_tally* out_tally);
  int32_t (*cache_export)(tenon_context* context, const char* path, tenon_cache_tally* out_tally);
  int32_t (*cache_import)(tenon_context* context, const char* path, tenon_cache_tally* out_tally);
  int32_t (*cache_clear)(tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                         tenon_cache_tally* out_tally);
  int32_t (*kron)(const tenon_array* a, const tenon_array* b, const tenon_gemm_options* options, tenon_stream* stream,
                  tenon_array** out_product);
  int32_t (*ldl)(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_ld,
                 tenon_array** out_pivots);
  int32_t (*ldl_solve)(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                       const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_x);
  int32_t (*program_compile)(const char* architecture, const char* source, uint64_t size,
                             const tenon_program_options* options, int32_t kind, tenon_blob** out_image,
                             tenon_blob** out_log);
  int32_t (*package_pack)(const char* path, const tenon_package_options* options, tenon_blob** out_archive);
  int32_t (*operation_measure)(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options,
                               tenon_blob** out_report);
  int32_t (*operation_tune)(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options,
                            tenon_blob** out_report);
  int32_t (*dct)(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options,
                 tenon_stream* stream, tenon_array** out_destination);
  int32_t (*signing_key_create)(tenon_blob** out_secret);
  int32_t (*signing_key_public)(const char* secret, tenon_blob** out_public);
  int32_t (*package_sign)(const char* path, const char* secret, const tenon_package_options* options,
                          tenon_blob** out_signature);
  int32_t (*plugin_load)(tenon_context* context, const char* path, const tenon_package_options* options,
                         tenon_package** out_package);
  int32_t (*tensordot)(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b,
                       int32_t count, const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum);
  int32_t (*fft_prepare)(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                         int32_t axis_count, const tenon_fft_options* options);
  int32_t (*dct_prepare)(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                         int32_t axis_count, const tenon_dct_options* options);
  int32_t (*convolve)(const tenon_array* a, const tenon_array* b, const int32_t* axes, int32_t axis_count,
                      const tenon_convolve_options* options, tenon_stream* stream, tenon_array** out_result);
  int32_t (*fft_shift)(const tenon_array* x, const int32_t* axes, int32_t axis_count,
                       const tenon_shift_options* options, tenon_stream* stream, tenon_array** out_shifted);
  int32_t (*fft_frequencies)(tenon_device* device, uint32_t dtype, int64_t n, double spacing,
                             const tenon_frequencies_options* options, tenon_stream* stream,
                             tenon_array** out_frequencies);
  int32_t (*fft_fast_length)(int64_t n, int64_t* out_length);
  int32_t (*gemv)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y);
  int32_t (*ger)(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                 tenon_stream* stream, tenon_array** out_a);
  int32_t (*axpy)(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_y);
  int32_t (*scal)(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_y);
  int32_t (*nrm2)(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_norm);
  int32_t (*syrk)(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c);
  int32_t (*symm)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c);
  int32_t (*trmm)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_c);
  int32_t (*trsm)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_x);
  int32_t (*gemm_grouped)(int64_t count, const tenon_arg* alpha, const tenon_array* const* a,
                          const tenon_array* const* b, const tenon_arg* beta, const tenon_gemm_options* options,
                          tenon_stream* stream, tenon_array** out_c);
  int32_t (*error_batch_index)(const tenon_error* error, int64_t* out_index);
  int32_t (*array_follow)(tenon_array* array, tenon_current_stream_fn current);
  int32_t (*interrupt_set)(tenon_interrupt_fn interrupt, void* user);
  int32_t (*handle_kind)(const void* handle, int32_t* out_kind);
  int32_t (*retain)(const void* handle);
  void (*release)(void* handle);
  int32_t (*same)(const void* a, const void* b, int32_t* out_same);
  int32_t (*cpu_threads_set)(int32_t threads);
  int32_t (*cpu_threads_get)(int32_t* out_threads);
  int32_t (*event_device)(const tenon_event* event, tenon_device** out_device);
  int32_t (*buffer_device)(const tenon_buffer* buffer, tenon_device** out_device);
  int32_t (*program_device)(const tenon_program* program, tenon_device** out_device);
  int32_t (*kernel_program)(const tenon_kernel* kernel, tenon_program** out_program);
  int32_t (*kernel_device)(const tenon_kernel* kernel, tenon_device** out_device);
  int32_t (*call_kernel)(const tenon_call* call, tenon_kernel** out_kernel);
  int32_t (*graph_device)(const tenon_graph* graph, tenon_device** out_device);
  int32_t (*symv)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y);
  int32_t (*syr)(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                 tenon_array** out_a);
  int32_t (*trmv)(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_y);
  int32_t (*trsv)(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_x);
  int32_t (*unary)(int32_t function, const tenon_arg* x, const tenon_compute_options* options, tenon_stream* stream,
                   tenon_array** out_result);
  int32_t (*binary)(int32_t function, const tenon_arg* x, const tenon_arg* y, const tenon_compute_options* options,
                    tenon_stream* stream, tenon_array** out_result);
  int32_t (*select)(const tenon_arg* condition, const tenon_arg* x, const tenon_arg* y,
                    const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result);
  int32_t (*clip)(const tenon_arg* x, const tenon_arg* low, const tenon_arg* high, const tenon_compute_options* options,
                  tenon_stream* stream, tenon_array** out_result);
  int32_t (*cast)(const tenon_arg* x, uint32_t dtype, const tenon_compute_options* options, tenon_stream* stream,
                  tenon_array** out_result);
  int32_t (*reduce)(int32_t function, const tenon_arg* x, const tenon_reduce_options* options, tenon_stream* stream,
                    tenon_array** out_result);
  int32_t (*accumulate)(int32_t function, const tenon_arg* x, const tenon_accumulate_options* options,
                        tenon_stream* stream, tenon_array** out_result);
  int32_t (*result_type)(const tenon_arg* args, int32_t count, uint32_t* out_dtype);
  int32_t (*random)(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, int32_t distribution,
                    const tenon_random_options* options, tenon_stream* stream, tenon_array** out_numbers);
  int32_t (*random_blocks)(uint32_t dtype, int64_t count, int32_t distribution, uint64_t* out_blocks);
  int32_t (*random_split)(uint64_t key, int64_t count, uint64_t* out_keys);
  int32_t (*random_permutation)(tenon_device* device, int64_t n, const tenon_random_options* options,
                                tenon_stream* stream, tenon_array** out_order);
  int32_t (*concat)(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                    tenon_stream* stream, tenon_array** out_array);
  int32_t (*stack)(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                   tenon_stream* stream, tenon_array** out_array);
  int32_t (*tile)(const tenon_array* x, int32_t rank, const int64_t* repeats, const tenon_moving_options* options,
                  tenon_stream* stream, tenon_array** out_array);
  int32_t (*repeat)(const tenon_array* x, int64_t count, int32_t axis, const tenon_moving_options* options,
                    tenon_stream* stream, tenon_array** out_array);
  int32_t (*roll)(const tenon_array* x, const int64_t* shifts, const int32_t* axes, int32_t count,
                  const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array);
  int32_t (*pad)(const tenon_array* x, int32_t rank, const int64_t* before, const int64_t* after,
                 const tenon_pad_options* options, tenon_stream* stream, tenon_array** out_array);
  int32_t (*take)(const tenon_array* x, const tenon_array* const* indices, const int32_t* axes, int32_t count,
                  const tenon_take_options* options, tenon_stream* stream, tenon_array** out_array);
  int32_t (*scatter)(tenon_array* x, const tenon_array* values, const tenon_array* const* indices, const int32_t* axes,
                     int32_t count, const tenon_take_options* options, tenon_stream* stream);
  int32_t (*nonzero)(const tenon_array* x, const tenon_moving_options* options, tenon_stream* stream,
                     tenon_array** out_indices);
  int32_t (*compress)(const tenon_array* x, const tenon_array* mask, int32_t axis, const tenon_moving_options* options,
                      tenon_stream* stream, tenon_array** out_array);
  int32_t (*range)(tenon_device* device, uint32_t dtype, int64_t count, const tenon_range_options* options,
                   tenon_stream* stream, tenon_array** out_array);
  int32_t (*eye)(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns,
                 const tenon_diagonal_options* options, tenon_stream* stream, tenon_array** out_array);
  int32_t (*triangle)(const tenon_array* x, const tenon_diagonal_options* options, tenon_stream* stream,
                      tenon_array** out_array);
  int32_t (*sort)(const tenon_array* x, int32_t axis, const tenon_sort_options* options, tenon_stream* stream,
                  tenon_array** out_values, tenon_array** out_indices);
  int32_t (*top_k)(const tenon_array* x, int64_t k, int32_t axis, const tenon_top_k_options* options,
                   tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices);
  int32_t (*search_sorted)(const tenon_array* sorted, const tenon_array* wanted, const tenon_search_options* options,
                           tenon_stream* stream, tenon_array** out_places);
  int32_t (*unique)(const tenon_array* x, const tenon_unique_options* options, tenon_stream* stream,
                    tenon_array** out_values, tenon_array** out_indices, tenon_array** out_inverse,
                    tenon_array** out_counts);
  int32_t (*bincount)(const tenon_array* x, const tenon_array* weights, int64_t length,
                      const tenon_bincount_options* options, tenon_stream* stream, tenon_array** out_counts);
  int32_t (*device_allocator)(tenon_device* device, tenon_allocator* out_allocator);
  int32_t (*stream_call_host)(tenon_stream* stream, tenon_stream_fn function, tenon_destroy_fn destroy, void* user);
  int32_t (*event_wrap)(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                        tenon_event** out_event);
  int32_t (*event_native)(const tenon_event* event, uint64_t* out_native);
  int32_t (*buffer_create_shared)(tenon_device* device, uint64_t bytes, tenon_buffer** out_buffer);
  int32_t (*buffer_share)(const tenon_buffer* buffer, tenon_blob** out_key);
  int32_t (*buffer_open)(tenon_device* device, const void* key, uint64_t size, tenon_buffer** out_buffer);
  int32_t (*array_use)(tenon_array* array, int32_t access, tenon_stream* stream);
  int32_t (*call_set_args)(tenon_call* call, const tenon_arg* args, int32_t count);
  int32_t (*call_set_launch)(tenon_call* call, const tenon_launch* launch);
  int32_t (*graph_set_args)(tenon_graph* graph, int32_t node, const tenon_arg* args, int32_t count);
  int32_t (*graph_set_launch)(tenon_graph* graph, int32_t node, const tenon_launch* launch);
  int32_t (*graph_last_node)(const tenon_stream* stream, int32_t* out_node);
  int32_t (*asum)(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_sum);
  int32_t (*iamax)(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_index);
  int32_t (*iamin)(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_index);
  int32_t (*swap)(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_x, tenon_array** out_y);
  int32_t (*rot)(const tenon_arg* c, const tenon_arg* s, const tenon_array* x, const tenon_array* y,
                 const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x, tenon_array** out_y);
  int32_t (*rotg)(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_c, tenon_array** out_s, tenon_array** out_r);
  int32_t (*syr2)(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_a);
  int32_t (*gbmv)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y);
  int32_t (*sbmv)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y);
  int32_t (*syr2k)(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c);
  int32_t (*geam)(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta, const tenon_array* b,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c);
  int32_t (*device_limit_memory)(tenon_device* device, uint64_t bytes);
  int32_t (*rotm)(const tenon_array* x, const tenon_array* y, const tenon_array* h, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_x, tenon_array** out_y);
  int32_t (*rotmg)(const tenon_array* d1, const tenon_array* d2, const tenon_array* x1, const tenon_array* y1,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_d1, tenon_array** out_d2,
                   tenon_array** out_x1, tenon_array** out_h);
  int32_t (*tbmv)(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_y);
  int32_t (*tbsv)(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_x);
  int32_t (*elementwise_compose)(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                 int32_t step_count, const int32_t* outputs, int32_t output_count,
                                 const tenon_generated_options* options, tenon_elementwise** out_elementwise);
  int32_t (*texture_create)(const tenon_array* source, const tenon_texture_options* options, tenon_stream* stream,
                            tenon_texture** out_texture);
  int32_t (*texture_update)(tenon_texture* texture, const tenon_array* source, tenon_stream* stream);
  int32_t (*texture_read)(const tenon_texture* texture, tenon_stream* stream, tenon_array** out_array);
  int32_t (*texture_get_info)(const tenon_texture* texture, tenon_texture_info* out_info);
  int32_t (*texture_device)(const tenon_texture* texture, tenon_device** out_device);
  int32_t (*texture_retain)(const tenon_texture* texture);
  void (*texture_release)(tenon_texture* texture);
  int32_t (*kernel_prefer_shared)(tenon_kernel* kernel, int32_t percent);
  /* Level 1.1. */
#if TENON_TARGET_LEVEL >= 0x00010100u
  int32_t (*reduction_compose)(const uint32_t* inputs, int32_t input_count, const tenon_step* steps, int32_t step_count,
                               int32_t value, int32_t function, const tenon_generated_options* options,
                               tenon_reduction** out_reduction);
  int32_t (*scan_compose)(const uint32_t* inputs, int32_t input_count, const tenon_step* steps, int32_t step_count,
                          int32_t value, int32_t function, int32_t exclusive, const tenon_generated_options* options,
                          tenon_scan** out_scan);
  int32_t (*quantile)(const tenon_array* x, const double* probabilities, int64_t count,
                      const tenon_quantile_options* options, tenon_stream* stream, tenon_array** out_quantiles);
  int32_t (*segment_reduce)(int32_t function, const tenon_array* x, const tenon_array* segments,
                            const tenon_segment_options* options, tenon_stream* stream, tenon_array** out_result);
  int32_t (*segment_scan)(int32_t function, const tenon_array* x, const tenon_array* segments,
                          const tenon_segment_options* options, tenon_stream* stream, tenon_array** out_result);
  int32_t (*segment_offsets)(const tenon_array* segments, const tenon_segment_options* options, tenon_stream* stream,
                             tenon_array** out_offsets);
  int32_t (*csr_from_coo)(int64_t rows, int64_t columns, const tenon_array* row, const tenon_array* column,
                          const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                          tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values);
  int32_t (*csr_from_dense)(const tenon_array* x, const tenon_sparse_options* options, tenon_stream* stream,
                            tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values);
  int32_t (*csr_rows)(const tenon_array* offsets, int64_t count, const tenon_sparse_options* options,
                      tenon_stream* stream, tenon_array** out_rows);
  int32_t (*csr_to_dense)(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                          const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                          tenon_array** out_dense);
  int32_t (*csr_transpose)(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                           const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                           tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values);
  int32_t (*csr_multiply)(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                          const tenon_array* values, const tenon_array* b, const tenon_sparse_product_options* options,
                          tenon_stream* stream, tenon_array** out_result);
  int32_t (*einsum_path)(const char* subscripts, const tenon_array* const* operands, int32_t count, int32_t* out_first,
                         int32_t* out_second);
  int32_t (*interpolate)(const tenon_array* x, const tenon_array* points, const tenon_array* values,
                         const tenon_interpolate_options* options, tenon_stream* stream, tenon_array** out_y);
  int32_t (*device_use_allocator)(tenon_device* device, const tenon_allocator* allocator);
#endif
};

#ifdef __cplusplus
}
#endif
#endif
