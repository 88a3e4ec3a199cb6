/* examples/c/main.c: the main job, in C99, with nothing but tenon.h: one program for a GPU and for a machine without one.
 *
 * A CUDA C string becomes a kernel and runs on ten million floats; matrices are multiplied; a picture-sized field is
 * Fourier-transformed and back; a matrix is decomposed; an array leaves and comes back through DLPack. Everything is
 * checked on the host in double precision. Usage: tenon-main [DEVICE] [SCALE]; DEVICE is "best" (default), "cpu:0" ...;
 * SCALE divides the sizes (the tests run it small). Ends with status 0 only if every check held.
 */
#include <tenon/tenon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- small helpers ------------------------------------------------------------------------------------------------ */

/* Every call goes through this: on failure it prints what Tenon says and ends. */
#define CHECK(call) check((call), #call)

static void check(int32_t status, const char* call) {
  if (status == TENON_OK) return;
  fprintf(stderr, "%s\n  failed with %s: %s\n", call, tenon_status_name(status), tenon_error_last_message());
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void* allocate(size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) { fprintf(stderr, "no memory for %lu bytes\n", (unsigned long)bytes); exit(1); }
  return memory;
}

/* Uniform in [-1, 1), the same on every machine. */
static double uniform(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static int failures = 0;

/* One line of the report; milliseconds 0 where nothing was timed. */
static void report(const char* what, double milliseconds, const char* measure, double value, double bound, int64_t checked) {
  int good = value <= bound; /* false for NaN */
  char took[32] = "";
  if (!good) failures++;
  if (milliseconds > 0) snprintf(took, sizeof took, "%.2f ms", milliseconds);
  printf("  %-34s %12s   %-24s %9.2e  (bound %.0e, %lld checked)  %s\n", what, took, measure, value, bound,
         (long long)checked, good ? "ok" : "WRONG");
}

static tenon_array* to_device(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, const void* data, size_t bytes) {
  tenon_array* array;
  CHECK(tenon_array_from_host(device, dtype, rank, shape, data, bytes, NULL, &array));
  return array;
}

/* --- the devices -------------------------------------------------------------------------------------------------- */

static void list_devices(void) {
  int32_t count, i;
  CHECK(tenon_context_device_count(NULL, &count));
  printf("Devices:\n");
  for (i = 0; i < count; i++) {
    tenon_device* device;
    const char *name, *description, *toolkit;
    CHECK(tenon_context_device_at(NULL, i, &device));
    CHECK(tenon_device_name(device, &name));
    CHECK(tenon_device_description(device, &description));
    CHECK(tenon_device_toolkit(device, &toolkit));
    printf("  %-7s %s\n          kernels compiled by %s\n", name, description, toolkit);
    tenon_device_release(device);
  }
}

/* --- 1: a kernel from a string ------------------------------------------------------------------------------------ */

static const char sigmoid_source[] =
    "extern \"C\" __global__ void sigmoid(const float* x, float* y, long long n) {\n"
    "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = (float)(1 / (1 + exp(-(double)x[i])));\n" /* all in float would be off by up to 4 ulp */
    "}\n";

/* The error in units in the last place: the distance of neighbouring floats at the exact value. */
static double ulps(float got, double exact) {
  int exponent;
  frexp(exact, &exponent);
  return fabs((double)got - exact) / ldexp(1, exponent - 24);
}

static void run_kernel(tenon_device* device, int64_t n) {
  const char* names[] = {"sigmoid"};
  tenon_program_options options = {.struct_size = sizeof options, .name = "sigmoid.cu", .kernels = names, .kernel_count = 1};
  tenon_program* program;
  tenon_kernel* kernel;
  tenon_array *x, *y;
  float* host = allocate((size_t)n * sizeof(float));
  float* result = allocate((size_t)n * sizeof(float));
  uint64_t random = 1;
  double start, compile, worst = 0;
  int64_t i;
  int run;

  for (i = 0; i < n; i++) host[i] = (float)(30 * uniform(&random));

  start = seconds();
  CHECK(tenon_program_create(device, sigmoid_source, strlen(sigmoid_source), &options, &program));
  CHECK(tenon_program_kernel(program, "sigmoid", &kernel));
  compile = 1e3 * (seconds() - start);

  x = to_device(device, TENON_FLOAT32, 1, &n, host, (size_t)n * sizeof(float));
  CHECK(tenon_array_create(device, TENON_FLOAT32, 1, &n, NULL, &y));
  {
    tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(y), TENON_I64_ARG(n)};
    tenon_launch launch = {.struct_size = sizeof launch, .grid = {(uint32_t)((n + 255) / 256)}, .block = {256}};
    for (run = 0; run < 2; run++) { /* the first loads the kernel and touches the memory; the second is timed */
      start = seconds();
      CHECK(tenon_kernel_launch(kernel, &launch, args, 3, NULL));
      CHECK(tenon_device_synchronize(device));
    }
  }
  start = 1e3 * (seconds() - start);
  CHECK(tenon_array_to_host(y, result, (uint64_t)n * sizeof(float), NULL));

  for (i = 0; i < n; i++) {
    double error = ulps(result[i], 1 / (1 + exp(-(double)host[i])));
    if (!(error <= worst)) worst = error;
  }
  printf("  sigmoid from a CUDA C string: compiled or found in the cache in %.1f ms\n", compile);
  report("sigmoid kernel, float32", start, "worst error, ulp", worst, 2, n);

  tenon_array_release(x);
  tenon_array_release(y);
  tenon_kernel_release(kernel);
  tenon_program_release(program);
  free(host);
  free(result);
}

/* --- 2: a matrix product ------------------------------------------------------------------------------------------- */

static void multiply(tenon_device* device, int64_t n) {
  int64_t shape[2] = {n, n}, i, j, k, row, rows = n < 16 ? n : 16;
  size_t bytes = (size_t)(n * n) * sizeof(float);
  float *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
  double* exact = allocate((size_t)n * sizeof(double));
  tenon_array *da, *db, *dc;
  uint64_t random = 2;
  double start = 0, worst = 0;
  int run;

  for (i = 0; i < n * n; i++) a[i] = (float)uniform(&random);
  for (i = 0; i < n * n; i++) b[i] = (float)uniform(&random);
  da = to_device(device, TENON_FLOAT32, 2, shape, a, bytes);
  db = to_device(device, TENON_FLOAT32, 2, shape, b, bytes);
  CHECK(tenon_array_create(device, TENON_FLOAT32, 2, shape, NULL, &dc));
  for (run = 0; run < 2; run++) {
    start = seconds();
    CHECK(tenon_gemm(NULL, da, db, NULL, NULL, NULL, &dc));
    CHECK(tenon_device_synchronize(device));
  }
  start = seconds() - start;
  CHECK(tenon_array_to_host(dc, c, bytes, NULL));

  /* Whole rows, spread over the matrix, against the same product in double; |a|, |b| <= 1, so the terms add up to n at most. */
  for (row = 0; row < rows; row++) {
    i = row * (n - 1) / (rows > 1 ? rows - 1 : 1);
    for (j = 0; j < n; j++) exact[j] = 0;
    for (k = 0; k < n; k++)
      for (j = 0; j < n; j++) exact[j] += (double)a[i * n + k] * (double)b[k * n + j];
    for (j = 0; j < n; j++) {
      double error = fabs((double)c[i * n + j] - exact[j]) / (double)n;
      if (!(error <= worst)) worst = error;
    }
  }
  {
    char what[64];
    snprintf(what, sizeof what, "gemm %lld^2 float32, %.0f GFLOP/s", (long long)n, 2e-9 * (double)n * (double)n * (double)n / start);
    report(what, 1e3 * start, "worst error / n", worst, 1.2e-7, rows * n); /* an epsilon for each of n products below 1 */
  }
  tenon_array_release(da);
  tenon_array_release(db);
  tenon_array_release(dc);
  free(a);
  free(b);
  free(c);
  free(exact);
}

/* --- 3: Fourier transform and back --------------------------------------------------------------------------------- */

static void transform(tenon_device* device, int64_t n) {
  int64_t shape[2], count, i;
  size_t bytes;
  float *x, *y;
  tenon_array *in, *spectrum;
  tenon_fft_options inverse = {.struct_size = sizeof inverse, .direction = TENON_FFT_DIRECTION_INVERSE};
  uint64_t random = 3;
  double start, difference = 0, norm = 0, power = 0;
  char what[64];
  int run;

  shape[0] = n;
  shape[1] = n + n / 2 + 1; /* not a power of two */
  count = shape[0] * shape[1];
  bytes = (size_t)count * 2 * sizeof(float);
  x = allocate(bytes);
  y = allocate(bytes);
  for (i = 0; i < 2 * count; i++) x[i] = (float)uniform(&random);
  in = to_device(device, TENON_COMPLEX64, 2, shape, x, bytes);
  CHECK(tenon_array_create(device, TENON_COMPLEX64, 2, shape, NULL, &spectrum));

  start = 0;
  for (run = 0; run < 2; run++) {
    start = seconds();
    CHECK(tenon_fft(in, NULL, 2, NULL, NULL, &spectrum));
    CHECK(tenon_device_synchronize(device));
  }
  start = 1e3 * (seconds() - start);
  CHECK(tenon_array_to_host(spectrum, y, bytes, NULL));
  for (i = 0; i < 2 * count; i++) norm += (double)x[i] * x[i], power += (double)y[i] * y[i];

  CHECK(tenon_fft(spectrum, NULL, 2, &inverse, NULL, &spectrum)); /* in place */
  CHECK(tenon_array_to_host(spectrum, y, bytes, NULL));
  for (i = 0; i < 2 * count; i++) difference += ((double)y[i] - x[i]) * ((double)y[i] - x[i]);

  snprintf(what, sizeof what, "fft2 %lldx%lld complex64", (long long)shape[0], (long long)shape[1]);
  report(what, start, "Parseval, relative", fabs(power / (double)count - norm) / norm, 1e-5, count);
  report("  and back by ifft2, in place", 0, "difference, relative", sqrt(difference / norm), 1e-6, count);

  tenon_array_release(in);
  tenon_array_release(spectrum);
  free(x);
  free(y);
}

/* --- 4: singular values -------------------------------------------------------------------------------------------- */

static void decompose(tenon_device* device, int64_t m, int64_t n) {
  int64_t shape[2], i, j, k, p = m < n ? m : n;
  double *a = allocate((size_t)(m * n) * sizeof(double)), *u = allocate((size_t)(m * p) * sizeof(double)),
         *s = allocate((size_t)p * sizeof(double)), *vh = allocate((size_t)(p * n) * sizeof(double));
  tenon_array *da, *du = NULL, *ds = NULL, *dvh = NULL; /* NULL: made by the call */
  tenon_svd_options economy = {.struct_size = sizeof economy, .mode = TENON_SVD_MODE_ECONOMY};
  uint64_t random = 4;
  double start, residual = 0, norm = 0, orthogonal = 0;
  char what[64];

  shape[0] = m;
  shape[1] = n;
  for (i = 0; i < m * n; i++) a[i] = uniform(&random), norm += a[i] * a[i];
  da = to_device(device, TENON_FLOAT64, 2, shape, a, (size_t)(m * n) * sizeof(double));
  start = seconds();
  CHECK(tenon_svd(da, &economy, NULL, &du, &ds, &dvh));
  start = 1e3 * (seconds() - start);
  CHECK(tenon_array_to_host(du, u, (uint64_t)(m * p) * sizeof(double), NULL));
  CHECK(tenon_array_to_host(ds, s, (uint64_t)p * sizeof(double), NULL));
  CHECK(tenon_array_to_host(dvh, vh, (uint64_t)(p * n) * sizeof(double), NULL));

  for (i = 0; i < m; i++) /* |a - u diag(s) vh| */
    for (j = 0; j < n; j++) {
      double sum = 0;
      for (k = 0; k < p; k++) sum += u[i * p + k] * s[k] * vh[k * n + j];
      residual += (a[i * n + j] - sum) * (a[i * n + j] - sum);
    }
  for (i = 0; i < p; i++) /* |u^T u - 1| */
    for (j = 0; j < p; j++) {
      double sum = i == j ? -1 : 0;
      for (k = 0; k < m; k++) sum += u[k * p + i] * u[k * p + j];
      orthogonal += sum * sum;
    }
  snprintf(what, sizeof what, "svd %lldx%lld float64", (long long)m, (long long)n);
  report(what, start, "|a - u s vh| / |a|", sqrt(residual / norm), 1e-13, m * n);
  report("  left vectors", 0, "|u^T u - 1|", sqrt(orthogonal), 1e-11, p * p);

  tenon_array_release(da);
  tenon_array_release(du);
  tenon_array_release(ds);
  tenon_array_release(dvh);
  free(a);
  free(u);
  free(s);
  free(vh);
}

/* --- 5: out and in again through DLPack ---------------------------------------------------------------------------- */

static void exchange(tenon_device* device) {
  int64_t shape[2] = {3, 5};
  tenon_array *array, *back;
  struct DLManagedTensorVersioned* tensor;
  tenon_array_info before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
  const tenon_arg seven = TENON_F32_ARG(7);
  float values[15];
  int good;

  CHECK(tenon_array_zeros(device, TENON_FLOAT32, 2, shape, NULL, &array));
  CHECK(tenon_array_get_info(array, &before));
  CHECK(tenon_array_to_dlpack_versioned(array, 0, NULL, &tensor));
  CHECK(tenon_array_from_dlpack_versioned(NULL, tensor, NULL, &back));
  CHECK(tenon_array_get_info(back, &after));
  tenon_array_release(array); /* the memory lives on in `back` */
  CHECK(tenon_array_fill(back, &seven, NULL));
  CHECK(tenon_array_to_host(back, values, sizeof values, NULL));
  good = before.data == after.data && values[0] == 7 && values[14] == 7;
  if (!good) failures++;
  printf("  %-34s out at %p, back at %p: %s\n", "DLPack, without a copy", before.data, after.data, good ? "ok" : "WRONG");
  tenon_array_release(back);
}

int main(int argc, char** argv) {
  const char* wanted = argc > 1 ? argv[1] : "best";
  int64_t scale = argc > 2 ? atoll(argv[2]) : 1;
  tenon_device* device;
  const char *name, *description, *toolkit;
  uint32_t version = tenon_version();

  if (scale < 1) {
    fprintf(stderr, "usage: %s [DEVICE] [SCALE], SCALE 1 or more\n", argv[0]);
    return 2;
  }
  printf("Tenon %u.%u.%u\n", version >> 16, version >> 8 & 255, version & 255);
  list_devices();
  CHECK(tenon_context_device(NULL, wanted, &device));
  CHECK(tenon_device_name(device, &name));
  CHECK(tenon_device_description(device, &description));
  CHECK(tenon_device_toolkit(device, &toolkit));
  printf("Running on %s (%s):\n", name, description);

  run_kernel(device, 10000000 / scale);
  multiply(device, 2048 / scale);
  transform(device, 1024 / scale);
  decompose(device, 384 / scale, 256 / scale);
  exchange(device);

  tenon_device_release(device);
  printf("%s\n", failures ? "Some checks FAILED." : "All checks held.");
  return failures ? 1 : 0;
}
