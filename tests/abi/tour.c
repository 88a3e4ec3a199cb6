/* tests/abi/tour.c: through all headers, from what they say alone: strict C99, and the same text as C++11. Every result
 * is compared with what it must be. Usage: tour [DEVICE]; the tests run it under valgrind and the sanitizers too. */
#include <tenon/tenon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int right, const char* what, int line) {
  if (right) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)

/* Ends the program if a call fails on which the rest depends. */
static void check(int32_t status, const char* call, int line) {
  if (status == TENON_OK) return;
  fprintf(stderr, "line %d: %s\n  %s: %s\n", line, call, tenon_status_name(status), tenon_error_last_message());
  exit(1);
}
#define OK(call) check((call), #call, __LINE__)
#define SIZED(type, name) \
  type name;              \
  memset(&name, 0, sizeof name); \
  name.struct_size = (uint32_t)sizeof name

static tenon_device* device;

static tenon_array* floats(const float* values, int32_t rank, int64_t rows, int64_t columns) {
  tenon_array* out = NULL;
  int64_t shape[2];
  shape[0] = rows, shape[1] = columns;
  OK(tenon_array_from_host(device, TENON_FLOAT32, rank, shape, values,
                           sizeof(float) * (uint64_t)(rank == 2 ? rows * columns : rows), NULL, &out));
  return out;
}

/* Compares, and releases the array. */
static int holds(tenon_array* array, const float* values, int count) {
  float* found = (float*)malloc(sizeof(float) * (size_t)count);
  int i, right = found != NULL;
  OK(tenon_array_to_host(array, found, sizeof(float) * (uint64_t)count, NULL));
  for (i = 0; i < count; ++i) right = right && fabs(found[i] - values[i]) <= 1e-4 * (1 + fabs(values[i]));
  free(found);
  tenon_array_release(array);
  return right;
}

static void count_up(void* user) { ++*(int*)user; }

static const float kTwo[] = {4, 1, 1, 3};  /* symmetric and positive definite */

static void versions_and_errors(void) {
  const tenon_api* api = tenon_get_api(TENON_TARGET_LEVEL);
  tenon_error* error = NULL;
  const char* text = NULL;
  int32_t status = 0;
  EXPECT(api && TENON_HAS(api, gemm) && api->version() == tenon_version());
  EXPECT(strlen(tenon_build_info()) > 0);
  EXPECT(tenon_context_default(NULL) == TENON_ERROR_INVALID_ARGUMENT);
  OK(tenon_error_last(&error));
  tenon_error_clear();
  OK(tenon_error_message(error, &text));
  OK(tenon_error_status(error, &status));
  EXPECT(strstr(text, "NULL") && status == TENON_ERROR_INVALID_ARGUMENT && !*tenon_error_last_message());
  tenon_error_release(error);
  EXPECT(!strcmp(tenon_dtype_name(TENON_FLOAT32), "float32"));
}

static void devices_and_streams(void) {
  SIZED(tenon_device_info, info);
  SIZED(tenon_memory_info, memory);
  tenon_context* context = NULL;
  tenon_stream *stream = NULL, *again = NULL;
  tenon_event *start = NULL, *end = NULL;
  tenon_blob* report = NULL;
  const void* data = NULL;
  uint64_t size = 0;
  int32_t same = 0, kind = 0;
  double seconds = -1;
  int runs = 0;
  OK(tenon_device_get_info(device, &info));
  OK(tenon_device_get_memory_info(device, &memory));
  EXPECT(info.total_memory > 0 && memory.used <= memory.used_peak);
  OK(tenon_context_default(&context));
  OK(tenon_context_report(context, &report));
  OK(tenon_blob_data(report, &data, &size));
  EXPECT(size > 2 && *(const char*)data == '{');
  tenon_blob_release(report);
  tenon_context_release(context);
  OK(tenon_stream_create(device, NULL, &stream));
  OK(tenon_event_create(device, TENON_EVENT_TIMING, &start));
  OK(tenon_event_create(device, TENON_EVENT_TIMING, &end));
  OK(tenon_event_record(start, stream));
  OK(tenon_stream_call_host(stream, count_up, count_up, &runs));
  OK(tenon_event_record(end, stream));
  OK(tenon_stream_synchronize(stream));
  OK(tenon_event_elapsed(start, end, &seconds));
  EXPECT(runs == 2 && seconds >= 0 && tenon_event_query(end) == TENON_OK);
  OK(tenon_stream_default(device, &again));
  OK(tenon_same(stream, again, &same));
  OK(tenon_handle_kind(stream, &kind));
  EXPECT(!same && kind == TENON_HANDLE_STREAM);
  tenon_stream_release(again);
  tenon_event_release(start);
  tenon_event_release(end);
  tenon_release(stream);
}

static void arrays(void) {
  const float values[] = {1, 2, 3, 4, 5, 6}, turned[] = {1, 4, 2, 5, 3, 6}, row[] = {4, 6}, sevens[] = {7, 7};
  const int64_t starts[] = {1, 0}, stops[] = {2, 3}, steps[] = {1, 2};
  const tenon_arg seven = TENON_I32_ARG(7);
  SIZED(tenon_array_info, info);
  tenon_array *a = floats(values, 2, 2, 3), *view = NULL, *copy = NULL;
  struct DLManagedTensorVersioned* tensor = NULL;
  OK(tenon_array_transpose(a, 2, NULL, &view));
  OK(tenon_array_get_info(view, &info));
  EXPECT(info.shape[0] == 3 && info.strides[0] == 1 && !(info.flags & TENON_ARRAY_C_CONTIGUOUS));
  OK(tenon_array_convert(view, TENON_FLOAT32, NULL, NULL, &copy));
  EXPECT(holds(copy, turned, 6));
  tenon_array_release(view);
  OK(tenon_array_slice(a, 2, starts, stops, steps, &view));
  OK(tenon_array_convert(view, TENON_FLOAT32, NULL, NULL, &copy));
  EXPECT(holds(copy, row, 2));
  OK(tenon_array_fill(view, &seven, NULL));
  EXPECT(holds(view, sevens, 2));
  OK(tenon_array_to_dlpack_versioned(a, 0, NULL, &tensor));
  OK(tenon_array_from_dlpack_versioned(NULL, tensor, NULL, &view));
  OK(tenon_array_get_info(a, &info));
  {
    const void* data = info.data;
    OK(tenon_array_get_info(view, &info));
    EXPECT(info.data == data && info.size == 6);
  }
  tenon_array_release(view);
  tenon_array_release(a);
}

static void kernels_and_graphs(void) {
  static const char source[] =
      "extern \"C\" __global__ void saxpy(int n, float a, const float* x, float* y) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = a * x[i] + y[i];\n"
      "}\n";
  static const char* const names[] = {"saxpy"};
  const float ones[] = {1, 1, 1, 1, 1}, sums[] = {9, 9, 9, 9, 9};
  tenon_program* program = NULL;
  tenon_kernel* kernel = NULL;
  tenon_call* call = NULL;
  tenon_graph* graph = NULL;
  tenon_stream* recording = NULL;
  tenon_array *x, *y;
  tenon_arg args[4], three = TENON_F32_ARG(3.0f);
  int32_t count = 0, node = -1;
  SIZED(tenon_program_options, options);
  SIZED(tenon_launch, launch);
  SIZED(tenon_parameter_info, parameter);
  SIZED(tenon_kernel_info, info);
  const int32_t status = (options.kernels = names, options.kernel_count = 1,
                          tenon_program_create(device, source, strlen(source), &options, &program));
  if (status == TENON_ERROR_MISSING_LIBRARY) {
    printf("no kernels: %s\n", tenon_error_last_message());
    return;
  }
  OK(status);
  OK(tenon_program_kernel(program, "saxpy", &kernel));
  OK(tenon_kernel_parameter_count(kernel, &count));
  OK(tenon_kernel_get_parameter_info(kernel, 3, &parameter));
  OK(tenon_kernel_get_info(kernel, &info));
  EXPECT(count == 4 && parameter.kind == TENON_PARAMETER_POINTER && info.max_threads_per_block > 0);
  x = floats(ones, 1, 5, 1), y = floats(ones, 1, 5, 1);
  args[0] = TENON_I32_ARG(5), args[1] = TENON_F32_ARG(2.0f);
  args[2] = TENON_ARRAY_ARG(x), args[3] = TENON_ARRAY_ARG(y);
  OK(tenon_launch_for(kernel, 5, &launch));
  OK(tenon_kernel_launch(kernel, &launch, args, 4, NULL));                    /* y = 3 */
  OK(tenon_call_create(kernel, &launch, args, 4, &call));
  OK(tenon_call_set(call, 1, &three));
  OK(tenon_call_launch(call, NULL));                                          /* y = 6 */
  args[1] = TENON_F32_ARG(0.0f);
  EXPECT(tenon_kernel_launch(kernel, &launch, args, 3, NULL) == TENON_ERROR_INVALID_ARGUMENT);
  OK(tenon_graph_create(device, &graph));
  OK(tenon_graph_begin(graph, &recording));
  OK(tenon_kernel_launch(kernel, &launch, args, 4, recording));
  OK(tenon_graph_last_node(recording, &node));
  tenon_stream_release(recording);
  OK(tenon_graph_end(graph));
  OK(tenon_graph_set(graph, node, 1, &three));
  OK(tenon_graph_launch(graph, NULL));                                        /* y = 9 */
  EXPECT(holds(y, sums, 5));
  tenon_graph_release(graph);
  tenon_call_release(call);
  tenon_kernel_release(kernel);
  tenon_program_release(program);
  tenon_array_release(x);
}

static void operations(void) {
  const float values[] = {1, 2, 3}, doubled[] = {2, 4, 6}, sum[] = {6};
  tenon_elementwise* twice = NULL;
  tenon_reduction* total = NULL;
  tenon_array *x = floats(values, 1, 3, 1), *y = NULL;
  tenon_arg args[2];
  tenon_blob* list = NULL;
  tenon_operation* operation = NULL;
  args[0] = TENON_ARRAY_ARG(x);
  OK(tenon_elementwise_create("T x", "T y", "y = x + x", NULL, &twice));
  OK(tenon_elementwise_output(twice, args, 1, 0, NULL, &y));
  args[1] = TENON_ARRAY_ARG(y);
  if (tenon_elementwise_call(twice, args, 2, NULL) == TENON_OK) {
    EXPECT(holds(y, doubled, 3));
    OK(tenon_reduction_create("T x", "T y", "x", "a + b", "a", "0", NULL, &total));
    y = NULL;
    OK(tenon_reduction_output(total, args, 1, NULL, 0, 0, NULL, &y));
    args[1] = TENON_ARRAY_ARG(y);
    OK(tenon_reduction_call(total, args, 2, NULL, 0, NULL));
    EXPECT(holds(y, sum, 1));
    tenon_reduction_release(total);
  } else {
    tenon_array_release(y);
  }
  tenon_elementwise_release(twice);
  tenon_array_release(x);
  OK(tenon_package_list(NULL, &list));
  tenon_blob_release(list);
  EXPECT(tenon_operation_find(NULL, "nobody/nothing", "*", &operation) == TENON_ERROR_NOT_FOUND && !operation);
}

static void linear_algebra(void) {
  const float product[] = {17, 7, 7, 10}, identity[] = {1, 0, 0, 1}, det[] = {11}, ones[] = {1, 1}, both[] = {5, 4};
  const float rotated[] = {1, 1};
  const tenon_arg half = TENON_F64_ARG(0.5);
  tenon_array *a = floats(kTwo, 2, 2, 2), *x = floats(ones, 1, 2, 1), *out = NULL, *other = NULL, *third = NULL;
  SIZED(tenon_solve_options, solve);
  SIZED(tenon_blas_options, blas);
  OK(tenon_gemm(NULL, a, a, NULL, NULL, NULL, &out));
  EXPECT(holds(out, product, 4));
  out = NULL;
  OK(tenon_gemv(NULL, a, x, NULL, NULL, NULL, &out));
  EXPECT(holds(out, both, 2));
  out = NULL;
  OK(tenon_inverse(a, NULL, NULL, &out));
  OK(tenon_gemm(NULL, a, out, NULL, NULL, NULL, &other));
  EXPECT(holds(other, identity, 4));
  tenon_array_release(out);
  out = NULL, other = NULL;
  OK(tenon_det(a, NULL, NULL, &out));
  EXPECT(holds(out, det, 1));
  out = NULL;
  solve.kind = TENON_SOLVE_POSITIVE;
  OK(tenon_gemv(NULL, a, x, NULL, NULL, NULL, &other));
  {
    tenon_array* column = NULL;
    const int64_t shape[] = {2, 1};
    OK(tenon_array_reshape(other, 2, shape, &column));
    OK(tenon_solve(a, column, &solve, NULL, &out));
    tenon_array_release(column);
    EXPECT(holds(out, ones, 2));
  }
  tenon_array_release(other);
  out = NULL, other = NULL;
  OK(tenon_eigh(a, NULL, NULL, &out, &other));
  tenon_array_release(out);
  tenon_array_release(other);
  out = NULL, other = NULL;
  OK(tenon_svd(a, NULL, NULL, &out, &other, &third));
  tenon_array_release(out);
  tenon_array_release(other);
  tenon_array_release(third);
  out = NULL;
  blas.op = TENON_OP_TRANSPOSE;
  OK(tenon_scal(&half, x, NULL, NULL, &x));
  OK(tenon_axpy(NULL, x, NULL, NULL, &out));
  OK(tenon_axpy(NULL, x, NULL, NULL, &out));
  EXPECT(holds(out, rotated, 2));
  out = NULL;
  blas.hermitian = 1;  /* gemv does not have this option */
  EXPECT(tenon_gemv(NULL, a, x, NULL, &blas, NULL, &out) == TENON_ERROR_INVALID_ARGUMENT && out == NULL);
  blas.struct_size = (uint32_t)sizeof(void*);
  EXPECT(tenon_gemv(NULL, a, x, NULL, &blas, NULL, &out) == TENON_ERROR_INVALID_ARGUMENT && out == NULL);
  tenon_array_release(x);
  tenon_array_release(a);
}

static void numbers(void) {
  const float values[] = {3, 1, 2}, sorted[] = {1, 2, 3}, roots[] = {2, 3}, squares[] = {4, 9}, whole[] = {3, 1, 2, 3, 1, 2};
  const float smooth[] = {3, 4, 3, 2};
  const float kernel[] = {1, 1};
  const int64_t shape[] = {1000};
  tenon_array *x = floats(values, 1, 3, 1), *y = floats(squares, 1, 2, 1), *k = floats(kernel, 1, 2, 1), *out = NULL;
  const tenon_array* parts[2];
  tenon_arg arg = TENON_ARRAY_ARG(y);
  SIZED(tenon_random_options, random);
  int64_t length = 0;
  OK(tenon_unary(TENON_FN_SQRT, &arg, NULL, NULL, &out));
  EXPECT(holds(out, roots, 2));
  out = NULL;
  OK(tenon_sort(x, -1, NULL, NULL, &out, NULL));
  EXPECT(holds(out, sorted, 3));
  out = NULL;
  parts[0] = x, parts[1] = x;
  OK(tenon_concat(parts, 2, 0, NULL, NULL, &out));
  EXPECT(holds(out, whole, 6));
  out = NULL;
  random.key = 7;
  OK(tenon_random(device, TENON_FLOAT32, 1, shape, TENON_RANDOM_NORMAL, &random, NULL, &out));
  tenon_array_release(out);
  out = NULL;
  OK(tenon_fft_fast_length(1021, &length));
  EXPECT(length >= 1021);
  {
    const int32_t status = tenon_convolve(x, k, NULL, 0, NULL, NULL, &out);
    if (status != TENON_ERROR_UNSUPPORTED && status != TENON_ERROR_MISSING_LIBRARY) { /* a build without FFT */
      OK(status);
      EXPECT(holds(out, smooth, 4));
    }
  }
  tenon_array_release(k);
  tenon_array_release(y);
  tenon_array_release(x);
}

static tenon_array* int32s(const int32_t* values, int64_t count) {
  tenon_array* out = NULL;
  OK(tenon_array_from_host(device, TENON_INT32, 1, &count, values, sizeof(int32_t) * (uint64_t)count, NULL, &out));
  return out;
}

/* Segments of a list, quantiles, interpolation, a sparse matrix from its elements to a product. */
static void segments_and_sparse(void) {
  const float values[] = {4, 1, 3, 2}, sums[] = {5, 5}, running[] = {4, 5, 3, 5}, middle[] = {2.5f}, limited[] = {3, 1, 3, 2}, product[] = {3, 12};
  const int32_t cuts[] = {0, 2, 4}, rows[] = {1, 0, 1, 1}, columns[] = {0, 2, 1, 0};
  const float vector[] = {1, 2, 3}, dense[] = {0, 0, 1, 6, 3, 0}, merged[] = {1, 6, 3}, back[] = {0, 6, 0, 3, 1, 0};
  const double half = 0.5;
  tenon_array *x = floats(values, 1, 4, 1), *offsets = int32s(cuts, 3), *row = int32s(rows, 4), *column = int32s(columns, 4);
  tenon_array *v = floats(vector, 1, 3, 1), *out = NULL, *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL;
  SIZED(tenon_sparse_product_options, trusted);
  OK(tenon_segment_reduce(TENON_FN_SUM, x, offsets, NULL, NULL, &out));
  EXPECT(holds(out, sums, 2));
  out = NULL;
  OK(tenon_segment_scan(TENON_FN_CUMULATIVE_SUM, x, offsets, NULL, NULL, &out));
  EXPECT(holds(out, running, 4));
  out = NULL;
  OK(tenon_quantile(x, &half, 1, NULL, NULL, &out));
  EXPECT(holds(out, middle, 1));
  out = NULL;
  OK(tenon_interpolate(x, v, v, NULL, NULL, &out));
  EXPECT(holds(out, limited, 4));
  out = NULL;
  OK(tenon_csr_from_coo(2, 3, row, column, x, NULL, NULL, &a, &b, &c));
  OK(tenon_csr_to_dense(3, a, b, c, NULL, NULL, &out));
  EXPECT(holds(out, dense, 6));
  out = NULL;
  trusted.trusted = 1;
  OK(tenon_csr_multiply(3, a, b, c, v, &trusted, NULL, &out));
  EXPECT(holds(out, product, 2));
  out = NULL;
  OK(tenon_csr_transpose(3, a, b, c, NULL, NULL, &d, &e, &f));
  OK(tenon_csr_to_dense(2, d, e, f, NULL, NULL, &out));
  EXPECT(holds(out, back, 6));
  tenon_array_release(f), tenon_array_release(e), tenon_array_release(d);
  out = NULL;
  OK(tenon_csr_rows(a, 3, NULL, NULL, &out));
  tenon_array_release(out);
  EXPECT(holds(c, merged, 3));
  tenon_array_release(b), tenon_array_release(a);
  tenon_array_release(v), tenon_array_release(column), tenon_array_release(row);
  tenon_array_release(offsets), tenon_array_release(x);
}

/* Padding that computes, numbers beside NaN, complex numbers in order. */
static void orders(void) {
  const float values[] = {4, 8}, ramp[] = {0, 2, 4, 8, 0}, mean[] = {6, 4, 8, 6}, last[] = {4, 4, 8, 8}, lost[] = {0, 2, 5};
  const float largest[] = {1, 2};
  const double half = 0.5;
  const int64_t before[] = {2}, one[] = {1}, shape[] = {3};
  const float numbers[] = {1, 2, 1, -1, 0, 9};
  int64_t place = -1;
  float nan_ = (float)strtod("nan", NULL), with_nan[3];
  tenon_array *x = floats(values, 1, 2, 1), *y = NULL, *z = NULL, *out = NULL;
  tenon_arg arg;
  SIZED(tenon_pad_options, pad);
  SIZED(tenon_reduce_options, reduce);
  SIZED(tenon_range_options, range);
  pad.mode = TENON_PAD_LINEAR_RAMP;
  OK(tenon_pad(x, 1, before, one, &pad, NULL, &out));
  EXPECT(holds(out, ramp, 5));
  out = NULL, pad.mode = TENON_PAD_MEAN;
  OK(tenon_pad(x, 1, one, one, &pad, NULL, &out));
  EXPECT(holds(out, mean, 4));
  out = NULL, pad.stat_length = 1;
  OK(tenon_pad(x, 1, one, one, &pad, NULL, &out));
  EXPECT(holds(out, last, 4));
  out = NULL, pad.mode = TENON_PAD_EDGE;
  EXPECT(tenon_pad(x, 1, one, one, &pad, NULL, &out) == TENON_ERROR_INVALID_ARGUMENT && !out);
  memcpy(with_nan, lost, sizeof with_nan);
  with_nan[0] = nan_;
  y = floats(with_nan, 1, 3, 1);
  arg = TENON_ARRAY_ARG(y);
  reduce.ignore_nan = 1;
  OK(tenon_reduce(TENON_FN_ARGMAX, &arg, &reduce, NULL, &out));
  OK(tenon_array_to_host(out, &place, sizeof place, NULL));
  EXPECT(place == 2);
  tenon_array_release(out), out = NULL;
  EXPECT(tenon_reduce(TENON_FN_SUM, &arg, &reduce, NULL, &out) == TENON_ERROR_INVALID_ARGUMENT && !out);
  OK(tenon_array_from_host(device, TENON_COMPLEX64, 1, shape, numbers, sizeof numbers, NULL, &z));
  arg = TENON_ARRAY_ARG(z);
  OK(tenon_reduce(TENON_FN_MAX, &arg, NULL, NULL, &out));
  EXPECT(holds(out, largest, 2)); /* both parts of one number */
  out = NULL;
  OK(tenon_reduce(TENON_FN_ARGMIN, &arg, NULL, NULL, &out));
  OK(tenon_array_to_host(out, &place, sizeof place, NULL));
  EXPECT(place == 2);
  tenon_array_release(out), out = NULL;
  OK(tenon_quantile(z, &half, 1, NULL, NULL, &out));
  tenon_array_release(out), out = NULL;
  range.step = 2; /* what integers do not use */
  EXPECT(tenon_range(device, TENON_INT32, 3, &range, NULL, &out) == TENON_ERROR_INVALID_ARGUMENT && !out);
  tenon_array_release(z), tenon_array_release(y), tenon_array_release(x);
}

static void wrapped_memory(void) {
  static float memory[16];
  SIZED(tenon_cache_info, cache);
  tenon_device* cpu = NULL;
  tenon_buffer* buffer = NULL;
  tenon_array* array = NULL;
  const int64_t shape[] = {16};
  const tenon_arg two = TENON_F32_ARG(2.0f);
  int ends = 0;
  OK(tenon_context_device(NULL, "cpu:0", &cpu));
  OK(tenon_buffer_wrap(cpu, memory, sizeof memory, TENON_MEMORY_DEVICE, 0, NULL, count_up, &ends, &buffer));
  OK(tenon_array_from_buffer(buffer, TENON_FLOAT32, 1, shape, NULL, 0, &array));
  tenon_buffer_release(buffer);
  OK(tenon_array_fill(array, &two, NULL));
  EXPECT(ends == 0 && memory[15] == 2);
  tenon_array_release(array);
  EXPECT(ends == 1);
  OK(tenon_cache_get_info(NULL, &cache));
  tenon_device_release(cpu);
}

int main(int argc, char** argv) {
  OK(tenon_context_device(NULL, argc > 1 ? argv[1] : "cpu:0", &device));
  versions_and_errors();
  devices_and_streams();
  arrays();
  kernels_and_graphs();
  operations();
  linear_algebra();
  numbers();
  segments_and_sparse();
  orders();
  wrapped_memory();
  OK(tenon_device_synchronize(device));
  tenon_device_release(device);
  printf("%s\n", failures ? "something is wrong" : "all as the headers say");
  return failures != 0;
}
